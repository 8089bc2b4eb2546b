import { signal } from '@preact/signals';

/** Which dialog lies over the list, for the links that are selected or the one that is active. */
export const bulkDialog = signal<'move' | 'tag' | 'expiry' | undefined>(undefined);
