import type { ResolvedRestrictions } from '../accounts/key-restrictions.ts';
import { type ClickDimension, clickDimensions } from './click-dimensions.ts';
import type { ClickClass } from './clicks.ts';

/** The subject of a statistics query. */
export type StatisticsSubject =
  | { readonly kind: 'account' }
  | { readonly kind: 'link' | 'folder' | 'tag'; readonly id: string };

/** Kinds of groups that links can belong to. */
export type GroupKind = 'folder' | 'tag';

/** Dimensions for filters and breakdowns (CONTRACT §9). */
export const statisticsDimensions = [...clickDimensions.map(({ name }) => name), 'link', 'folder'] as const;
export type StatisticsDimension = ClickDimension | 'link' | 'folder';

export const filterOperators = ['is', 'is-not', 'contains'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** One filter of a query. Only clicks that match all filters of the query are counted. */
export interface StatisticsFilter {
  readonly dimension: StatisticsDimension;
  /** `contains` is valid only for dimensions with free text, not for `link`, `folder` and `class`. */
  readonly operator: FilterOperator;
  /**
   * `is` and `contains` match if one of the values matches, `is-not` if none does. Links and folders are given as ids.
   * The empty string means unknown.
   */
  readonly values: readonly string[];
}

/** Bucket lengths for a series. Weeks start on Monday. */
export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

export interface StatisticsRange {
  /** Start of the range, ms since the epoch. */
  readonly from: number;
  /** End of the range, exclusive. */
  readonly to: number;
  /** Start times of the buckets, ascending. The first is not after `from`, and the last is before `to`. */
  readonly buckets: Float64Array;
}

export interface StatisticsQuestion {
  readonly subject: StatisticsSubject;
  /** Includes only clicks on links within these restrictions. */
  readonly restrictions?: ResolvedRestrictions | undefined;
  readonly range: StatisticsRange;
  /** An earlier range for comparison. */
  readonly compare?: StatisticsRange;
  readonly filters: readonly StatisticsFilter[];
  readonly groupBy?: StatisticsDimension;
  /** Maximum number of breakdown values. */
  readonly limit: number;
  /** Position after which the breakdown continues. */
  readonly after?: BreakdownPlace | undefined;
  /**
   * Whether the client will read more pages. If so, these pages are read from the same snapshot as the first page,
   * unless the breakdown has too many values.
   */
  readonly isWalked?: boolean | undefined;
}

/** A position in a breakdown. Breakdowns are sorted by descending clicks, then by value. */
export interface BreakdownPlace {
  readonly clicks: number;
  /** The value as stored internally. For a link, this is not the link's id. */
  readonly value: string;
}

export interface StatisticsCounts extends Readonly<Record<ClickClass, number>> {
  /** Sum over all classes. */
  readonly clicks: number;
  /**
   * Visitor-days: the sum of distinct visitors per UTC day. Each visitor is counted once per day, at their first click
   * that matches the query.
   */
  readonly visitors: number;
}

export interface ValueCounts {
  readonly clicks: number;
  readonly visitors: number;
}

export interface BreakdownValue extends ValueCounts {
  /** A link id, a folder id or a string; empty if unknown. */
  readonly value: string;
  /** Display name: a link's code or a folder's name. */
  readonly label?: string;
  /** A link's title, if it has one. */
  readonly title?: string;
  /** Counts in the comparison range, if there is one. */
  readonly before?: ValueCounts;
}

export interface StatisticsSeries {
  readonly totals: StatisticsCounts;
  /** Counts for each bucket. They add up to `totals`. */
  readonly series: readonly StatisticsCounts[];
}

export interface StatisticsAnswer extends StatisticsSeries {
  /** Set for queries with `groupBy`. The values and `other` add up to `totals`. */
  readonly breakdown?: {
    readonly values: readonly BreakdownValue[];
    readonly other: ValueCounts;
    /** Set if there are more values. */
    readonly next?: BreakdownPlace | undefined;
  };
  readonly compare?: StatisticsSeries;
  /** False if some visitor counts are estimates. */
  readonly visitorsExact: boolean;
  /** Set if the scan limit was reached. The result then includes only clicks since this time. */
  readonly incompleteBefore?: number;
}
