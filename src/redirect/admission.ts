import type { ClickFacts } from '../model/clicks/click-facts.ts';
import { indexOfClass } from '../model/clicks/clicks.ts';
import { Failure } from '../model/failures.ts';
import type { SpecialTarget, Target } from '../model/links/link-records.ts';
import type { Reads, Writes } from '../model/storage.ts';
import { isSingleUse } from '../rules/outcome.ts';
import type { ExcludedVisits } from './excluded-visits.ts';
import type { Visit } from './visit.ts';

export type SpecialLink = Target & { readonly special: SpecialTarget };

/** Returns true if a link does more than redirect every visitor to one destination. */
export function isSpecial(target: Target): target is SpecialLink {
  return target.special !== undefined;
}

/** Returns true if a link shows visitors a form, either the password form or a one-time link's button. */
export function hasForm({ special }: SpecialLink): boolean {
  return special.password !== null || isSingleUse(special);
}

/**
 * Response to a visit to a link with a click limit. `follow` is the link's own response, usually the redirect. `button`
 * is the page with the confirmation button. `preview` is the preview page. `exhausted` is the error page for an
 * exhausted link.
 */
export type Admitted = 'follow' | 'button' | 'preview' | 'exhausted';

/** Outcome of a visit if the link has clicks left: the redirect, a preview, or `gone` if a rule rejects the visitor. */
export type IntendedOutcome = 'redirect' | 'preview' | 'gone';

/**
 * Creates the function that enforces click limits on live links. A person who follows such a link uses up one click,
 * and is redirected only after storage has recorded the click durably. Bots and excluded visitors do not use up a
 * click, and are redirected while the link has clicks left. Visitors can follow a one-time link only through the button
 * on its page, and each submission of that form uses up a click.
 * @throws Failure STORAGE_UNAVAILABLE or OVERLOADED if storage cannot record the click; LINK_UNAVAILABLE for a
 * prefetch, because the browser may later show a person the prefetched page without another request
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
  /**
   * Links that storage has reported as exhausted. A link whose limit is raised becomes a new object, so it is not in
   * this set.
   */
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
