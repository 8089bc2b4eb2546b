import type { StatisticsDimension } from '../../../src/model/clicks/statistics.ts';
import { matcher, noMatch } from '../../texts/matching.ts';
import { type Answer, changeOf, type Value } from './answer.ts';
import type { Metric } from './state.ts';

export interface Row {
  readonly value: string;
  readonly label: string;
  /** The link's code and title. Set if the value is a link. */
  readonly link?: { readonly code: string; readonly title: string | undefined } | undefined;
  readonly count: number;
  /** Count as a fraction of the largest count, for the width of the bar. */
  readonly share: number;
  /** Change as a fraction. Undefined if there is no comparison; `new` if the value had no clicks before. */
  readonly change: number | 'new' | undefined;
}

/** Returns a breakdown's rows. @param labelOf returns the label for a value */
export function rowsOf(
  { breakdown, compare }: Pick<Answer, 'breakdown' | 'compare'>,
  dimension: StatisticsDimension,
  metric: Metric,
  labelOf: (dimension: StatisticsDimension, value: Value) => string,
): readonly Row[] {
  const values = breakdown?.values ?? [];
  // If the comparison period has no clicks, show no changes, because every value would be "new".
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

/** Returns the rows that contain every word of a search, in the same order. Ignores case and accents. */
export function search(rows: readonly Row[], text: string): readonly Row[] {
  const rank = matcher(text);
  return rows.filter(({ label, value, link }) => rank(`${label} ${value} ${link?.title ?? ''}`) < noMatch);
}
