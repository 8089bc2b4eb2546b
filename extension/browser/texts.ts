import type english from '../_locales/en/messages.json';

export type TextName = keyof typeof english;

/** A text in the language of the browser. @param values of its places, in order */
export function t(name: TextName, ...values: readonly string[]): string {
  return chrome.i18n.getMessage(name, values);
}

/** Tells readers of the screen the language that the texts are in, and names the page. */
export function startPage(title: TextName): void {
  document.documentElement.lang = t('language');
  document.title = `${t(title)} · Linkfold`;
}
