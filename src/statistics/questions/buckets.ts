import type { Interval } from '../../model/clicks/statistics.ts';

export { type Interval, intervals } from '../../model/clicks/statistics.ts';

/**
 * Returns the start times of buckets in a time zone: full minutes, hours, days, weeks from Monday, or months, including
 * across daylight saving changes. If the zone changes its clocks within a minute or hour, a bucket also starts at the
 * change. The first bucket contains `from`, so it may start earlier. The last bucket starts before `to`.
 * @param from milliseconds since the epoch
 * @param to milliseconds since the epoch, exclusive
 * @param zone IANA name
 * @returns milliseconds since the epoch, ascending
 * @throws RangeError for an unknown zone
 */
export function bucketStarts(from: number, to: number, zone: string, interval: Interval): Float64Array {
  const starts: number[] = [];
  let bucket = firstBucket(Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone), interval);
  while (bucket.epochMilliseconds < to) {
    starts.push(bucket.epochMilliseconds);
    bucket = nextBucket(bucket, interval);
  }
  return Float64Array.from(starts);
}

function firstBucket(at: Temporal.ZonedDateTime, interval: Interval): Temporal.ZonedDateTime {
  if (isClockInterval(interval)) return startOfUnit(at, interval);
  const day = at.toPlainDate();
  if (interval === 'day') return startOf(day, at.timeZoneId);
  if (interval === 'week') return startOf(day.subtract({ days: day.dayOfWeek - 1 }), at.timeZoneId);
  return startOf(day.with({ day: 1 }), at.timeZoneId);
}

const steps = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } } as const;

function nextBucket(bucket: Temporal.ZonedDateTime, interval: Interval): Temporal.ZonedDateTime {
  if (isClockInterval(interval)) return nextUnit(bucket, interval);
  let day = bucket.toPlainDate();
  for (;;) {
    day = day.add(steps[interval]);
    const next = startOf(day, bucket.timeZoneId);
    // A zone that moved across the date line skipped a day. The skipped day starts at the same time as the next day, so
    // it gets no bucket.
    if (next.epochMilliseconds > bucket.epochMilliseconds) return next;
  }
}

function startOf(day: Temporal.PlainDate, zone: string): Temporal.ZonedDateTime {
  return day.toZonedDateTime(zone);
}

type ClockInterval = 'minute' | 'hour';

function isClockInterval(interval: Interval): interval is ClockInterval {
  return interval === 'minute' || interval === 'hour';
}

function startOfUnit(at: Temporal.ZonedDateTime, unit: ClockInterval): Temporal.ZonedDateTime {
  const into = { seconds: at.second, milliseconds: at.millisecond };
  const start = at.subtract(unit === 'hour' ? { ...into, minutes: at.minute } : into);
  const changed = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  return changed !== null && Temporal.ZonedDateTime.compare(changed, start) > 0 ? changed : start;
}

function nextUnit(start: Temporal.ZonedDateTime, unit: ClockInterval): Temporal.ZonedDateTime {
  const next = start.add(unit === 'hour' ? { minutes: 60 - start.minute } : { seconds: 60 - start.second });
  const change = start.getTimeZoneTransition('next');
  return change !== null && Temporal.ZonedDateTime.compare(change, next) < 0 ? change : next;
}
