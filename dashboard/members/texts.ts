import { texts } from '../texts/texts.ts';
import { en } from './en.ts';

export const t = texts(en);
