import { en } from './en.ts';
import { formatFor } from './locale.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

/** The texts of all rooms in the reader's language, by their first names; empty for English. */
let translated: Readonly<Record<string, unknown>> = {};
const given: Record<string, unknown>[] = [];

/**
 * A room's own texts with those that all rooms share. What is loaded once the language is chosen has them in it at once, the
 * rest from then on.
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

/** Words that all rooms share. */
export const t = texts({});

/** Takes the language asked for, else the first of the browser's that we have. Called once, before anything is shown. */
export async function chooseLanguage(
  wanted: string | null,
  spoken: readonly string[] = navigator.languages,
): Promise<void> {
  const language = languageOf(wanted, spoken);
  const region = spoken.find((tag) => tag.split('-')[0] === language);
  formatFor(region ?? (language === 'en' ? 'en-GB' : language));
  // The build gathers the `de.ts` of all rooms in it.
  if (language === 'de') translated = (await import('linkfold:de')).texts;
  given.forEach(translate);
}

function languageOf(wanted: string | null, spoken: readonly string[]): Language {
  const known = [wanted, ...spoken].flatMap((tag) => tag?.split('-')[0] ?? []);
  return known.find((tag): tag is Language => Object.hasOwn(languages, tag)) ?? 'en';
}
