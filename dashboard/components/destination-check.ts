import type { ListedLink } from '../../src/client/client.ts';
import { longDate, relative, shortDate } from '../texts/format.ts';
import { t } from '../texts/texts.ts';

type DestinationCheck = NonNullable<ListedLink['destinationCheck']>;

/** Describes a failing destination, such as "Page not found since 3 March". */
export function failureOf({ problem, since }: DestinationCheck): string {
  return t.check.since(problem === null ? t.states.failing : t.check.problems[problem], shortDate(since));
}

/** Summarizes a destination's last check in one line. */
export function wordsOf(check: DestinationCheck): string {
  const { state, notice, redirects, certificateEndsAt, since, checkedAt } = check;
  if (state === 'failing') return failureOf(check);
  if (state === 'suspect') return t.check.suspect;
  if (notice === 'certificate' && certificateEndsAt !== null)
    return t.check.certificate(longDate(certificateEndsAt));
  if (notice === 'redirects') return t.check.redirects(redirects);
  return state === 'recovered' ? t.check.recovered(longDate(since)) : t.check.fine(relative(checkedAt));
}
