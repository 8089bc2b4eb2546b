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

/** All texts of visitors' pages by language. To add one, add it to `branded.ts`, copy `en.ts` and list it here. */
export const pageTexts = Object.fromEntries(
  Object.entries(otherTexts).map(([lang, texts]) => [
    lang,
    { ...brandedTexts[lang as PageLanguage], ...texts },
  ]),
) as Record<PageLanguage, BrandedTexts & PageTexts>;

/** The texts of a page, with their language for the `lang` attribute and the start of its links. */
export type Texts = (typeof pageTexts)[PageLanguage] & {
  readonly lang: PageLanguage;
  readonly base: string;
};

/** Returns the texts in a language. @param base path below which visitors reach this server, for links on the page */
export function textsIn(lang: PageLanguage, base = ''): Texts {
  return { ...pageTexts[lang], lang, base };
}
