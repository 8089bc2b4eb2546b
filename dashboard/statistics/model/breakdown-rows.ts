import type { StatisticsDimension } from '../../../src/model/clicks/statistics.ts';
import { matcher, noMatch } from '../../texts/matching.ts';
import { type Answer, changeOf, type Value } from './answer.ts';
import type { Metric } from './state.ts';

export interface Row {
  readonly value: string;
  readonly label: string;
  /** For a link: its code, and its title if it has one. */
  readonly link?: { readonly code: string; readonly title: string | undefined } | undefined;
  readonly count: number;
  /** Fraction of the largest value, for its bar. */
  readonly share: number;
  /** Undefined if there is nothing to compare with; `new` for a value that had no clicks before. */
  readonly change: number | 'new' | undefined;
}

/** @param labelOf returns the label of a value */
export function rowsOf(
  { breakdown, compare }: Pick<Answer, 'breakdown' | 'compare'>,
  dimension: StatisticsDimension,
  metric: Metric,
  labelOf: (dimension: StatisticsDimension, value: Value) => string,
): readonly Row[] {
  const values = breakdown?.values ?? [];
  // If the comparison period has no clicks, every value would be "new", so no change is shown.
  const isComparable = (compare?.totals.clicks ?? 0) > 0;
  const countOf = (one: { readonly clicks: number; readonly visitors: number }): number =>
    metric === 'visitors' ? one.visitors : one.clicks;
  const largest = Math.max(1, ...values.map(countOf));
  return values.map((value) => {
    const count = countOf(value);
    const before = value.before === undefined || !isComparable ? undefined : countOf(value.before);
    return {
      value: value.value,
      label: labelOf(dimension, value),
      ...(dimension === 'link' &&
        value.label !== undefined && { link: { code: value.label, title: value.title } }),
      count,
      share: count / largest,
      change: before === undefined ? undefined : (changeOf(count, before) ?? 'new'),
    };
  });
}

/** Returns rows that contain every word of a search, ignoring case and accents; the order stays. */
export function search(rows: readonly Row[], text: string): readonly Row[] {
  const rank = matcher(text);
  return rows.filter(({ label, value, link }) => rank(`${label} ${value} ${link?.title ?? ''}`) < noMatch);
}
