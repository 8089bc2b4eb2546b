/** Locale for `Intl`: the browser's own locale if its language is that of the interface. */
export let locale = 'en-GB';

export function formatFor(tag: string): void {
  locale = tag;
}
