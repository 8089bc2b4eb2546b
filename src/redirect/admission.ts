import type { ClickFacts } from '../domain/clicks/click-facts.ts';
import { indexOfClass } from '../domain/clicks/clicks.ts';
import { Failure } from '../domain/failures.ts';
import type { SpecialTarget, Target } from '../domain/links/link-records.ts';
import type { Reads, Writes } from '../domain/storage.ts';
import { isOnce } from '../rules/outcome.ts';
import type { Visit } from './visit.ts';

export type LimitedLink = Target & { readonly special: SpecialTarget };

/**
 * What a visitor of a link with a limit of clicks may do: follow it, see the page with the button that follows it, look at its
 * preview, or nothing as the limit is reached.
 */
export type Admitted = 'follow' | 'button' | 'preview' | 'exhausted';

/**
 * Decides about a visit of a live link with a limit. A person that follows it uses up one of its clicks, and goes on only when
 * storage has counted that for good; what is no person uses up none, and goes on while one is left. A link that works once
 * is followed by its button alone, and every press counts.
 * @throws Failure STORAGE_UNAVAILABLE or OVERLOADED when storage cannot count now; LINK_UNAVAILABLE for a browser that
 * fetches ahead, as it may show a person what it has fetched
 */
export function createAdmission(
  storage: Pick<Reads, 'hasClicksLeft'> & Pick<Writes, 'admitClick'>,
): (visit: Visit, asksForPreview: boolean, link: LimitedLink, facts: () => ClickFacts) => Promise<Admitted> {
  /** Those of which storage has said so. A link whose limit is raised is another object. */
  const exhausted = new WeakSet<SpecialTarget>();

  return async (visit, asksForPreview, { special, account, row }, facts) => {
    if (exhausted.has(special)) return 'exhausted';
    const shows = isOnce(special) ? 'button' : asksForPreview ? 'preview' : undefined;
    const follows = isOnce(special) ? visit.method === 'POST' : shows === undefined;
    const uses = follows && (isOnce(special) || (visit.method === 'GET' && isPerson(facts())));
    const isLeft = await (uses ? storage.admitClick(account, row) : storage.hasClicksLeft(account, row));
    if (!isLeft) {
      exhausted.add(special);
      return 'exhausted';
    }
    return follows ? 'follow' : (shows ?? 'preview');
  };
}

function isPerson(facts: ClickFacts): boolean {
  if (facts.class !== indexOfClass.prefetch) return facts.class === indexOfClass.human;
  throw new Failure(
    'LINK_UNAVAILABLE',
    'This short link counts its visitors. Open it; it cannot be fetched ahead.',
  );
}
