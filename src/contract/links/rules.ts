import * as z from 'zod';
import { maxConditions, maxRules, maxValues, maxVariants, weekdays, wordFacts } from '../../rules/rule.ts';
import { httpUrl, language, moment, nameText, text } from '../fields.ts';

const not = z.boolean().optional().describe('Whether the opposite must hold.');
const values = (about: string) => z.array(text(0, 255)).min(1).max(maxValues).describe(about);
const hour = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/)
  .optional();

const condition = z.discriminatedUnion('fact', [
  z.strictObject({
    fact: z.enum(wordFacts),
    not,
    values: values('Words as statistics have them; one of them is enough. The empty word is unknown.'),
  }),
  z.strictObject({
    fact: z.literal('language'),
    not,
    values: values(
      'BCP 47 tags. The language that is negotiated with the visitor among the rules and the destination must be one of these.',
    ),
  }),
  z.strictObject({
    fact: z.literal('referrer'),
    not,
    values: values('Hosts, each with everything below it; the empty text for visits without a referrer.'),
  }),
  z.strictObject({
    fact: z.literal('query'),
    not,
    name: text(1, 255).describe('A parameter of the short URL.'),
    values: values('One of them is enough; any value will do when none is given.').optional(),
  }),
  z.strictObject({
    fact: z.literal('date'),
    not,
    from: moment.optional().describe('Not before this moment, in ISO 8601.'),
    to: moment.optional().describe('Before this moment.'),
  }),
  z.strictObject({
    fact: z.literal('time'),
    not,
    zone: text(1, 64).describe('A time zone such as Europe/Berlin.'),
    days: z.array(z.enum(weekdays)).min(1).max(7).optional(),
    from: hour.describe('From this time of day there, such as 09:00.'),
    to: hour.describe('Before this time of day; not after `from` it is one of the next day.'),
  }),
]);

const url = httpUrl.describe('Checked like the destination of a link.');

const spoken = language()
  .optional()
  .describe('The language of that destination, as a BCP 47 tag; unknown when it is not given.');

const action = z.union([
  z.strictObject({ url, language: spoken }),
  z.strictObject({
    split: z
      .array(z.strictObject({ url, weight: z.number().positive().max(1_000_000) }))
      .min(1)
      .max(maxVariants)
      .describe('Visitors by weight; each visitor gets the same way all day.'),
    language: spoken,
  }),
  z.strictObject({ gone: z.literal(true).describe('The visitor gets 410.') }),
]);

/** The rules of a link as clients send and read them. */
export const ruleList = z
  .array(
    z
      .strictObject({
        name: nameText(1, 100).optional(),
        when: z.array(condition).max(maxConditions).describe('All must hold; none holds for every visit.'),
        to: action,
      })
      .meta({ id: 'LinkRule' }),
  )
  .max(maxRules);
