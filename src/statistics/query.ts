import type { BreakdownPlace } from '../model/clicks/statistics.ts';
import type { CodedDimension, CombinedDimension } from './columns/dimensions.ts';

/** What clicks can be filtered and broken down by. */
export type TextDimension = CodedDimension | CombinedDimension | 'region' | 'referrer' | 'referrerKind';
export type Dimension = TextDimension | 'link' | 'folder';

/** All filters of a question must hold. An empty value is unknown. */
export type Filter =
  | {
      readonly dimension: TextDimension;
      readonly operator: 'is' | 'is-not' | 'contains';
      /** One of them is enough; of `is-not` none may be it. */
      readonly values: readonly string[];
    }
  | {
      /** Rows of links: one link, those of a folder or of a tag. */
      readonly dimension: 'link';
      readonly operator: 'is' | 'is-not';
      readonly links: ReadonlySet<number>;
    };

export interface Query {
  /** Milliseconds since the epoch. A click counts as of the beginning of its second. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Where buckets begin, growing; the first is not after `from`, the last before `to` (`bucketStarts`). */
  readonly buckets: Float64Array;
  readonly filters: readonly Filter[];
  readonly groupBy?: Dimension;
}

/** What the numbers in columns mean. */
export interface Names {
  /** The word of a small number. */
  readonly codeName: (dimension: CodedDimension, code: number) => string;
  /** The kind of a referrer's host; of an empty host too. */
  readonly referrerKind: (host: string) => string;
  /** A link's folder; empty when it is in none. */
  readonly folderOf: (link: number) => string;
}

export interface Counts {
  readonly clicks: number;
  /** Visitor-days: distinct visitors of each UTC day, each where its first click is that the question looks at. */
  readonly visitors: number;
}

/** Clicks by class in the order of `clickClasses`; they sum to `clicks`. */
export interface BucketCounts extends Counts {
  readonly classes: readonly number[];
}

export interface Breakdown {
  /** The values of most clicks, then in the order of their names. A link is its row in decimal. */
  readonly values: readonly (Counts & { readonly value: string })[];
  /** All other values. */
  readonly other: Counts;
  /** The last of them, when there are values behind it. */
  readonly next: BreakdownPlace | undefined;
}

export interface Answer {
  readonly totals: BucketCounts;
  /** One for each bucket; they sum to `totals`. */
  readonly series: readonly BucketCounts[];
  /** Values and `other` sum to `totals`; without `groupBy` everything is `other`. */
  readonly breakdown: (limit: number, behind?: BreakdownPlace) => Breakdown;
  /** How many different values there are, about. */
  readonly valueCount: number;
  /** What a value has, also beyond the limit. */
  readonly countsOf: (value: string) => Counts;
}
