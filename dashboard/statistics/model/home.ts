import type { Answer, Question } from './answer.ts';
import { addDays } from './days.ts';
import { daysOf, type Now, queryRange } from './ranges.ts';

/** Returns the query for today by hour, compared with the same weekday last week up to the same time. */
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

/** Returns the query for the last 30 days, compared with the 30 days before. */
export function monthQuestion(zone: string, now: Now): Question {
  const { from, compare } = queryRange(daysOf({ kind: 'preset', preset: '30d' }, now), 'previous', now);
  return { from, timezone: zone, interval: 'day', compare };
}

/** Returns the query for the links with the most clicks in seven days, compared with the seven days before. */
export function mostClickedQuestion(zone: string, now: Now): Question {
  const { from, compare } = queryRange(daysOf({ kind: 'preset', preset: '7d' }, now), 'previous', now);
  return { from, timezone: zone, interval: 'day', compare, groupBy: 'link', limit: 5 };
}

export const minutesShown = 60;
const minuteMs = 60_000;

/** Returns the query for the last 60 minutes, including the current minute. @param now ms since the epoch */
export function minutesQuestion(now: number): Question {
  const from = (Math.floor(now / minuteMs) - minutesShown + 1) * minuteMs;
  return { from: new Date(from).toISOString(), timezone: 'UTC', interval: 'minute' };
}

export interface Minute {
  /** Start of the minute, in ms since the epoch. */
  readonly at: number;
  readonly clicks: number;
}

/** Extracts the last 60 minutes up to `now` from a response. @param now ms since the epoch */
export function minutesOf({ series }: Pick<Answer, 'series'>, now: number): readonly Minute[] {
  const clicksAt = new Map(series.map(({ start, clicks }) => [Date.parse(start), clicks]));
  const last = Math.floor(now / minuteMs);
  return Array.from({ length: minutesShown }, (_, at) => {
    const start = (last - minutesShown + 1 + at) * minuteMs;
    return { at: start, clicks: clicksAt.get(start) ?? 0 };
  });
}

/** Returns the used fraction of a limit that is nearly reached, or undefined for all other limits. */
export function nearlyFull(used: number, most: number | null): number | undefined {
  return most === null || used < most * 0.9 ? undefined : most === 0 ? 1 : used / most;
}
