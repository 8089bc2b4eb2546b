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

export const minutesShown = 60;
const minuteMs = 60_000;

/** The last 60 minutes, the one that is under way included. @param now ms since the epoch */
export function minutesQuestion(now: number): Question {
  const from = (Math.floor(now / minuteMs) - minutesShown + 1) * minuteMs;
  return { from: new Date(from).toISOString(), timezone: 'UTC', interval: 'minute' };
}

export interface Minute {
  /** When it begins, ms since the epoch. */
  readonly at: number;
  readonly clicks: number;
}

/** The last 60 minutes as they were told, moved on to now. @param now ms since the epoch */
export function minutesOf({ series }: Pick<Answer, 'series'>, now: number): readonly Minute[] {
  const told = new Map(series.map(({ start, clicks }) => [Date.parse(start), clicks]));
  const last = Math.floor(now / minuteMs);
  return Array.from({ length: minutesShown }, (_, at) => {
    const start = (last - minutesShown + 1 + at) * minuteMs;
    return { at: start, clicks: told.get(start) ?? 0 };
  });
}

/** How much of a limit is used when it is nearly reached; undefined when there is room or no limit. */
export function nearlyFull(used: number, most: number | null): number | undefined {
  return most === null || used < most * 0.9 ? undefined : most === 0 ? 1 : used / most;
}
