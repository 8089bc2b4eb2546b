import type { Journal } from '../clicks/journal/journal.ts';
import { Failure } from '../model/failures.ts';
import type { Target } from '../model/links/link-records.ts';
import type { RedirectParts } from './parts.ts';
import { clickOfLink } from './rule-facts.ts';
import type { Visit, Way } from './visit.ts';

/**
 * Counts the click, unless the account excludes the visit, and then redirects the visitor.
 * @param at milliseconds since the epoch
 * @param way redirect to send; by default, a redirect to the link's destination
 */
export type Follow = (visit: Visit, target: Target, at: number, way?: Way) => void;

export function createFollow(
  journal: Pick<Journal, 'append'>,
  { outcomes, excluded, fail }: Pick<RedirectParts, 'outcomes' | 'excluded' | 'fail'>,
): Follow {
  return (visit, target, at, way = target) => {
    const sendOn = (): void => {
      if (way.answer !== undefined) return way.answer();
      outcomes.redirected += 1;
      visit.sendTo(way.location, way.status);
    };
    if (visit.method === 'HEAD') return sendOn();
    if (excluded.isExcluded(visit, target)) {
      excluded.count(target);
      return sendOn();
    }
    const facts = way.facts?.() ?? visit.facts();
    const said = target.utm === undefined ? facts : clickOfLink(facts, target.utm);
    journal.append(target, at, said, (recorded) => {
      if (recorded) return sendOn();
      const text = 'This short link is temporarily unavailable. Try again in a moment.';
      fail(visit, new Failure('STORAGE_UNAVAILABLE', text));
    });
  };
}
