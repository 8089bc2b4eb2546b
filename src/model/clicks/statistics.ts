import type { ResolvedRestrictions } from '../accounts/key-restrictions.ts';
import { type ClickDimension, clickDimensions } from './click-dimensions.ts';
import type { ClickClass } from './clicks.ts';

/** The subject of a query. */
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
  /** `contains` is for free text only, not for `link`, `folder` and `class`. */
  readonly operator: FilterOperator;
  /**
   * `is` and `contains` match any of these, `is-not` none of them. Ids for links and folders; the empty string means
   * unknown.
   */
  readonly values: readonly string[];
}

/** Bucket lengths of a series; weeks start on Monday. */
export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

export interface StatisticsRange {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Start times of the buckets, ascending. The first is not after `from`, the last is before `to`. */
  readonly buckets: Float64Array;
}

export interface StatisticsQuestion {
  readonly subject: StatisticsSubject;
  /** Only clicks of links within these restrictions. */
  readonly restrictions?: ResolvedRestrictions | undefined;
  readonly range: StatisticsRange;
  /** An earlier range for comparison. */
  readonly compare?: StatisticsRange;
  readonly filters: readonly StatisticsFilter[];
  readonly groupBy?: StatisticsDimension;
  /** Maximum number of breakdown values. */
  readonly limit: number;
  /** Cursor: the breakdown continues after this position. */
  readonly after?: BreakdownPlace | undefined;
  /**
   * Whether the client will read further pages. Those pages then use the snapshot of the first page, unless the
   * breakdown has too many values.
   */
  readonly isWalked?: boolean | undefined;
}

/** A position in a breakdown, which is ordered by descending clicks, then by value. */
export interface BreakdownPlace {
  readonly clicks: number;
  /** Storage's internal value; for a link, this is not its id. */
  readonly value: string;
}

export interface StatisticsCounts extends Readonly<Record<ClickClass, number>> {
  /** Sum over all classes. */
  readonly clicks: number;
  /**
   * Visitor-days: distinct visitors per UTC day. A visitor is counted at the first click of the day that matches the
   * query.
   */
  readonly visitors: number;
}

export interface ValueCounts {
  readonly clicks: number;
  readonly visitors: number;
}

export interface BreakdownValue extends ValueCounts {
  /** A link or folder id, or a text; empty if unknown. */
  readonly value: string;
  /** Display name: the code of a link, the name of a folder. */
  readonly label?: string;
  /** Title of a link, if it has one. */
  readonly title?: string;
  /** Counts in the comparison range, if there is one. */
  readonly before?: ValueCounts;
}

export interface StatisticsSeries {
  readonly totals: StatisticsCounts;
  /** One per bucket; they add up to `totals`. */
  readonly series: readonly StatisticsCounts[];
}

export interface StatisticsAnswer extends StatisticsSeries {
  /** Only with `groupBy`. The values and `other` add up to `totals`. */
  readonly breakdown?: {
    readonly values: readonly BreakdownValue[];
    readonly other: ValueCounts;
    /** Set if there are more values. */
    readonly next?: BreakdownPlace | undefined;
  };
  readonly compare?: StatisticsSeries;
  /** False if the numbers of visitors are partly estimated. */
  readonly visitorsExact: boolean;
  /** Set if the scan limit was reached: the result then includes only clicks since this time. */
  readonly incompleteBefore?: number;
}
