import { signal } from '@preact/signals';
import { keepAccountText, readAccountText } from '../account-texts.ts';
import { readViews, type View } from './saved-views.ts';

const storageKey = 'views';

/** The account's saved views. Undefined until they are loaded. */
export const views = signal<readonly View[] | undefined>(undefined);

let isReading = false;

export async function loadViews(): Promise<void> {
  if (views.peek() !== undefined || isReading) return;
  isReading = true;
  views.value = readViews(await readAccountText(storageKey));
  isReading = false;
}

/**
 * Saves or deletes a view. Reloads the views first, to keep views that other members have saved since they were loaded.
 */
export async function saveView(view: View, isKept: boolean): Promise<void> {
  const others = readViews(await readAccountText(storageKey)).filter(({ query }) => query !== view.query);
  views.value = isKept ? [...others, view] : others;
  await keepAccountText(storageKey, JSON.stringify(views.value));
}

export function forgetViews(): void {
  views.value = undefined;
}
