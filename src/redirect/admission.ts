import type { ClickFacts } from '../model/clicks/click-facts.ts';
import { indexOfClass } from '../model/clicks/clicks.ts';
import { Failure } from '../model/failures.ts';
import type { SpecialTarget, Target } from '../model/links/link-records.ts';
import type { Reads, Writes } from '../model/storage.ts';
import { isSingleUse } from '../rules/outcome.ts';
import type { ExcludedVisits } from './excluded-visits.ts';
import type { Visit } from './visit.ts';

export type SpecialLink = Target & { readonly special: SpecialTarget };

/** Returns true if a link does more than redirect every visitor to its one destination. */
export function isSpecial(target: Target): target is SpecialLink {
  return target.special !== undefined;
}

/** Returns true if visitors submit a form to a link: its password, or its button. */
export function hasForm({ special }: SpecialLink): boolean {
  return special.password !== null || isSingleUse(special);
}

/**
 * Result for a visitor of a link with a click limit: follow it, see the page with the confirmation button, or see its
 * preview; `exhausted` if the limit is reached.
 */
export type Admitted = 'follow' | 'button' | 'preview' | 'exhausted';

/** Outcome of a visit while clicks are left: the redirect, a preview, or `gone` if a rule rejects this visitor. */
export type IntendedOutcome = 'redirect' | 'preview' | 'gone';

/**
 * Decides about a visit to a live link with a click limit. A person who follows it uses up one click, and is
 * redirected only once storage has recorded that durably. Bots and excluded visitors use none, and are redirected
 * while clicks are left. A one-time link is followed through its button only, and each submission of the form counts.
 * @throws Failure STORAGE_UNAVAILABLE or OVERLOADED if storage cannot count now; LINK_UNAVAILABLE for a browser that
 * prefetches, as it may show a person the prefetched page
 */
export function createClickLimit(
  storage: Pick<Reads, 'hasClicksLeft'> & Pick<Writes, 'consumeClick'>,
  { isExcluded }: Pick<ExcludedVisits, 'isExcluded'>,
  now: () => number,
): (
  visit: Visit,
  intended: IntendedOutcome,
  link: SpecialLink,
  facts: () => ClickFacts,
) => Promise<Admitted> {
  /** Links that storage has reported as exhausted. A link whose limit was raised is a new object. */
  const exhausted = new WeakSet<SpecialTarget>();

  return async (visit, intended, link, facts) => {
    const { special, account, row } = link;
    if (exhausted.has(special)) return 'exhausted';
    const isSubmitted = isSingleUse(special) && visit.method === 'POST';
    const shows = intended === 'gone' || isSubmitted ? undefined : isSingleUse(special) ? 'button' : intended;
    const isVisit = shows === 'redirect' && visit.method !== 'HEAD';
    const comesBy = isVisit ? facts().class : undefined;
    const isPerson = (isSubmitted && intended !== 'gone') || comesBy === indexOfClass.human;
    const uses = isPerson && !isExcluded(visit, link);
    const isLeft = await (uses
      ? storage.consumeClick(account, row, now())
      : storage.hasClicksLeft(account, row));
    if (!isLeft) {
      exhausted.add(special);
      return 'exhausted';
    }
    if (comesBy === indexOfClass.prefetch) throw prefetchRefused();
    return shows === 'button' || shows === 'preview' ? shows : 'follow';
  };
}

function prefetchRefused(): Failure {
  const text = 'This short link has a click limit, so it cannot be prefetched. Open it instead.';
  return new Failure('LINK_UNAVAILABLE', text);
}
