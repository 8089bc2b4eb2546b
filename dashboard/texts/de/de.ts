import type { Texts } from '../en/later.ts';
import { accountTexts } from './account.ts';
import { builderTexts } from './builder.ts';
import { codesTexts } from './codes.ts';
import { first } from './first.ts';
import { groupsTexts } from './groups.ts';
import { placesTexts } from './places.ts';
import { qrTexts } from './qr.ts';
import { rulesTexts } from './rules.ts';
import { sharesTexts } from './shares.ts';
import { statisticsTexts } from './statistics.ts';

/** Alle Texte auf Deutsch: kurz, sachlich, ohne Anrede. */
export const de: Texts = {
  ...first,
  ...builderTexts,
  ...groupsTexts,
  ...accountTexts,
  ...placesTexts,
  ...statisticsTexts,
  ...qrTexts,
  ...rulesTexts,
  ...codesTexts,
  ...sharesTexts,
};
