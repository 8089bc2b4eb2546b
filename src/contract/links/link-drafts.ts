import * as z from 'zod';
import {
  fewestDrawn,
  longestExactCode,
  longestPrefix,
  mostDrawn,
  prefixShape,
} from '../../model/links/codes/codes.ts';
import { ifExistsActions } from '../../model/links/link-records.ts';
import { codeText, domainHost, httpUrl, text, wholeNumber } from '../fields.ts';
import { sentFields } from './link-fields.ts';
import { tagNames } from './tags.ts';

/** What `POST /shorten` takes. */
export const linkDraft = {
  url: httpUrl.describe(
    'Destination, http or https, 1 to 2,048 characters (the operator may allow up to 8,192), without user name or password.',
  ),
  customCode: codeText(longestExactCode)
    .nullish()
    .describe(
      '3 to 50 letters, digits, "-" and "_", starting with a letter or digit; where the operator allows them, 1 to 50 characters with letters and digits of every script and emoji too, or up to 5 segments with "/" between them. Found without regard to case. On a domain with `exact` codes 1 to 190 characters of nearly any kind, with regard to case. One is drawn when there is none.',
    ),
  domain: domainHost(
    'Host of the domain to make it on; the default one of the account when it is left out.',
  ).nullish(),
  prefix: text(1, longestPrefix)
    .meta({ pattern: prefixShape.source })
    .nullish()
    .describe(
      `What a drawn code begins with: 1 to ${longestPrefix} characters by the rules of \`customCode\`; where codes may have segments, also \`shop/\` with the symbols as the last one.`,
    ),
  length: wholeNumber(fewestDrawn, mostDrawn)
    .nullish()
    .describe(
      `How many symbols are drawn, behind \`prefix\`: ${fewestDrawn} to ${mostDrawn}, 8 unless it is given; one more when four in a row are taken.`,
    ),
  ifExists: z
    .enum(ifExistsActions)
    .nullish()
    .describe(
      'What to do when the account has a link with this destination that is neither expired, switched off nor used up: `reuse` answers the oldest as it is, with 200, and with `customCode` only one that has the code; `fail` refuses; `new` makes another one, as it is when nothing is given.',
    ),
  ...sentFields('shorten'),
  tags: tagNames,
};
const { externalId: _inPath, ifExists: _byName, ...replacement } = linkDraft;
/** The same of a link that is named by its path. */
export const linkReplacement = replacement;
