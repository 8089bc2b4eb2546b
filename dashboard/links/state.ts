import { computed, signal } from '@preact/signals';
import { nothing, type Selection } from './selection.ts';

export const selection = signal<Selection>(nothing);
/** Id of the row on which keyboard shortcuts act. */
export const activeId = signal<string | undefined>(undefined);
/** Id of the row whose swipe actions are visible. */
export const swipedId = signal<string | undefined>(undefined);
export const hasBulkBar = computed(() => selection.value.ids.size > 0);

/** The list's open dialog, if any. Applies to the selected links or the active row. */
export const bulkDialog = signal<'move' | 'tag' | 'expiry' | undefined>(undefined);
