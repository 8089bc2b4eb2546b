import { builderTexts } from '../../builder/de.ts';
import { codesTexts } from '../../link/de.ts';
import { qrTexts } from '../../qr/de.ts';
import { rulesTexts } from '../../rules/de.ts';
import { sharesTexts } from '../../shares/de.ts';
import { statisticsTexts } from '../../statistics/de.ts';
import type { Texts } from '../en/later.ts';
import { accountTexts } from './account.ts';
import { first } from './first.ts';
import { groupsTexts } from './groups.ts';
import { placesTexts } from './places.ts';

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
