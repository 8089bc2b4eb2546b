import { signal } from '@preact/signals';

export const isCommandOpen = signal(false);

export function CommandMenu() {
  return null;
}
