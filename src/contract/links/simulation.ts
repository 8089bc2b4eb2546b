import * as z from 'zod';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { type FieldsWith, inputsOf } from '../../model/links/link-field-values.ts';
import { linkFields } from '../../model/links/link-fields.ts';
import { languageReasons } from '../../rules/languages.ts';
import { endpoint, ok } from '../endpoint.ts';
import { httpUrl, moment, text } from '../fields.ts';
import { sentFields } from './link-fields.ts';
import { idInPath, ofDestination } from './links.ts';

/** HTTP status for a visit that gets the preview card or the app page instead of a redirect. */
export const pageStatus = 200;

const word = text(0, 255).optional();

const visit = z
  .strictObject({
    at: moment.optional().describe('Time of the visit, in ISO 8601. Default: now.'),
    path: text(0, 4_096)
      .optional()
      .describe('Path after the code, without a leading `/`: `jira/123` in `/go/jira/123`.'),
    user: text(0, 255).optional().describe('Username from the header that `USER_HEADER` sets.'),
    query: text(0, 4_096).optional().describe('Query of the short URL, without `?`.'),
    userAgent: text(0, 1_024)
      .optional()
      .describe('User agent. Sets browser, os and device unless they are given.'),
    languages: text(0, 1_024).optional().describe('Value of the `Accept-Language` header.'),
    referrer: word.describe('Host of the referring page.'),
    country: word.describe('ISO 3166-1 alpha-2 code of the visitor’s country.'),
    region: word,
    browser: word,
    os: word,
    device: word,
    class: z.enum(clickClasses).optional().describe('Default: `human`.'),
    visitor: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .optional()
      .describe('Visitor number, which determines the variant of a split. Default: 0.'),
  })
  .optional()
  .describe('Properties of the visitor. Omitted properties are unknown.');

const sent = sentFields('updateLink');
/** Fields that affect redirects, except the password, because a simulation skips the password page. */
type Tried = Exclude<Extract<FieldsWith<'affectsRedirect'>, keyof typeof sent>, 'password'>;
const tried = inputsOf('updateLink').filter(
  ({ name, kind }) => kind !== 'secret' && 'affectsRedirect' in linkFields[name],
);
const changes = Object.fromEntries(tried.map(({ name }) => [name, sent[name]])) as Pick<typeof sent, Tried>;

const trial = {
  url: httpUrl.describe('Destination to test instead of the link’s own.').optional(),
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
      .enum([
        ...(['redirect', 'app', 'card', 'not-started', 'expired', 'disabled', 'exhausted', 'gone'] as const),
        ...(['unfilled', 'refused', 'too-long'] as const),
      ])
      .describe(
        'What the visitor gets; `app` is the page that offers the app, `card` the page with the link’s social card. For templates: `unfilled` if a placeholder has no value, `refused` and `too-long` if the resulting URL is not a valid destination.',
      ),
    status: z
      .int()
      .describe(
        'HTTP status of the response. For a link with `maxClicks` 1, the status after the visitor clicks the button: 303.',
      ),
    location: z
      .string()
      .nullable()
      .describe(
        'URL that the visitor is redirected to; for `app` the URL that opens the app. Null if another page is shown.',
      ),
    rule: z.int().nullable().describe('Index of the matching rule, from 0; null if none matches.'),
    variant: z.int().nullable().describe('Index of the chosen variant of a split, from 0.'),
    language: z
      .object({
        chosen: z.string().nullable().describe('The negotiated language; null if none matched.'),
        range: z
          .string()
          .nullable()
          .describe('The language range in `Accept-Language` that determined the choice.'),
        reason: z
          .enum(languageReasons)
          .describe(
            '`rule` or `destination`: the range matches one of its languages. `any`: the visitor accepts any language, so the destination is used. `less-preferred`: a rule matches, but the visitor prefers another language and the language of the destination is unknown. `no-match`: nothing matches.',
          ),
      })
      .nullable()
      .describe('How the language was negotiated; null if no rule requires it.')
      .meta({ id: 'SimulatedLanguage' }),
    rules: z
      .array(
        z
          .object({
            name: z.string().nullable(),
            holds: z
              .boolean()
              .describe('Whether all conditions are met. Rules after the winning one can be met, too.'),
            conditions: z.array(condition),
          })
          .meta({ id: 'SimulatedRule' }),
      )
      .describe('Evaluation of each rule, in order.'),
  })
  .meta({ id: 'Simulation' });

const example = {
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
const answered = ok('What the visitor would get.', { data: simulation }, example);

export const simulationEndpoints = {
  simulate: endpoint('POST', '/simulate', {
    access: { key: 'links:read', bound: true },
    changes: false,
    summary: 'Simulate a new link',
    description:
      'Returns what a visitor to such a link would get: the matching rule, why each other rule does not apply, the status and the target URL. Nothing is created or counted.',
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
    failures: [...ofDestination, 'EXPIRY_IN_PAST'],
  }),

  simulateLink: endpoint('POST', '/links/:id/simulate', {
    params: { id: idInPath },
    access: { key: 'links:read', bound: true },
    changes: false,
    summary: 'Simulate a visit',
    description:
      'Returns what a visitor to the link would get, optionally with changes that are not saved. Nothing is changed or counted.',
    body: trial,
    success: answered,
    exampleRequest: { body: { visit: { country: 'DE', languages: 'de-DE,de;q=0.9' } } },
    failures: ['LINK_NOT_FOUND', ...ofDestination, 'EXPIRY_IN_PAST'],
  }),
} as const;
