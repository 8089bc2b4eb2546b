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

/** What a visitor of a link meets. */
export type Outcome =
  | {
      readonly kind: 'redirect';
      /** Printable ASCII. */
      readonly location: string;
      readonly status: number;
      /** The rule that won, when one did. */
      readonly decision?: Decision;
    }
  /** Not yet, no more, switched off, followed as often as it may be, or not for this visitor. */
  | {
      readonly kind: 'not-started' | 'expired' | 'disabled' | 'exhausted' | 'gone';
      /** Where its owner sends such visitors; undefined for a page that says so. */
      readonly location?: string | undefined;
      readonly decision?: Decision;
    }
  /** A template lacks a value of the visit, or makes a URL of it that no link may have. */
  | {
      readonly kind: 'unfilled' | 'refused' | 'too-long';
      readonly location?: undefined;
      readonly decision?: Decision;
      /** What has no value: `{1}`. */
      readonly placeholder?: string;
    };

/** Why a visitor does not get through. */
export type Refused = Exclude<Outcome['kind'], 'redirect'>;

/** As what each is refused. */
export const refusalCodes = {
  'not-started': 'LINK_NOT_STARTED',
  expired: 'LINK_EXPIRED',
  exhausted: 'LINK_EXHAUSTED',
  disabled: 'LINK_UNAVAILABLE',
  gone: 'LINK_UNAVAILABLE',
  unfilled: 'LINK_UNFILLED',
  refused: 'EXPANSION_REFUSED',
  'too-long': 'EXPANSION_TOO_LONG',
} as const satisfies Record<Refused, FailureCode>;

/** @param at ms since the epoch */
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

export const usualStatus = 302;
/** A form was sent: what follows is fetched by GET. */
const statusBehindForm = 303;

/** Whether visitors follow a link by the button of a page, as it works once. */
export function isOnce({ maxClicks }: Pick<SpecialTarget, 'maxClicks'>): boolean {
  return maxClicks === 1;
}

/** What of a visit its URL says. */
export interface Visited {
  /** Of the short URL, without `?`. */
  readonly query: string;
  /** As it was asked for. */
  readonly code: string;
  /** The segments behind the code, decoded. */
  readonly rest: readonly string[];
  /** Whom a trusted proxy names; empty when it names nobody. */
  readonly user: () => string;
}

/**
 * What a visitor meets that follows a link with something special.
 * @param facts read only when the link has rules
 */
export function decideVisit(link: Decided, at: number, visited: Visited, facts: () => VisitFacts): Outcome {
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
  const status = isOnce(special) ? statusBehindForm : (special.redirectStatus ?? usualStatus);
  const redirect = { kind: 'redirect', location, status } as const;
  return decision === undefined ? redirect : { ...redirect, decision };
}

function expiredLocation(special: SpecialTarget, visited: Visited, at: number): string | undefined {
  if (special.expiredUrl === null) return undefined;
  if (special.template !== 1) return special.expiredUrl;
  const made = fromTemplate(special, special.expiredUrl, visited, at);
  return 'location' in made ? made.location : undefined;
}

/** Whether a visitor is refused for what the own URL says, and others may not be. */
export function isOfVisit(kind: Outcome['kind']): kind is 'unfilled' | 'refused' | 'too-long' {
  return kind === 'unfilled' || kind === 'refused' || kind === 'too-long';
}

/** An outcome whose URL is not used. */
export function refusedOutcome(outcome: Outcome, why: 'refused' | 'too-long'): Outcome {
  const { decision } = outcome;
  if (outcome.kind !== 'redirect') return { ...outcome, location: undefined };
  return { kind: why, ...(decision !== undefined && { decision }) };
}

/** Checks the URL that a visit has made as the destination of a link is checked. */
export function checkedOutcome(outcome: Outcome, special: SpecialTarget, rules: DestinationRules): Outcome {
  if (outcome.location === undefined || !usesRestOfPath(special)) return outcome;
  const why = expandedProblem(outcome.location, rules);
  return why === undefined ? outcome : refusedOutcome(outcome, why);
}

/** Whether the host of an outcome depends on the visit. */
export function variesHost({ location, special }: Decided, { kind, decision }: Outcome): boolean {
  if (special.template !== 1) return false;
  const url = kind === 'redirect' ? (decision?.url ?? location) : special.expiredUrl;
  return url !== null && /^https?:\/\/\{/i.test(url);
}

/** Whether the path behind the code is for the destination. */
export function usesRestOfPath({
  template,
  appendPath,
}: Pick<SpecialTarget, 'template' | 'appendPath'>): boolean {
  return template === 1 || appendPath === 1;
}

function expanded(special: SpecialTarget, url: string, visited: Visited, at: number): Expanded {
  if (special.appendPath === 1) return appendPath(url, visited.rest);
  if (special.template !== 1) return { location: url };
  const made = fromTemplate(special, url, visited, at);
  return 'location' in made ? { location: withUtm(made.location, special.utm) } : made;
}

/** The templates of a target, prepared once as its rules are. */
const templates = new WeakMap<SpecialTarget, Map<string, Template>>();

function fromTemplate(special: SpecialTarget, url: string, visited: Visited, at: number): Expanded {
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
 * Whether a visitor sees the card of a link instead of what the link would do: fetchers of previews do, while the link works,
 * whatever its rules say of them. A link with a password tells them nothing.
 * @param classOf read only when the link has a card and works
 */
export function showsCard(
  { card, password }: Pick<SpecialTarget, 'card' | 'password'>,
  { kind }: Outcome,
  classOf: () => ClickClass | undefined,
): boolean {
  if (card === null || password !== null) return false;
  return (kind === 'redirect' || kind === 'gone') && classOf() === 'preview';
}

/** Prepared once for a target, which stays in memory while visitors ask for it. */
const prepared = new WeakMap<SpecialTarget, Decide>();

function rulesOf(special: SpecialTarget): Decide {
  const known = prepared.get(special);
  if (known !== undefined) return known;
  const rules = JSON.parse(special.rules ?? '[]') as Rule[];
  const decide = compileRules(
    // A template is serialized when it is prepared.
    special.template === 1 ? rules : rules.map((rule) => serialized(rule, special.utm)),
    special.language ?? undefined,
  );
  prepared.set(special, decide);
  return decide;
}

/** A rule whose URLs are as the `Location` header carries them, with the UTM parameters of the link. */
function serialized(rule: Rule, utm: string | null): Rule {
  return { ...rule, to: serializedAction(rule.to, utm) };
}

function serializedAction(action: Action, utm: string | null): Action {
  const located = (url: string): string => withUtm(new URL(url).href, utm);
  if ('url' in action) return { ...action, url: located(action.url) };
  if ('gone' in action) return action;
  return { ...action, split: action.split.map((way) => ({ ...way, url: located(way.url) })) };
}
