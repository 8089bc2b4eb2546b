import type { ClickClass } from '../model/clicks/clicks.ts';
import type { FailureCode } from '../model/failures.ts';
import { type ForwardMode, forwardQuery } from '../model/links/destinations/forwarded-query.ts';
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

/**
 * What a visitor meets that follows a link with something special.
 * @param facts read only when the link has rules
 * @param query of the short URL, without `?`
 */
export function decideVisit(link: Decided, at: number, query: string, facts: () => VisitFacts): Outcome {
  const { special } = link;
  const state = stateOf({ ...special, expiresAt: link.expiresAt }, at);
  if (state === 'scheduled') return { kind: 'not-started' };
  if (state !== 'active') return { kind: state, location: special.expiredUrl ?? undefined };
  const decision = special.rules === null ? undefined : rulesOf(special)(facts());
  if (decision !== undefined && decision.url === undefined) return { kind: 'gone', decision };
  const location = forwardQuery(
    decision?.url ?? link.location,
    query,
    (special.forwardQuery ?? 'none') as ForwardMode,
  );
  const status = isOnce(special) ? statusBehindForm : (special.redirectStatus ?? usualStatus);
  const redirect = { kind: 'redirect', location, status } as const;
  return decision === undefined ? redirect : { ...redirect, decision };
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
    rules.map((rule) => serialized(rule, special.utm)),
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
