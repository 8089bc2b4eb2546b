import * as z from 'zod';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { type FieldsWith, inputsOf } from '../../model/links/link-field-values.ts';
import { linkFields } from '../../model/links/link-fields.ts';
import { languageReasons } from '../../rules/languages.ts';
import { endpoint } from '../endpoint.ts';
import { httpUrl, moment, text } from '../fields.ts';
import { sentFields } from './link-fields.ts';
import { idInPath, success } from './links.ts';

/** Of the page with a card. */
export const cardStatus = 200;

const word = text(0, 255).optional();

const visit = z
  .strictObject({
    at: moment.optional().describe('When the visitor comes, in ISO 8601; now when it is not given.'),
    query: text(0, 4_096).optional().describe('Of the short URL, without `?`.'),
    userAgent: text(0, 1_024).optional().describe('Gives browser, os and device, where they are not given.'),
    languages: text(0, 1_024).optional().describe('The whole `Accept-Language`.'),
    referrer: word.describe('Host that the visitor comes from.'),
    country: word.describe('ISO 3166-1 alpha-2.'),
    region: word,
    browser: word,
    os: word,
    device: word,
    class: z.enum(clickClasses).optional().describe('`human` when it is not given.'),
    visitor: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .optional()
      .describe('Which of the visitors that a split divides; 0 when it is not given.'),
  })
  .optional()
  .describe('What is known of the visitor. What is not given is unknown.');

const sent = sentFields('updateLink');
/** The fields that a redirect depends on, without the password: a trial says what comes behind it. */
type Tried = Exclude<Extract<FieldsWith<'movesTarget'>, keyof typeof sent>, 'password'>;
const tried = inputsOf('updateLink').filter(
  ({ name, kind }) => kind !== 'secret' && 'movesTarget' in linkFields[name],
);
const changes = Object.fromEntries(tried.map(({ name }) => [name, sent[name]])) as Pick<typeof sent, Tried>;

const trial = {
  url: httpUrl.describe('Another destination than the link has.').optional(),
  ...changes,
  visit,
};

const condition = z
  .object({
    fact: z.string(),
    holds: z.boolean(),
  })
  .meta({ id: 'SimulatedCondition' });

const simulation = z
  .object({
    outcome: z
      .enum(['redirect', 'card', 'not-started', 'expired', 'disabled', 'exhausted', 'gone'])
      .describe('What the visitor meets; `card` is the page with the card of the link.'),
    status: z
      .int()
      .describe('The status of the answer; of a link with `maxClicks` 1 the one behind its button, 303.'),
    location: z.string().nullable().describe('Where the visitor is sent; null when a page is shown instead.'),
    rule: z.int().nullable().describe('The place of the rule that wins, from 0; null when none does.'),
    variant: z.int().nullable().describe('The place of the way that a split takes, from 0.'),
    language: z
      .object({
        chosen: z.string().nullable().describe('The language that won; null when none did.'),
        range: z.string().nullable().describe('The part of `Accept-Language` that decided.'),
        reason: z
          .enum(languageReasons)
          .describe(
            '`rule` or `destination`: the range matches one of its languages. `any`: the visitor takes any language, so the destination wins. `less-preferred`: a rule matches, but the visitor prefers another language and the language of the destination is unknown. `no-match`: nothing matches.',
          ),
      })
      .nullable()
      .describe('How the language was negotiated; null when no rule asks for it.')
      .meta({ id: 'SimulatedLanguage' }),
    rules: z
      .array(
        z
          .object({
            name: z.string().nullable(),
            holds: z
              .boolean()
              .describe('Whether all conditions hold. A rule behind the winner may hold too.'),
            conditions: z.array(condition),
          })
          .meta({ id: 'SimulatedRule' }),
      )
      .describe('Why each rule wins or does not, in their order.'),
  })
  .meta({ id: 'Simulation' });

const example = {
  success: true,
  data: {
    outcome: 'redirect',
    status: 302,
    location: 'https://example.com/app',
    rule: 0,
    variant: null,
    language: null,
    rules: [{ name: 'Phones', holds: true, conditions: [{ fact: 'os', holds: true }] }],
  },
};
const answered = {
  status: 200,
  description: 'What the visitor would meet.',
  body: success(simulation),
  example,
} as const;

export const simulationEndpoints = {
  simulate: endpoint({
    method: 'POST',
    path: '/simulate',
    access: { key: 'links:read', bound: true },
    priority: 'read',
    changes: false,
    summary: 'Try a link before it is made',
    description:
      'Says what a visitor of such a link would meet: which rule wins, why each other one does not, status and target. Nothing is made and nothing is counted.',
    body: { url: httpUrl.describe('Destination of the link.'), ...changes, visit },
    sent: z.intersection(
      z.object(trial).meta({ id: 'SimulateLinkRequest' }),
      z.object({ url: httpUrl.describe('Destination of the link.') }),
    ),
    success: answered,
    exampleRequest: {
      body: {
        url: 'https://example.com/',
        rules: [
          { name: 'Phones', when: [{ fact: 'os', values: ['ios'] }], to: { url: 'https://example.com/app' } },
        ],
        visit: { os: 'ios' },
      },
    },
    failures: ['INVALID_URL', 'SELF_REFERENTIAL_URL', 'DESTINATION_BLOCKED', 'EXPIRY_IN_PAST'],
  }),

  simulateLink: endpoint({
    method: 'POST',
    path: '/links/:id/simulate',
    params: { id: idInPath },
    access: { key: 'links:read', bound: true },
    priority: 'read',
    changes: false,
    summary: 'Try a link',
    description:
      'Says what a visitor of the link would meet, as it is or with changes that are not saved. Nothing is changed and nothing is counted.',
    body: trial,
    success: answered,
    exampleRequest: { body: { visit: { country: 'DE', languages: 'de-DE,de;q=0.9' } } },
    failures: [
      'LINK_NOT_FOUND',
      'INVALID_URL',
      'SELF_REFERENTIAL_URL',
      'DESTINATION_BLOCKED',
      'EXPIRY_IN_PAST',
    ],
  }),
} as const;
