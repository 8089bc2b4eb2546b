import { signal } from '@preact/signals';

/** Whether the command menu lies over the page. */
export const isCommandOpen = signal(false);
