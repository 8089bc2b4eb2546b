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

/** Every text of the dashboard in English: short, active, sentence case, no blame. */
export const later = {
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

/** Every text of the dashboard, in one shape for all languages. */
export type Texts = typeof later;
