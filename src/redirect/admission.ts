import type { ClickFacts } from '../model/clicks/click-facts.ts';
import { indexOfClass } from '../model/clicks/clicks.ts';
import { Failure } from '../model/failures.ts';
import type { SpecialTarget, Target } from '../model/links/link-records.ts';
import type { Reads, Writes } from '../model/storage.ts';
import { isSingleUse } from '../rules/outcome.ts';
import type { Visit } from './visit.ts';

export type SpecialLink = Target & { readonly special: SpecialTarget };

/** Whether a link leads elsewhere than always to its destination, or not for every visitor. */
export function isSpecial(target: Target): target is SpecialLink {
  return target.special !== undefined;
}

/** Whether visitors send a form to a link: its password, or its button. */
export function hasForm({ special }: SpecialLink): boolean {
  return special.password !== null || isSingleUse(special);
}

/**
 * What a visitor of a link with a limit of clicks may do: follow it, see the page with the button that follows it, look at its
 * preview, or nothing as the limit is reached.
 */
export type Admitted = 'follow' | 'button' | 'preview' | 'exhausted';

/** The outcome of a visit while clicks are left: the redirect, a preview, or a rule says that the link is not for this visitor. */
export type IntendedOutcome = 'redirect' | 'preview' | 'gone';

/**
 * Decides about a visit of a live link with a limit. A person that follows it uses up one of its clicks, and continues only when
 * storage has counted that permanently; what is no person uses up none, and continues while one is left. A link that works once
 * is followed by its button alone, and each time that form is sent counts.
 * @throws Failure STORAGE_UNAVAILABLE or OVERLOADED when storage cannot count now; LINK_UNAVAILABLE for a browser that fetches
 * ahead, as it may show a person what it has fetched
 */
export function createClickLimit(
  storage: Pick<Reads, 'hasClicksLeft'> & Pick<Writes, 'consumeClick'>,
  now: () => number,
): (
  visit: Visit,
  intended: IntendedOutcome,
  link: SpecialLink,
  facts: () => ClickFacts,
) => Promise<Admitted> {
  /** Those of which storage has said so. A link whose limit is raised is another object. */
  const exhausted = new WeakSet<SpecialTarget>();

  return async (visit, intended, { special, account, row }, facts) => {
    if (exhausted.has(special)) return 'exhausted';
    const isSubmitted = isSingleUse(special) && visit.method === 'POST';
    const shows = intended === 'gone' || isSubmitted ? undefined : isSingleUse(special) ? 'button' : intended;
    const isVisit = shows === 'redirect' && visit.method !== 'HEAD';
    const comesBy = isVisit ? facts().class : undefined;
    const uses = (isSubmitted && intended !== 'gone') || comesBy === indexOfClass.human;
    const isLeft = await (uses
      ? storage.consumeClick(account, row, now())
      : storage.hasClicksLeft(account, row));
    if (!isLeft) {
      exhausted.add(special);
      return 'exhausted';
    }
    if (comesBy === indexOfClass.prefetch) throw fetchedAhead();
    return shows === 'button' || shows === 'preview' ? shows : 'follow';
  };
}

function fetchedAhead(): Failure {
  const text = 'This short link counts its visitors. Open it; it cannot be fetched ahead.';
  return new Failure('LINK_UNAVAILABLE', text);
}
