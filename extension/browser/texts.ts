import type english from '../_locales/en/messages.json';

export type TextName = keyof typeof english;

/** Returns a UI string in the browser's language. @param values values for the placeholders, in order */
export function t(name: TextName, ...values: readonly string[]): string {
  return chrome.i18n.getMessage(name, values);
}

/** Sets the page's language and title. */
export function startPage(title: TextName): void {
  document.documentElement.lang = t('language');
  document.title = `${t(title)} · Linkfold`;
}
