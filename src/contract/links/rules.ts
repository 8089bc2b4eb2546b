import * as z from 'zod';
import { maxConditions, maxRules, maxValues, maxVariants, weekdays, wordFacts } from '../../rules/rule.ts';
import { httpUrl, language, moment, nameText, text } from '../fields.ts';

const not = z.boolean().optional().describe('Whether to negate the condition.');
const values = (about: string) => z.array(text(0, 255)).min(1).max(maxValues).describe(about);
const hour = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/)
  .optional();

const condition = z.discriminatedUnion('fact', [
  z.strictObject({
    fact: z.enum(wordFacts),
    not,
    values: values(
      'Values as in statistics, at least one of which must match. The empty string means unknown.',
    ),
  }),
  z.strictObject({
    fact: z.literal('language'),
    not,
    values: values(
      'BCP 47 tags. The language negotiated among all rules and the destination must be one of these.',
    ),
  }),
  z.strictObject({
    fact: z.literal('referrer'),
    not,
    values: values('Hosts, including their subdomains; the empty string for visits without a referrer.'),
  }),
  z.strictObject({
    fact: z.literal('query'),
    not,
    name: text(1, 255).describe('Name of a query parameter of the short URL.'),
    values: values('Values, at least one of which must match. Any value if omitted.').optional(),
  }),
  z.strictObject({
    fact: z.literal('date'),
    not,
    from: moment.optional().describe('Not before this time, in ISO 8601.'),
    to: moment.optional().describe('Before this time.'),
  }),
  z.strictObject({
    fact: z.literal('time'),
    not,
    zone: text(1, 64).describe('IANA time zone, such as Europe/Berlin.'),
    days: z.array(z.enum(weekdays)).min(1).max(7).optional(),
    from: hour.describe('From this local time of day, such as 09:00.'),
    to: hour.describe('Before this local time of day. If `to` is not after `from`, `to` is on the next day.'),
  }),
]);

const url = httpUrl.describe('Same checks as for a link’s destination.');

const spoken = language()
  .optional()
  .describe('Language of the destination as a BCP 47 tag; unknown if omitted.');

const app = z
  .strictObject({
    appUrl: text(1, 2_048).describe(
      'URL that opens the app: an https URL (universal link or App Link), or a URL with one of the account’s `appSchemes`, such as acme://item/1.',
    ),
    storeUrl: httpUrl
      .optional()
      .describe('https URL of the app’s store page, for visitors without the app. The web page if omitted.'),
  })
  .meta({ id: 'RuleApp' });

const action = z.union([
  z.strictObject({
    url,
    apps: z
      .strictObject({ ios: app.optional(), android: app.optional() })
      .optional()
      .describe('Apps that open on phones. Everyone else is redirected to `url`.'),
    language: spoken,
  }),
  z.strictObject({
    split: z
      .array(z.strictObject({ url, weight: z.number().positive().max(1_000_000) }))
      .min(1)
      .max(maxVariants)
      .describe('Weighted split of visitors. A visitor gets the same variant all day.'),
    language: spoken,
  }),
  z.strictObject({ gone: z.literal(true).describe('The visitor gets 410 (gone).') }),
]);

/** Schema for a link's redirect rules, in requests and responses. */
export const ruleList = z
  .array(
    z
      .strictObject({
        name: nameText(1, 100).optional(),
        when: z
          .array(condition)
          .max(maxConditions)
          .describe('All conditions must be met. A rule without conditions matches every visit.'),
        to: action,
      })
      .meta({ id: 'LinkRule' }),
  )
  .max(maxRules);
