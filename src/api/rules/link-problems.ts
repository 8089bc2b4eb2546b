import { browsers, devices, systems } from '../../clicks/dimensions/agents.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import type { Context } from '../../model/context.ts';
import type { LinkDomain } from '../../model/domains/hosts.ts';
import { type Problem, problem, refused } from '../../model/failures.ts';
import { cardProblems } from '../../model/links/destinations/cards.ts';
import { isProblem, readDestination } from '../../model/links/destinations/destinations.ts';
import { readTarget } from '../../model/links/destinations/templates.ts';
import type { Link } from '../../model/links/link-records.ts';
import { type DraftRules, draftProblems, type LinkEdit } from '../../model/links/links.ts';
import { ruleProblems, urlsOf } from '../../rules/problems.ts';
import type { Rule, WordFact } from '../../rules/rule.ts';

/**
 * Maximum size of a link's redirect rules, in bytes of JSON. The rules are cached with the link and included in lists.
 */
const maxRulesBytes = 32 * 1024;

/**
 * Returns the validation errors in a draft or edit, other than wrong field types. The code is checked later, once the
 * domain is known.
 * @param domain the account's default domain
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
  const readPage = (url: string) => readDestination(url, context.destinations);
  const draft = domain === undefined ? body : { domain: domain.host, ...body };
  const ofFields = [...draftProblems(context, draft), ...cardProblems(body.card, readPage)];
  if (size > maxRulesBytes) {
    const message = `rules are ${size} bytes as JSON; the maximum is ${maxRulesBytes}. Remove or shorten values.`;
    return [...ofFields, problem('rules', 'too_long', message)];
  }
  const { appSchemes = new Set() } = context.destinations;
  return [...ofFields, ...ruleProblems(rules, { readUrl, readPage, appSchemes, wordsOf: allowedValues })];
}

type Edit = LinkEdit & { readonly rules?: readonly object[] | null | undefined };

/**
 * Returns true if validating the edit requires the stored link. For example, braces in URLs are literal unless the link
 * is a template.
 */
function dependsOnLink({ url, expiredUrl, rules, template, appendPath }: Edit): boolean {
  const ofRules = ((rules ?? []) as readonly Rule[]).flatMap(({ to }) => urlsOf(to).map(([, one]) => one));
  return (
    template !== undefined ||
    appendPath === true ||
    [url, expiredUrl, ...ofRules].some((one) => one?.includes('{'))
  );
}

/**
 * Returns the validation errors in an edit. URLs that depend on the link are checked later, in {@link completeEdit}.
 */
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
 * Adds the link's `template` flag to an edit if the validation of its URLs depends on that flag. If the edit changes
 * the flag, also adds the link's other URLs, which must be validated again.
 * @throws Failure INVALID_URL, INVALID_TEMPLATE and other failures for an invalid destination
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

/** Returns the validation error for a folder's or domain's redirect URL, which must be a valid destination. */
export function urlProblem({ destinations }: Context, field: string, url: string): Problem | undefined {
  const read = readDestination(url, destinations);
  if (!isProblem(read)) return undefined;
  return { ...read, field, message: read.message.replace(/^url\b/, field), code: 'VALIDATION_ERROR' };
}

/** Returns a redirect URL encoded for the `Location` header; null if `url` is missing or invalid. */
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

/** Returns the allowed values for a visit property, in lower case; undefined if any value is allowed. */
export function allowedValues(fact: WordFact): ReadonlySet<string> | undefined {
  return words[fact];
}
