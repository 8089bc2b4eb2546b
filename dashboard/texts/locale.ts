/** What `Intl` formats by: the reader's own region, where it speaks the language of the texts. */
export let locale = 'en-GB';

export function formatFor(tag: string): void {
  locale = tag;
}
