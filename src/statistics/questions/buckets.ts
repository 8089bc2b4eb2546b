import type { Interval } from '../../model/clicks/statistics.ts';

export { type Interval, intervals } from '../../model/clicks/statistics.ts';

/**
 * Where the buckets of a range begin in a zone: whole minutes, hours, days, weeks from Monday, or months there, over daylight saving.
 * A minute or an hour also begins where the zone changes its clocks in the middle of one. The first bucket holds `from`, so it may
 * begin before; the last one begins before `to`.
 * @param from milliseconds since the epoch
 * @param to exclusive
 * @param zone IANA name
 * @returns milliseconds since the epoch, growing
 * @throws RangeError when the zone is not known
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
  if (isOfClock(interval)) return startOfUnit(at, interval);
  const day = at.toPlainDate();
  if (interval === 'day') return startOf(day, at.timeZoneId);
  if (interval === 'week') return startOf(day.subtract({ days: day.dayOfWeek - 1 }), at.timeZoneId);
  return startOf(day.with({ day: 1 }), at.timeZoneId);
}

const steps = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } } as const;

function nextBucket(bucket: Temporal.ZonedDateTime, interval: Interval): Temporal.ZonedDateTime {
  if (isOfClock(interval)) return nextUnit(bucket, interval);
  let day = bucket.toPlainDate();
  for (;;) {
    day = day.add(steps[interval]);
    const next = startOf(day, bucket.timeZoneId);
    // A zone that crossed the date line has left a day out, which then begins where the day after it does.
    if (next.epochMilliseconds > bucket.epochMilliseconds) return next;
  }
}

function startOf(day: Temporal.PlainDate, zone: string): Temporal.ZonedDateTime {
  return day.toZonedDateTime(zone);
}

type ClockInterval = 'minute' | 'hour';

function isOfClock(interval: Interval): interval is ClockInterval {
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
