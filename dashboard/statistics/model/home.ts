import type { Answer, Question } from './answer.ts';
import { addDays } from './days.ts';
import { askedFor, daysOf, type Now } from './ranges.ts';

/** Today by the hour, against the same weekday of last week up to the same time. */
export function todayQuestion(zone: string, now: Now, more: Pick<Question, 'filter'> = {}): Question {
  const before = addDays(now.day, -7);
  return {
    from: now.day,
    timezone: zone,
    interval: 'hour',
    compare: `${before}..${before}T${now.time}`,
    ...more,
  };
}

/** The last 30 days, against the 30 before. */
export function monthQuestion(zone: string, now: Now): Question {
  const { from, compare } = askedFor(daysOf({ kind: 'preset', preset: '30d' }, now), 'previous', now);
  return { from, timezone: zone, interval: 'day', compare };
}

/** The links of most clicks in seven days, against the seven before. */
export function mostClickedQuestion(zone: string, now: Now): Question {
  const { from, compare } = askedFor(daysOf({ kind: 'preset', preset: '7d' }, now), 'previous', now);
  return { from, timezone: zone, interval: 'day', compare, groupBy: 'link', limit: 5 };
}

/** The day in hours: those that were, the one that is, and those that come, which have no clicks yet. */
export function hoursOf({
  series,
}: Pick<Answer, 'series'>): { readonly clicks: number; readonly kind: 'past' | 'now' | 'coming' }[] {
  const past = series.map(({ clicks }, at) => ({
    clicks,
    kind: at === series.length - 1 ? ('now' as const) : ('past' as const),
  }));
  const coming = Math.max(0, 24 - past.length);
  return [...past, ...Array.from({ length: coming }, () => ({ clicks: 0, kind: 'coming' as const }))];
}

/** How much of a limit is used when it is nearly reached; undefined when there is room or no limit. */
export function nearlyFull(used: number, most: number | null): number | undefined {
  return most === null || used < most * 0.9 ? undefined : most === 0 ? 1 : used / most;
}
