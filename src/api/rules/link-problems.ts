import { browsers, devices, systems } from '../../clicks/dimensions/agents.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import type { Context } from '../../model/context.ts';
import type { LinkDomain } from '../../model/domains/hosts.ts';
import type { Problem } from '../../model/failures.ts';
import { cardProblems } from '../../model/links/destinations/cards.ts';
import { isProblem, readDestination } from '../../model/links/destinations/destinations.ts';
import { type DraftRules, draftProblems } from '../../model/links/links.ts';
import { ruleProblems } from '../../rules/problems.ts';
import type { Rule, WordFact } from '../../rules/rule.ts';

/** Of all rules of a link as JSON: they are kept in memory beside the links that are visited, and shown in lists. */
const maxRulesBytes = 32 * 1024;

function tooLong(size: number): Problem {
  const message = `rules take ${size} bytes as JSON; at most ${maxRulesBytes} are kept. Leave out values or shorten them.`;
  return { field: 'rules', reason: 'too_long', message, code: 'VALIDATION_ERROR' };
}

/**
 * What is wrong with a draft or a change beyond the shape of its fields. A code is checked once its domain is known.
 * @param domain the default one of the account
 */
export function linkProblems(
  context: DraftRules,
  body: Parameters<typeof draftProblems>[1],
  domain?: LinkDomain,
): Problem[] {
  const readUrl = (url: string) => readDestination(url, context.destinations);
  const rules = (body.rules ?? []) as readonly Rule[];
  const size = Buffer.byteLength(JSON.stringify(rules));
  const draft = domain === undefined ? body : { domain: domain.host, ...body };
  const ofFields = [...draftProblems(context, draft), ...cardProblems(body.card, readUrl)];
  if (size > maxRulesBytes) return [...ofFields, tooLong(size)];
  return [...ofFields, ...ruleProblems(rules, { readUrl, wordsOf })];
}

/** Why visitors may not be led to a URL that stands outside of links: it has to be what a link could lead to. */
export function urlProblem({ destinations }: Context, field: string, url: string): Problem | undefined {
  const read = readDestination(url, destinations);
  if (!isProblem(read)) return undefined;
  return { ...read, field, message: read.message.replace(/^url\b/, field), code: 'VALIDATION_ERROR' };
}

/** Such a URL as the `Location` header carries it; null for none. */
export function locationOf({ destinations }: Context, url: string | null | undefined): string | null {
  const read = url == null ? undefined : readDestination(url, destinations);
  return read === undefined || isProblem(read) ? null : read.location;
}

const words: Partial<Readonly<Record<WordFact, ReadonlySet<string>>>> = {
  os: new Set(systems),
  device: new Set(devices),
  browser: new Set(browsers),
  class: new Set(clickClasses),
};

/** The words that a fact can have, in lower case; undefined when any will do. */
export function wordsOf(fact: WordFact): ReadonlySet<string> | undefined {
  return words[fact];
}
