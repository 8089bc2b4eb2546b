import { signal } from '@preact/signals';

/** Whether the command menu is open. */
export const isCommandOpen = signal(false);
