/** Returns an interpolated quantile, or NaN if there are no values. @param share 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place % 1);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Formats a number with at most two decimals, fewer for larger numbers, such as 41,234, 12.3 or 0.85. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Formats the median and the range, such as `41,234 (39,870–42,011)`. A single value is formatted without a range. */
export function withRange(values: readonly number[], format = number): string {
  const middle = format(median(values));
  return values.length < 2
    ? middle
    : `${middle} (${format(Math.min(...values))}–${format(Math.max(...values))})`;
}

/** Formats a ratio with two decimals, such as `0.62`. */
export function ratio(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : '–';
}

/** Divides two series round by round, so that changes between rounds that affect both series cancel out. */
export function ratiosOf(ours: readonly number[], others: readonly number[]): readonly number[] {
  return ours.slice(0, others.length).map((value, round) => value / (others[round] ?? Number.NaN));
}
