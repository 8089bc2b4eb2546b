import { de } from './de.ts';
import { en, type PageTexts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';

/** Texts of visitors' pages by language (BCP 47). To add one, copy `en.ts`, translate it, and list it here. */
export const pageTexts = { en, de, fr, es, it, pt, nl, pl } as const satisfies Record<string, PageTexts>;

export type PageLanguage = keyof typeof pageTexts;

/** The texts of a page, with their language for the `lang` attribute and the start of its links. */
export type Texts = PageTexts & { readonly lang: PageLanguage; readonly base: string };

/** Returns the texts in a language. @param base path below which visitors reach this server, for links on the page */
export function textsIn(lang: PageLanguage, base = ''): Texts {
  return { ...pageTexts[lang], lang, base };
}
