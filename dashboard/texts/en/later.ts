import { builderTexts } from '../../builder/en.ts';
import { codesTexts } from '../../link/en.ts';
import { qrTexts } from '../../qr/en.ts';
import { rulesTexts } from '../../rules/en.ts';
import { sharesTexts } from '../../shares/en.ts';
import { statisticsTexts } from '../../statistics/en.ts';
import { accountTexts } from './account.ts';
import { first } from './first.ts';
import { groupsTexts } from './groups.ts';
import { placesTexts } from './places.ts';

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
