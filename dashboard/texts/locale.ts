/** Locale for `Intl`. This is the browser's own locale if it has the same language as the UI. */
export let locale = 'en-GB';

export function formatFor(tag: string): void {
  locale = tag;
}
