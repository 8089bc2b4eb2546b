import { later, type Texts } from './en/later.ts';
import { translated } from './texts.ts';

/** All texts in the reader's language, for what is loaded once that is chosen: they are no part of the first load. */
export const t: Texts = translated ?? later;
