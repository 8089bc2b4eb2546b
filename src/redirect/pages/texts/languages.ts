import { type BrandedTexts, brandedTexts, type PageLanguage } from './branded.ts';
import { de } from './de.ts';
import { en, type PageTexts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';

export type { PageLanguage } from './branded.ts';

const otherTexts: Readonly<Record<PageLanguage, PageTexts>> = { en, de, fr, es, it, pt, nl, pl };

/**
 * All UI strings for visitors' pages, by language. To add a language, add it to `branded.ts`, translate a copy of
 * `en.ts`, and list the copy in this file.
 */
export const pageTexts = Object.fromEntries(
  Object.entries(otherTexts).map(([lang, texts]) => [
    lang,
    { ...brandedTexts[lang as PageLanguage], ...texts },
  ]),
) as Record<PageLanguage, BrandedTexts & PageTexts>;

/** UI strings for a page, with the language for its `lang` attribute and the base path for its links. */
export type Texts = (typeof pageTexts)[PageLanguage] & {
  readonly lang: PageLanguage;
  readonly base: string;
};

/** Returns the UI strings in a language. @param base base path of this server, for links on the page */
export function textsIn(lang: PageLanguage, base = ''): Texts {
  return { ...pageTexts[lang], lang, base };
}
