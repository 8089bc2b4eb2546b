import { browsers, devices, readAgent, systems } from '../clicks/dimensions/agents.ts';
import { countries } from '../clicks/dimensions/countries.ts';
import type { BodyOf } from '../contract/endpoint.ts';
import { errors } from '../contract/errors.ts';
import { pageStatus, type simulationEndpoints } from '../contract/links/simulation.ts';
import { type Problem, problem, refused } from '../model/failures.ts';
import { type Destination, isProblem } from '../model/links/destinations/destinations.ts';
import { readTarget, segmentsOf } from '../model/links/destinations/templates.ts';
import { withUtm } from '../model/links/destinations/utm.ts';
import { inputsOf, plainValues } from '../model/links/link-field-values.ts';
import { storedInputs } from '../model/links/link-inputs.ts';
import type { SpecialTarget, Link as StoredLink } from '../model/links/link-records.ts';
import * as links from '../model/links/links.ts';
import { parseTimestamp } from '../model/timestamps.ts';
import { explainRules } from '../rules/decide.ts';
import type { LanguageChoice } from '../rules/languages.ts';
import {
  checkedOutcome,
  decideVisit,
  defaultStatus,
  type Outcome,
  refusalCodes,
  showsCard,
} from '../rules/outcome.ts';
import type { Rule, VisitFacts } from '../rules/rule.ts';
import type { ApiContext, Handlers } from './request/handler.ts';
import { allowedValues, completeEdit, editProblems, linkProblems } from './rules/link-problems.ts';

type Endpoints = typeof simulationEndpoints;
type Body = BodyOf<Endpoints['simulateLink']>;

/** The parts of a link that determine its redirects. */
type Link = SpecialTarget &
  Pick<StoredLink, 'code' | 'folderId' | 'expiresAt'> & { readonly location: string };

export const simulationHandlers: Handlers<Endpoints> = {
  simulate: {
    rules: ({ context, body }) => [...linkProblems(context, body), ...visitProblems(body)],
    async run({ context, key, body }) {
      const none = { ...plainValues, location: '', expiresAt: null, folderId: null, code: '' };
      return simulated(context, key.accountId, changed(context, none, body), body);
    },
  },

  simulateLink: {
    rules: ({ context, body }) => [...editProblems(context, body), ...visitProblems(body)],
    async run({ context, key, params, body }) {
      const link = await links.getLink(context, key.accountId, params.id);
      const edit = await completeEdit(context, async () => link, body);
      const { location } = destinationOf(context, link.destination, link.template === 1);
      return simulated(context, key.accountId, changed(context, { ...link, location }, edit), edit);
    },
  },
};

function visitProblems({ visit = {} }: Partial<Body>): Problem[] {
  const { at, path, country, os, device, browser } = visit;
  const given = Object.entries({ os, device, browser });
  const wrong = given.flatMap(([fact, word]) => wrongWord(fact as 'os' | 'device' | 'browser', word));
  if (at !== undefined && parseTimestamp(at) === undefined)
    wrong.push(
      ofVisit('at', 'invalid_format', 'must be an ISO 8601 date or time, such as 2027-01-31T09:00:00Z.'),
    );
  if (country !== undefined && !knownCountries.has(country.toUpperCase()))
    wrong.push(
      ofVisit(
        'country',
        'unknown_value',
        'must be an ISO 3166-1 alpha-2 country code, such as AT, or empty for unknown.',
      ),
    );
  if (path !== undefined && segmentsOf(path) === undefined)
    wrong.push(ofVisit('path', 'invalid_format', 'has invalid percent-encoding.'));
  return wrong;
}

const knownCountries: ReadonlySet<string> = new Set(countries);

/**
 * Rejects values that no visit can have. No rule would match such a value, and users would look for the mistake in
 * their rules.
 */
function wrongWord(fact: 'os' | 'device' | 'browser', word: string | undefined): Problem[] {
  const words = allowedValues(fact) ?? new Set();
  if (word === undefined || words.has(word.toLowerCase())) return [];
  const text = `must be one of: ${[...words].filter(Boolean).join(', ')}; or empty for unknown.`;
  return [ofVisit(fact, 'unknown_value', text)];
}

function ofVisit(name: string, reason: Problem['reason'], text: string): Problem {
  return problem(`visit.${name}`, reason, `visit.${name} ${text}`);
}

/** Parses a destination without checking whether it is blocked, because blocking does not affect existing links. */
function destinationOf({ destinations }: ApiContext, url: string, isTemplate: boolean): Destination {
  const anywhere = {
    ...destinations,
    ownHosts: new Set<string>(),
    blockedHosts: [],
    isListed: () => false,
    blockPrivate: false,
  };
  const read = readTarget(url, anywhere, isTemplate);
  if (isProblem(read)) throw refused([read]);
  return read;
}

const inputs = inputsOf('updateLink');

function changed(context: ApiContext, link: Link, body: Body): Link {
  const { expiresAt } = body;
  return {
    ...link,
    ...storedInputs(inputs, body, context.destinations),
    ...(body.url !== undefined && {
      location: destinationOf(context, body.url, body.template === true).location,
    }),
    ...(expiresAt !== undefined && {
      expiresAt: expiresAt === null ? null : (parseTimestamp(expiresAt) ?? null),
    }),
  };
}

/** Returns the expired URL of the link's folder. If the folder has none, returns the account's expired URL. */
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
  const { appSchemes } = await context.storage.accountSettings(accountId);
  const link = { ...given, expiredUrl, appSchemes: appSchemes.join(' ') };
  const at = visit.at === undefined ? context.now() : (parseTimestamp(visit.at) ?? context.now());
  const facts = factsOf(visit, at);
  const location = link.template === 1 ? link.location : withUtm(link.location, link.utm);
  const visited = {
    query: facts.query,
    code: link.code,
    rest: visit.path ? (segmentsOf(visit.path) ?? []) : [],
    user: () => visit.user ?? '',
  };
  const decided = decideVisit({ ...link, location, special: link }, at, visited, () => facts);
  const outcome = checkedOutcome(decided, link, context.destinations);
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

/** Outcome if a preview fetcher gets the preview card. Rules do not apply to the card. */
const asCard = { outcome: 'card', status: pageStatus, location: null, rule: null, variant: null } as const;

function met(outcome: Outcome) {
  return {
    ...shown(outcome),
    rule: outcome.decision?.rule ?? null,
    variant: outcome.decision?.variant ?? null,
  };
}

function shown(outcome: Outcome) {
  const { kind, location = null, decision } = outcome;
  if (kind !== 'redirect' || decision?.app === undefined)
    return { outcome: kind, status: statusIn(outcome), location };
  const { appUrl, redirectFor } = decision.app;
  return redirectFor === undefined
    ? { outcome: 'app' as const, status: pageStatus, location: appUrl }
    : { outcome: kind, status: statusIn(outcome), location: redirectFor(outcome.location) };
}

function statusIn(outcome: Outcome): number {
  if (outcome.kind === 'redirect') return outcome.status;
  return outcome.location === undefined ? errors[refusalCodes[outcome.kind]].status : defaultStatus;
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
