/** Median and range of several rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @param share 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place % 1);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function spreadOf(values: readonly number[]): Spread {
  return {
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

/** Formats a number with significant digits only: 41,234, 12.3, 0.85. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** `41,234 (39,870–42,011)` */
export function spread({ median, min, max }: Spread): string {
  return `${number(median)} (${number(min)}–${number(max)})`;
}

/** Always two decimals: `0.62`. */
export function ratio(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : '–';
}

/** Returns the ratio of two series, round by round: changes between rounds that affect both cancel out. */
export function pairedRatio(
  ours: readonly number[],
  others: readonly number[],
): Spread & { readonly each: readonly number[] } {
  const each = ours.slice(0, others.length).map((value, round) => value / (others[round] ?? Number.NaN));
  return { ...spreadOf(each), each };
}
