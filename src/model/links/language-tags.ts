// RFC 5646: a language, then subtags such as its script and region.
const languageTag = /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i;

/** The longest tag that {@link isLanguageTag} accepts, characters. */
export const longestLanguageTag = 30;

/** Returns true for a BCP 47 tag such as `de` or `pt-BR`. */
export function isLanguageTag(text: string): boolean {
  return languageTag.test(text);
}
