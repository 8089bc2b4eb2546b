import { browsers, devices, readAgent, systems } from '../clicks/dimensions/agents.ts';
import { countries } from '../clicks/dimensions/countries.ts';
import type { BodyOf } from '../contract/endpoint.ts';
import { errors } from '../contract/errors.ts';
import { cardStatus, type simulationEndpoints } from '../contract/links/simulation.ts';
import { type Problem, refused } from '../model/failures.ts';
import { type Destination, isProblem, readDestination } from '../model/links/destinations/destinations.ts';
import { withUtm } from '../model/links/destinations/utm.ts';
import { inputsOf, plainValues } from '../model/links/link-field-values.ts';
import { storedInputs } from '../model/links/link-inputs.ts';
import type { SpecialTarget, Link as StoredLink } from '../model/links/link-records.ts';
import * as links from '../model/links/links.ts';
import { parseTimestamp } from '../model/timestamps.ts';
import { explainRules } from '../rules/decide.ts';
import type { LanguageChoice } from '../rules/languages.ts';
import { decideVisit, type Outcome, refusalCodes, showsCard, usualStatus } from '../rules/outcome.ts';
import type { Rule, VisitFacts } from '../rules/rule.ts';
import type { ApiContext, Handlers } from './request/handler.ts';
import { linkProblems, wordsOf } from './rules/link-problems.ts';

type Endpoints = typeof simulationEndpoints;
type Body = BodyOf<Endpoints['simulateLink']>;

/** A link as far as it decides where its visitors go. */
type Link = SpecialTarget & Pick<StoredLink, 'folderId' | 'expiresAt'> & { readonly location: string };

export const simulationHandlers: Handlers<Endpoints> = {
  simulate: {
    rules: ({ context, body }) => problemsOf(context, body),
    async run({ context, key, body }) {
      return simulated(
        context,
        key.accountId,
        changed(context, { ...plainValues, location: '', expiresAt: null, folderId: null }, body),
        body,
      );
    },
  },

  simulateLink: {
    rules: ({ context, body }) => problemsOf(context, body),
    async run({ context, key, params, body }) {
      const link = await links.getLink(context, key.accountId, params.id);
      const { location } = destinationOf(context, link.destination);
      return simulated(context, key.accountId, changed(context, { ...link, location }, body), body);
    },
  },
};

function problemsOf(context: ApiContext, body: Partial<Body>): Problem[] {
  const problems = linkProblems(context, body);
  const { at, country, os, device, browser } = body.visit ?? {};
  const given = Object.entries({ os, device, browser });
  const wrong = given.flatMap(([fact, word]) => wrongWord(fact as 'os' | 'device' | 'browser', word));
  if (at !== undefined && parseTimestamp(at) === undefined)
    wrong.push(
      ofVisit('at', 'invalid_format', 'must be an ISO 8601 date or time, such as 2027-01-31T09:00:00Z.'),
    );
  if (country !== undefined && !knownCountries.has(country.toUpperCase()))
    wrong.push(
      ofVisit('country', 'unknown_value', 'must be ISO 3166-1 alpha-2, such as AT, or empty for unknown.'),
    );
  return [...problems, ...wrong];
}

const knownCountries: ReadonlySet<string> = new Set(countries);

/** What no visit can say would fit no rule, and the owner would look for the mistake in the rules. */
function wrongWord(fact: 'os' | 'device' | 'browser', word: string | undefined): Problem[] {
  const words = wordsOf(fact) ?? new Set();
  if (word === undefined || words.has(word.toLowerCase())) return [];
  const text = `may be: ${[...words].filter(Boolean).join(', ')}; or empty for unknown.`;
  return [ofVisit(fact, 'unknown_value', text)];
}

function ofVisit(name: string, reason: Problem['reason'], text: string): Problem {
  return { field: `visit.${name}`, reason, message: `visit.${name} ${text}`, code: 'VALIDATION_ERROR' };
}

