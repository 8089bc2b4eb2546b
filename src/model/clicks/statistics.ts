import type { Reach } from '../accounts/reach.ts';
import { type ClickDimension, clickDimensions } from './click-dimensions.ts';
import type { ClickClass } from './clicks.ts';

/** Whose clicks a question is about. */
export type StatisticsSubject =
  | { readonly kind: 'account' }
  | { readonly kind: 'link' | 'folder' | 'tag'; readonly id: string };

/** What links are gathered in. */
export type GroupKind = 'folder' | 'tag';

/** What clicks can be filtered and broken down by (CONTRACT §9). */
export const statisticsDimensions = [...clickDimensions.map(({ name }) => name), 'link', 'folder'] as const;
export type StatisticsDimension = ClickDimension | 'link' | 'folder';

export const filterOperators = ['is', 'is-not', 'contains'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** All filters of a question must hold. */
export interface StatisticsFilter {
  readonly dimension: StatisticsDimension;
  /** `contains` is for texts only, not for `link`, `folder` and `class`. */
  readonly operator: FilterOperator;
  /** One of them is enough; of `is-not` none may be it. Links and folders by their ids; the empty text is unknown. */
  readonly values: readonly string[];
}

/** How long the buckets of a series are; weeks begin on Monday. */
export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

export interface StatisticsRange {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Where buckets begin, growing; the first is not after `from`, the last before `to`. */
  readonly buckets: Float64Array;
}

export interface StatisticsQuestion {
  readonly subject: StatisticsSubject;
  /** Only clicks of links within. */
  readonly reach?: Reach | undefined;
  readonly range: StatisticsRange;
  /** An earlier range to set beside it. */
  readonly compare?: StatisticsRange;
  readonly filters: readonly StatisticsFilter[];
  readonly groupBy?: StatisticsDimension;
  /** Most values of the breakdown. */
  readonly limit: number;
  /** Only values behind a place: a further page of the breakdown. */
  readonly behind?: BreakdownPlace | undefined;
  /** Whether further pages are asked for: then they are of the moment of the first one, unless there are very many values. */
  readonly isWalked?: boolean | undefined;
}

/** A place in the order of a breakdown, which is by falling clicks and then by value: behind a value of so many clicks. */
export interface BreakdownPlace {
  readonly clicks: number;
  /** As storage names it: of a link it is no id. */
  readonly value: string;
}

export interface StatisticsCounts extends Readonly<Record<ClickClass, number>> {
  /** The sum of the classes. */
  readonly clicks: number;
  /** Visitor-days: distinct visitors of each UTC day, each where its first click is that the question looks at. */
  readonly visitors: number;
}

export interface ValueCounts {
  readonly clicks: number;
  readonly visitors: number;
}

export interface BreakdownValue extends ValueCounts {
  /** A link's or folder's id, otherwise a word; empty when it is unknown. */
  readonly value: string;
  /** What people call it: a link's code, a folder's name. */
  readonly label?: string;
  /** Of a link that has one. */
  readonly title?: string;
  /** Of the earlier range, when there is one. */
  readonly before?: ValueCounts;
}

export interface StatisticsSeries {
  readonly totals: StatisticsCounts;
  /** One for each bucket; they sum to `totals`. */
  readonly series: readonly StatisticsCounts[];
}

export interface StatisticsAnswer extends StatisticsSeries {
  /** Values and `other` sum to `totals`. Only with `groupBy`. */
  readonly breakdown?: {
    readonly values: readonly BreakdownValue[];
    readonly other: ValueCounts;
    /** Set when there are further values. */
    readonly next?: BreakdownPlace | undefined;
  };
  readonly compare?: StatisticsSeries;
  /** False when some visitors are estimated. */
  readonly visitorsExact: boolean;
  /** Set when the limit on clicks to look at was met: then only clicks from this moment on are in the answer. */
  readonly incompleteBefore?: number;
}
