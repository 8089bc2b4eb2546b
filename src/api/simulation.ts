import { browsers, devices, readAgent, systems } from '../clicks/dimensions/agents.ts';
import type { BodyOf } from '../contract/endpoint.ts';
import type { simulationEndpoints } from '../contract/simulation.ts';
import { type Destination, isProblem, readDestination } from '../domain/destinations.ts';
import { type Problem, refused } from '../domain/failures.ts';
import { inputsOf } from '../domain/link-fields.ts';
import { storedInputs } from '../domain/link-inputs.ts';
import type { SpecialTarget } from '../domain/link-records.ts';
import * as links from '../domain/links.ts';
import { parseTimestamp } from '../domain/timestamps.ts';
import { explainRules } from '../rules/decide.ts';
import { decideVisit, type Outcome } from '../rules/outcome.ts';
import type { Rule, VisitFacts } from '../rules/rule.ts';
import type { ApiContext, Handlers } from './handler.ts';
import { linkProblems } from './link-problems.ts';

type Endpoints = typeof simulationEndpoints;
type Body = BodyOf<Endpoints['simulateLink']>;

/** A link as far as it decides where its visitors go. */
type Link = SpecialTarget & { readonly location: string; readonly expiresAt: number | null };

const plain: SpecialTarget = {
  ...{ startsAt: null, disabled: 0, expiredUrl: null, redirectStatus: null, forwardQuery: null, rules: null },
};

export const simulationHandlers: Handlers<Endpoints> = {
  simulate: {
    rules: ({ context, body }) => problemsOf(context, body),
    async run({ context, body }) {
      return simulated(context, changed(context, { ...plain, location: '', expiresAt: null }, body), body);
    },
  },

  simulateLink: {
    rules: ({ context, body }) => problemsOf(context, body),
    async run({ context, key, params, body }) {
      const link = await links.getLink(context, key.accountId, params.id);
      const { location } = destinationOf(context, link.destination);
      return simulated(context, changed(context, { ...link, location }, body), body);
    },
  },
};

function problemsOf(context: ApiContext, body: Partial<Body>): Problem[] {
  const at = body.visit?.at;
  const problems = linkProblems(context, body);
  if (at === undefined || parseTimestamp(at) !== undefined) return problems;
  const message = 'visit.at must be an ISO 8601 date or time, such as 2027-01-31T09:00:00Z.';
  return [...problems, { field: 'visit.at', reason: 'invalid_format', message, code: 'VALIDATION_ERROR' }];
}

/** A destination that was allowed when the link was made may be blocked since; the link still leads there. */
function destinationOf({ destinations }: ApiContext, url: string): Destination {
  const read = readDestination(url, {
    ...destinations,
    ownHosts: new Set(),
    blockedHosts: [],
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

const statusOf = { 'not-started': 404, expired: 410, disabled: 410, gone: 410 } as const;

function simulated(context: ApiContext, link: Link, { visit = {} }: Body) {
  const at = visit.at === undefined ? context.now() : (parseTimestamp(visit.at) ?? context.now());
  const facts = factsOf(visit, at);
  const outcome = decideVisit({ ...link, special: link }, at, facts.query, () => facts);
  const rules: readonly Rule[] = link.rules === null ? [] : JSON.parse(link.rules);
  return {
    success: true as const,
    data: {
      outcome: outcome.kind,
      status: statusIn(outcome),
      location: outcome.location ?? null,
      rule: outcome.decision?.rule ?? null,
      variant: outcome.decision?.variant ?? null,
      rules: explainRules(rules, facts).map(({ rule, holds, conditions }) => ({
        name: rules[rule]?.name ?? null,
        holds,
        conditions: conditions.map(({ condition, holds }) => ({ fact: condition.fact, holds })),
      })),
    },
  };
}

function statusIn(outcome: Outcome): number {
  if (outcome.kind === 'redirect') return outcome.status;
  return outcome.location === undefined ? statusOf[outcome.kind] : 302;
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