/** A destination that was allowed when the link was made may be blocked since; the link still leads there. */
function destinationOf({ destinations }: ApiContext, url: string): Destination {
  const read = readDestination(url, {
    ...destinations,
    ownHosts: new Set(),
    blockedHosts: [],
    isListed: () => false,
    blockPrivate: false,
  });
  if (isProblem(read)) throw refused([read]);
  return read;
}

const inputs = inputsOf('updateLink');

function changed(context: ApiContext, link: Link, body: Body): Link {
  const { expiresAt } = body;
  return {
    ...link,
    ...storedInputs(inputs, body, context.destinations),
    ...(body.url !== undefined && { location: destinationOf(context, body.url).location }),
    ...(expiresAt !== undefined && {
      expiresAt: expiresAt === null ? null : (parseTimestamp(expiresAt) ?? null),
    }),
  };
}

/** What the folder of a link says for all in it, else its account for all of its own. */
async function inheritedUrl(
  { storage }: ApiContext,
  accountId: number,
  folderId: string | null,
): Promise<string | null> {
  const folder = folderId === null ? undefined : await storage.folder(accountId, folderId);
  return folder?.expiredUrl ?? (await storage.branding(accountId))?.expiredUrl ?? null;
}

async function simulated(context: ApiContext, accountId: number, given: Link, { visit = {} }: Body) {
  const expiredUrl = given.expiredUrl ?? (await inheritedUrl(context, accountId, given.folderId));
  const link = { ...given, expiredUrl };
  const at = visit.at === undefined ? context.now() : (parseTimestamp(visit.at) ?? context.now());
  const facts = factsOf(visit, at);
  const location = withUtm(link.location, link.utm);
  const outcome = decideVisit({ ...link, location, special: link }, at, facts.query, () => facts);
  const rules: readonly Rule[] = link.rules === null ? [] : JSON.parse(link.rules);
  const explained = explainRules(rules, facts, link.language ?? undefined);
  const { choice } = explained;
  return {
    success: true as const,
    data: {
      ...(showsCard(link, outcome, () => facts.class) ? asCard : met(outcome)),
      language: choice === undefined ? null : shownChoice(choice),
      rules: explained.rules.map(({ rule, holds, conditions }) => ({
        name: rules[rule]?.name ?? null,
        holds,
        conditions: conditions.map(({ condition, holds }) => ({ fact: condition.fact, holds })),
      })),
    },
  };
}

function shownChoice({ language, range, reason }: LanguageChoice) {
  return { chosen: language ?? null, range: range ?? null, reason };
}

/** No rule is asked about a fetcher of previews that sees the card. */
const asCard = { outcome: 'card', status: cardStatus, location: null, rule: null, variant: null } as const;

function met(outcome: Outcome) {
  return {
    outcome: outcome.kind,
    status: statusIn(outcome),
    location: outcome.location ?? null,
    rule: outcome.decision?.rule ?? null,
    variant: outcome.decision?.variant ?? null,
  };
}

function statusIn(outcome: Outcome): number {
  if (outcome.kind === 'redirect') return outcome.status;
  return outcome.location === undefined ? errors[refusalCodes[outcome.kind]].status : usualStatus;
}

function factsOf(visit: NonNullable<Body['visit']>, at: number): VisitFacts {
  const { userAgent } = visit;
  const agent = userAgent === undefined ? undefined : readAgent(userAgent);
  const wordOf = (words: readonly string[], place: number | undefined): string => words[place ?? 0] ?? '';
  return {
    at,
    class: visit.class ?? 'human',
    country: visit.country ?? '',
    region: visit.region ?? '',
    browser: visit.browser ?? wordOf(browsers, agent?.browser),
    os: visit.os ?? wordOf(systems, agent?.os),
    device: visit.device ?? wordOf(devices, agent?.device),
    languages: visit.languages ?? '',
    referrer: (visit.referrer ?? '').toLowerCase().replace(/^www\./, ''),
    query: visit.query ?? '',
    visitor: visit.visitor ?? 0,
  };
}
