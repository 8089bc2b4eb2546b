import type { ClickClass } from '../model/clicks/clicks.ts';
import type { FailureCode } from '../model/failures.ts';
import type { DestinationRules } from '../model/links/destinations/destinations.ts';
import { type ForwardMode, forwardQuery } from '../model/links/destinations/forwarded-query.ts';
import {
  appendPath,
  compileTemplate,
  type Expanded,
  expandedProblem,
  type Template,
} from '../model/links/destinations/templates.ts';
import { withUtm } from '../model/links/destinations/utm.ts';
import type { SpecialTarget, Target } from '../model/links/link-records.ts';
import type { LinkState } from '../model/links/link-search.ts';
import { compileRules, type Decide, type Decision } from './decide.ts';
import type { Action, Rule, VisitFacts } from './rule.ts';

/** The outcome of a visit to a link. */
export type Outcome =
  | {
      readonly kind: 'redirect';
      /** Redirect target in printable ASCII. */
      readonly location: string;
      readonly status: number;
      /** The rule that matched, if any. */
      readonly decision?: Decision;
    }
  /**
   * The link has not started, has expired, is disabled or exhausted, or a rule makes it unavailable to this visitor.
   */
  | {
      readonly kind: 'not-started' | 'expired' | 'disabled' | 'exhausted' | 'gone';
      /** URL from `expiredUrl` to redirect to; undefined to show an error page. */
      readonly location?: string | undefined;
      readonly decision?: Decision;
    }
  /** The visit lacks a value for the link's template, or the template expands to a URL that is not allowed. */
  | {
      readonly kind: 'unfilled' | 'refused' | 'too-long';
      readonly location?: undefined;
      readonly decision?: Decision;
      /** The placeholder that has no value, such as `{1}`. */
      readonly placeholder?: string;
    };

/** Reasons why a visitor is not redirected to a destination. */
export type RefusalKind = Exclude<Outcome['kind'], 'redirect'>;

/** Failure code for each reason. */
export const refusalCodes = {
  'not-started': 'LINK_NOT_STARTED',
  expired: 'LINK_EXPIRED',
  exhausted: 'LINK_EXHAUSTED',
  disabled: 'LINK_UNAVAILABLE',
  gone: 'LINK_UNAVAILABLE',
  unfilled: 'LINK_UNFILLED',
  refused: 'EXPANSION_REFUSED',
  'too-long': 'EXPANSION_TOO_LONG',
} as const satisfies Record<RefusalKind, FailureCode>;

/** Returns a link's state at a given time. @param at milliseconds since the epoch */
export function stateOf(
  link: Pick<Target, 'expiresAt'> & Pick<SpecialTarget, 'startsAt' | 'disabled' | 'maxClicks' | 'usedClicks'>,
  at: number,
): LinkState {
  if (link.disabled === 1) return 'disabled';
  if (link.expiresAt !== null && at >= link.expiresAt) return 'expired';
  if (link.maxClicks !== null && link.usedClicks >= link.maxClicks) return 'exhausted';
  return link.startsAt !== null && at < link.startsAt ? 'scheduled' : 'active';
}

type Decided = Pick<Target, 'location' | 'expiresAt'> & { readonly special: SpecialTarget };

export const defaultStatus = 302;
/** Status of the redirect after a form submission. This status makes the browser use GET. */
const statusAfterForm = 303;

/** Returns true if a link works only once. Visitors follow such a link by pressing a button on a page. */
export function isSingleUse({ maxClicks }: Pick<SpecialTarget, 'maxClicks'>): boolean {
  return maxClicks === 1;
}

/** The parts of a visited URL that affect the outcome, and the visitor's user name. */
export interface VisitedUrl {
  /** Query of the short URL, without `?`. */
  readonly query: string;
  /** The code as it appears in the requested URL. */
  readonly code: string;
  /** Decoded path segments after the code. */
  readonly rest: readonly string[];
  /** Returns the user name from a trusted proxy; empty if there is none. */
  readonly user: () => string;
}

/** Decides the outcome of a visit to a link with special features. @param facts called only if the link has rules */
export function decideVisit(
  link: Decided,
  at: number,
  visited: VisitedUrl,
  facts: () => VisitFacts,
): Outcome {
  const { special } = link;
  const state = stateOf({ ...special, expiresAt: link.expiresAt }, at);
  if (state === 'scheduled') return { kind: 'not-started' };
  if (state !== 'active') return { kind: state, location: expiredLocation(special, visited, at) };
  const decision = special.rules === null ? undefined : rulesOf(special)(facts());
  if (decision !== undefined && decision.url === undefined) return { kind: 'gone', decision };
  const made = expanded(special, decision?.url ?? link.location, visited, at);
  const won = decision === undefined ? undefined : { decision };
  if ('unfilled' in made) return { kind: 'unfilled', placeholder: made.unfilled, ...won };
  if ('refused' in made) return { kind: 'refused', ...won };
  const mode = (special.forwardQuery ?? 'none') as ForwardMode;
  const location = forwardQuery(made.location, visited.query, mode);
  const status = isSingleUse(special) ? statusAfterForm : (special.redirectStatus ?? defaultStatus);
  const redirect = { kind: 'redirect', location, status } as const;
  return decision === undefined ? redirect : { ...redirect, decision };
}

