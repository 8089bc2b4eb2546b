import { computed, signal } from '@preact/signals';
import { nothing, type Selection } from './selection.ts';

export const selection = signal<Selection>(nothing);
/** The row that the keyboard acts on. */
export const activeId = signal<string | undefined>(undefined);
/** The row that was swiped aside. */
export const swipedId = signal<string | undefined>(undefined);
export const hasBulkBar = computed(() => selection.value.ids.size > 0);

/** Which dialog lies over the list, for the links that are selected or the one that is active. */
export const bulkDialog = signal<'move' | 'tag' | 'expiry' | undefined>(undefined);
