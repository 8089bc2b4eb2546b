import { en } from './en.ts';
import { formatFor } from './locale.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

/** UI strings from all folders in the user's language. Empty for English. */
let translated: Readonly<Record<string, unknown>> = {};
const given: Record<string, unknown>[] = [];

/**
 * Returns a folder's own UI strings merged with the shared strings. The strings are translated once the language is
 * loaded.
 */
export function texts<Own extends object>(own: Own): Own & typeof en {
  const all = { ...en, ...own };
  given.push(all);
  translate(all);
  return all;
}

function translate(all: Record<string, unknown>): void {
  for (const name of Object.keys(all)) if (Object.hasOwn(translated, name)) all[name] = translated[name];
}

/** UI strings that all folders share. */
export const t = texts({});

/** Selects the requested language, or else the browser's first supported language. Called once, before rendering. */
export async function chooseLanguage(
  wanted: string | null,
  spoken: readonly string[] = navigator.languages,
): Promise<void> {
  const language = languageOf(wanted, spoken);
  const region = spoken.find((tag) => tag.split('-')[0] === language);
  formatFor(region ?? (language === 'en' ? 'en-GB' : language));
  // The build bundles all `de.ts` files in this module.
  if (language === 'de') translated = (await import('linkfold:de')).texts;
  given.forEach(translate);
}

function languageOf(wanted: string | null, spoken: readonly string[]): Language {
  const known = [wanted, ...spoken].flatMap((tag) => tag?.split('-')[0] ?? []);
  return known.find((tag): tag is Language => Object.hasOwn(languages, tag)) ?? 'en';
}
