import * as z from 'zod';
import {
  longestExactCode,
  longestPrefix,
  maxGeneratedLength,
  minGeneratedLength,
  prefixShape,
} from '../../model/links/codes/codes.ts';
import { ifExistsActions } from '../../model/links/link-records.ts';
import { codeText, domainHost, httpUrl, text, wholeNumber } from '../fields.ts';
import { sentFields } from './link-fields.ts';
import { tagNames } from './tags.ts';

/** Fields of `POST /shorten`. */
export const linkDraft = {
  url: httpUrl.describe(
    'Destination URL, http or https, 1–2,048 characters (the operator can allow up to 8,192), without username or password.',
  ),
  customCode: codeText(longestExactCode)
    .nullish()
    .describe(
      'Custom short code: 3–50 letters, digits, "-" and "_", starting with a letter or digit. If the operator allows it: 1–50 characters including letters and digits of all scripts and emoji, or up to 5 segments separated by "/". Case-insensitive. On a domain with `exact` codes: 1–190 characters of almost any kind, case-sensitive. A code is generated if omitted.',
    ),
  domain: domainHost(
    'Host of the domain to create the link on. Default: the account’s default domain.',
  ).nullish(),
  prefix: text(1, longestPrefix)
    .meta({ pattern: prefixShape.source })
    .nullish()
    .describe(
      `Prefix of the generated code: 1–${longestPrefix} characters, with the rules of \`customCode\`. If codes can have segments, also \`shop/\`, which puts the generated characters in the last segment.`,
    ),
  length: wholeNumber(minGeneratedLength, maxGeneratedLength)
    .nullish()
    .describe(
      `Number of characters to generate after \`prefix\`: ${minGeneratedLength}–${maxGeneratedLength}, default 8. If four codes in a row are taken, one more character is used.`,
    ),
  ifExists: z
    .enum(ifExistsActions)
    .nullish()
    .describe(
      'What to do if the account has a link with this destination that is not expired, disabled or exhausted. `reuse` returns the oldest one unchanged with 200 (with `customCode`, only a link that has this code). `fail` returns an error. `new` (default) creates another link.',
    ),
  ...sentFields('shorten'),
  tags: tagNames,
};
const { externalId: _inPath, ifExists: _byName, ...replacement } = linkDraft;
/** Body fields of a request that creates or replaces the link with the external ID given in the path. */
export const linkReplacement = replacement;