function expiredLocation(special: SpecialTarget, visited: VisitedUrl, at: number): string | undefined {
  if (special.expiredUrl === null) return undefined;
  if (special.template !== 1) return special.expiredUrl;
  const made = fromTemplate(special, special.expiredUrl, visited, at);
  return 'location' in made ? made.location : undefined;
}

/** Returns true if the outcome depends on the visited URL. Visits to the link's other URLs may succeed. */
export function dependsOnVisit(kind: Outcome['kind']): kind is 'unfilled' | 'refused' | 'too-long' {
  return kind === 'unfilled' || kind === 'refused' || kind === 'too-long';
}

/**
 * Removes a forbidden URL from an outcome. A redirect becomes a rejection, and any other outcome loses its redirect
 * URL.
 */
export function refusedOutcome(outcome: Outcome, why: 'refused' | 'too-long'): Outcome {
  const { decision } = outcome;
  if (outcome.kind !== 'redirect') return { ...outcome, location: undefined };
  return { kind: why, ...(decision !== undefined && { decision }) };
}

/** Checks the URL in an outcome against the rules for link destinations, if the URL depends on the visit. */
export function checkedOutcome(outcome: Outcome, special: SpecialTarget, rules: DestinationRules): Outcome {
  if (outcome.location === undefined || !usesRestOfPath(special)) return outcome;
  const why = expandedProblem(outcome.location, rules);
  return why === undefined ? outcome : refusedOutcome(outcome, why);
}

/** Returns true if the host in an outcome's URL depends on the visit. */
export function variesHost({ location, special }: Decided, { kind, decision }: Outcome): boolean {
  if (special.template !== 1) return false;
  const url = kind === 'redirect' ? (decision?.url ?? location) : special.expiredUrl;
  return url !== null && /^https?:\/\/\{/i.test(url);
}

/** Returns true if the destination includes the path after the code. */
export function usesRestOfPath({
  template,
  appendPath,
}: Pick<SpecialTarget, 'template' | 'appendPath'>): boolean {
  return template === 1 || appendPath === 1;
}

function expanded(special: SpecialTarget, url: string, visited: VisitedUrl, at: number): Expanded {
  if (special.appendPath === 1) return appendPath(url, visited.rest);
  if (special.template !== 1) return { location: url };
  const made = fromTemplate(special, url, visited, at);
  return 'location' in made ? { location: withUtm(made.location, special.utm) } : made;
}

/** Compiled templates, cached per target in the same way as compiled rules. */
const templates = new WeakMap<SpecialTarget, Map<string, Template>>();

function fromTemplate(special: SpecialTarget, url: string, visited: VisitedUrl, at: number): Expanded {
  let known = templates.get(special);
  if (known === undefined) {
    known = new Map();
    templates.set(special, known);
  }
  let template = known.get(url);
  if (template === undefined) {
    template = compileTemplate(url);
    known.set(url, template);
  }
  return template.expand({ ...visited, at, zone: special.timezone ?? 'UTC' });
}

/**
 * Returns true if the response is the link's social card instead of a redirect. Preview crawlers get the card while the
 * link works, regardless of its rules. Returns false for a link with a password, so that crawlers learn nothing about
 * the link.
 * @param classOf called only if the link works and has a card
 */
export function showsCard(
  { card, password }: Pick<SpecialTarget, 'card' | 'password'>,
  { kind }: Outcome,
  classOf: () => ClickClass | undefined,
): boolean {
  if (card === null || password !== null) return false;
  return (kind === 'redirect' || kind === 'gone') && classOf() === 'preview';
}

/** Compiled rules, cached per target. A target stays in memory while its link is visited. */
const prepared = new WeakMap<SpecialTarget, Decide>();

function rulesOf(special: SpecialTarget): Decide {
  const known = prepared.get(special);
  if (known !== undefined) return known;
  const rules = JSON.parse(special.rules ?? '[]') as Rule[];
  const decide = compileRules(
    // Skips templates, which are serialized when they are compiled.
    special.template === 1 ? rules : rules.map((rule) => serialized(rule, special.utm)),
    special.language ?? undefined,
    new Set(special.appSchemes?.split(' ')),
  );
  prepared.set(special, decide);
  return decide;
}

/** Returns a rule with its URLs serialized for the `Location` header, including the link's UTM parameters. */
function serialized(rule: Rule, utm: string | null): Rule {
  return { ...rule, to: serializedAction(rule.to, utm) };
}

function serializedAction(action: Action, utm: string | null): Action {
  const located = (url: string): string => withUtm(new URL(url).href, utm);
  if ('url' in action) return { ...action, url: located(action.url) };
  if ('gone' in action) return action;
  return { ...action, split: action.split.map((way) => ({ ...way, url: located(way.url) })) };
}
