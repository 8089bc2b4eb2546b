import { type Weekday, weekdays } from './rule.ts';

export interface WeekMinute {
  readonly day: Weekday;
  /** Minutes since midnight, in local time. */
  readonly minute: number;
}

const msPerMinute = 60_000;
/** Maximum number of time zones to cache. Rules use few zones, and a cached result is valid for one minute. */
const maxRemembered = 100;
const remembered = new Map<string, { readonly since: number; readonly there: WeekMinute }>();

/**
 * Returns the day of the week and the minute in a time zone.
 * @param zone IANA name
 * @param at milliseconds since the epoch
 * @throws RangeError for an unknown zone
 */
export function weekMinuteIn(zone: string, at: number): WeekMinute {
  const since = Math.floor(at / msPerMinute);
  const known = remembered.get(zone);
  if (known?.since === since) return known.there;
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const day = weekdays[time.dayOfWeek - 1] as Weekday;
  const there = { day, minute: time.hour * 60 + time.minute };
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(zone, { since, there });
  return there;
}

/** Returns true if a time zone with this name exists. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function dayBefore(day: Weekday): Weekday {
  return weekdays[(weekdays.indexOf(day) + 6) % 7] as Weekday;
}

/** Returns the minute of the day for a time such as `09:30`. */
export function minuteIn(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
