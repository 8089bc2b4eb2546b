import { type FirstTexts, first } from './en/first.ts';
import type { Texts } from './en/later.ts';
import { formatFor } from './locale.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

/** The texts of what is seen first, in the reader's language. Set once, before anything is shown. */
export let t: FirstTexts = first;

/** All texts, where they are not English. */
export let translated: Texts | undefined;

/** Takes the language asked for, else the first of the browser's that we have. */
export async function chooseLanguage(
  wanted: string | null,
  spoken: readonly string[] = navigator.languages,
): Promise<void> {
  const language = languageOf(wanted, spoken);
  const region = spoken.find((tag) => tag.split('-')[0] === language);
  formatFor(region ?? (language === 'en' ? 'en-GB' : language));
  translated = language === 'de' ? (await import('./de/de.ts')).de : undefined;
  t = translated ?? first;
}

export function languageOf(wanted: string | null, spoken: readonly string[]): Language {
  const known = [wanted, ...spoken].flatMap((tag) => tag?.split('-')[0] ?? []);
  return known.find((tag): tag is Language => Object.hasOwn(languages, tag)) ?? 'en';
}
