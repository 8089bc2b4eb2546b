/** Locale for `Intl`: the browser's own if it has the language of the interface. */
export let locale = 'en-GB';

export function formatFor(tag: string): void {
  locale = tag;
}
