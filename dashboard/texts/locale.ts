/** Locale for `Intl`. Equals the browser's own locale if that has the same language as the UI. */
export let locale = 'en-GB';

export function formatFor(tag: string): void {
  locale = tag;
}
