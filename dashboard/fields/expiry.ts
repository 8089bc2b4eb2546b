/**
 * Returns the time for an expiry preset, in the user's time zone. Uses the last minute of the day, to include the whole
 * day.
 */
export function presetMoment(preset: 'tonight' | 'week' | 'month', now: Date): Date {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  if (preset === 'tonight') return new Date(year, month, day, 23, 59);
  if (preset === 'week') return new Date(year, month, day + 7, 23, 59);
  return new Date(year, month + 1, 0, 23, 59);
}
