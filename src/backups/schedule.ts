import { fail } from '../runtime/setting-values.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const unitMs = { m: minuteMs, h: 3_600_000, d: dayMs } as const;

/** Schedule for backups, in ms: a time of day in UTC, or an interval. */
export type Schedule = { readonly dailyAt: number } | { readonly every: number };

/** Parses `03:00`, `30m`, `6h` or `2d`. @throws Error that describes the expected format */
export function readSchedule(text: string): Schedule {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) return { dailyAt: (Number(hours) * 60 + Number(minutes)) * minuteMs };
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? [];
  const every = Number(count) * (unitMs[unit as keyof typeof unitMs] ?? 0);
  if (every >= 10 * minuteMs && every <= 31 * dayMs) return { every };
  return fail('must be a time in UTC such as 03:00, or an interval of 10m to 31d such as 6h');
}

/**
 * Returns true if no backup has been created since the last scheduled time. A missed backup is therefore due
 * immediately.
 * @param last time of the last backup in ms since the epoch; undefined if there is none
 * @param now ms since the epoch
 */
export function isDue(schedule: Schedule, last: number | undefined, now: number): boolean {
  if (last === undefined) return true;
  // If the clock was set back, the last backup seems to be in the future, which must not prevent new backups.
  if (last > now + dayMs) return true;
  if ('every' in schedule) return now - last >= schedule.every;
  return last < Math.floor((now - schedule.dailyAt) / dayMs) * dayMs + schedule.dailyAt;
}
