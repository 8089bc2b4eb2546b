import { useEffect, useState } from 'preact/hooks';
import { LinkfoldError } from '../../src/client/errors.ts';
import { ask } from './ask.ts';
import type { Subject } from './model/answer.ts';
import type { Day } from './model/days.ts';
import { dayOf } from './model/moments.ts';

const longAgo = '2000-01-01';

/**
 * Returns the day on which "all time" starts: the first day of the month with the subject's first click.
 * @param known earliest possible day of a click, if already known
 */
export function useEarliest(
  subject: Subject,
  zone: string,
  known: Day | undefined,
  isWanted: boolean,
): Day | undefined {
  const [found, setFound] = useState<Day>();
  useEffect(() => {
    if (!isWanted || known !== undefined) return undefined;
    const ending = new AbortController();
    const askFrom = (from: Day) =>
      ask(subject, { from, timezone: zone, interval: 'month' }, ending.signal).then(({ series }) => {
        const first = series.find(({ clicks }) => clicks > 0) ?? series.at(-1);
        setFound(dayOf(first?.start ?? longAgo));
      });
    askFrom(longAgo).catch((error: unknown) => {
      // The query fails if clicks are retained only for a limited time. The error message then contains the first
      // available day.
      const earliest =
        error instanceof LinkfoldError ? /\d{4}-\d{2}-\d{2}/.exec(error.message)?.[0] : undefined;
      if (!ending.signal.aborted) askFrom(earliest ?? dayOf(new Date().toISOString())).catch(() => {});
    });
    return () => ending.abort();
  }, [subject.kind, subject.id, zone, known, isWanted]);
  return known ?? found;
}
