/** Matches a BCP 47 tag such as `de` or `pt-BR`: a language, then subtags such as script and region (RFC 5646). */
export const languageTag = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

/** Maximum length of a language tag, in characters. */
export const longestLanguageTag = 30;
