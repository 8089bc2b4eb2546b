import { browsers, devices, systems } from '../../clicks/dimensions/agents.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import type { Context } from '../../model/context.ts';
import type { LinkDomain } from '../../model/domains/hosts.ts';
import { type Problem, refused } from '../../model/failures.ts';
import { cardProblems } from '../../model/links/destinations/cards.ts';
import { isProblem, readDestination } from '../../model/links/destinations/destinations.ts';
import { readTarget } from '../../model/links/destinations/templates.ts';
import type { Link } from '../../model/links/link-records.ts';
import { type DraftRules, draftProblems, type LinkEdit } from '../../model/links/links.ts';
import { ruleProblems, urlsOf } from '../../rules/problems.ts';
import type { Rule, WordFact } from '../../rules/rule.ts';

/** Of all rules of a link as JSON: they are kept in memory next to the links that are visited, and shown in lists. */
const maxRulesBytes = 32 * 1024;

function tooLong(size: number): Problem {
  const message = `rules are ${size} bytes as JSON; the maximum is ${maxRulesBytes}. Remove or shorten values.`;
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
  const isTemplate = body.template === true;
  const readUrl = (url: string) => readTarget(url, context.destinations, isTemplate);
  const rules = (body.rules ?? []) as readonly Rule[];
  const size = Buffer.byteLength(JSON.stringify(rules));
  const readImage = (url: string) => readDestination(url, context.destinations);
  const draft = domain === undefined ? body : { domain: domain.host, ...body };
  const ofFields = [...draftProblems(context, draft), ...cardProblems(body.card, readImage)];
  if (size > maxRulesBytes) return [...ofFields, tooLong(size)];
  return [...ofFields, ...ruleProblems(rules, { readUrl, wordsOf: allowedValues })];
}

type Edit = LinkEdit & { readonly rules?: readonly object[] | null | undefined };

/** Whether it depends on the link what the URLs of an edit mean: braces are literal unless it is a template. */
function dependsOnLink({ url, expiredUrl, rules, template, appendPath }: Edit): boolean {
  const ofRules = ((rules ?? []) as readonly Rule[]).flatMap(({ to }) => urlsOf(to).map(([, one]) => one));
  return (
    template !== undefined ||
    appendPath === true ||
    [url, expiredUrl, ...ofRules].some((one) => one?.includes('{'))
  );
}

/** What is wrong with an edit, but for URLs that {@link completeEdit} checks. */
export function editProblems(context: DraftRules, edit: Edit): Problem[] {
  if (!dependsOnLink(edit)) return linkProblems(context, edit);
  const {
    url: _url,
    expiredUrl: _expired,
    rules: _rules,
    template: _is,
    appendPath: _appends,
    ...rest
  } = edit;
  return linkProblems(context, rest);
}

/**
 * An edit that reports whether the link is a template, where that matters; with all its URLs when that changes.
 * @throws Failure INVALID_URL, INVALID_TEMPLATE and the other failures of a destination
 */
export async function completeEdit<E extends Edit>(
  context: Context,
  find: () => Promise<Link>,
  edit: E,
): Promise<E> {
  if (!dependsOnLink(edit)) return edit;
  const link = await find();
  const wasTemplate = link.template === 1;
  const template = edit.template ?? wasTemplate;
  const { destination: url, expiredUrl } = link;
  const before = { url, expiredUrl, rules: JSON.parse(link.rules ?? 'null') };
  const whole = {
    ...(template !== wasTemplate && before),
    ...edit,
    template,
    appendPath: edit.appendPath ?? link.appendPath === 1,
  };
  const problems = linkProblems(context, whole);
  if (problems.length > 0) throw refused(problems);
  return whole;
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
export function allowedValues(fact: WordFact): ReadonlySet<string> | undefined {
  return words[fact];
}
