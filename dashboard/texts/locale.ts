/** Locale for `Intl`: the user's own region, if it uses the language of the texts. */
export let locale = 'en-GB';

export function formatFor(tag: string): void {
  locale = tag;
}
