import type { BreakdownPlace } from '../model/clicks/statistics.ts';
import type { CodedDimension, CombinedDimension } from './columns/dimensions.ts';

/** Dimensions for filters and breakdowns. */
export type TextDimension = CodedDimension | CombinedDimension | 'region' | 'referrer' | 'referrerKind';
export type Dimension = TextDimension | 'link' | 'folder';

/** A filter for clicks. A click must match all of a query's filters. An empty value means unknown. */
export type Filter =
  | {
      readonly dimension: TextDimension;
      readonly operator: 'is' | 'is-not' | 'contains';
      /** `is` and `contains` match if any of the values matches, `is-not` if none of the values matches. */
      readonly values: readonly string[];
    }
  | {
      /** A filter for links. `links` contains row IDs: one link, or the links of a folder or tag. */
      readonly dimension: 'link';
      readonly operator: 'is' | 'is-not';
      readonly links: ReadonlySet<number>;
    };

export interface Query {
  /** Milliseconds since the epoch. Click times are rounded down to seconds. */
  readonly from: number;
  /** Milliseconds since the epoch, exclusive. */
  readonly to: number;
  /** Start times of buckets, ascending (see `bucketStarts`). The first is not after `from`; the last is before `to`. */
  readonly buckets: Float64Array;
  readonly filters: readonly Filter[];
  readonly groupBy?: Dimension;
}

/** Converts the numbers in columns to names. */
export interface Names {
  /** Returns the name of a code. */
  readonly codeName: (dimension: CodedDimension, code: number) => string;
  /** Returns the kind of a referrer host, including the empty host. */
  readonly referrerKind: (host: string) => string;
  /** Returns a link's folder, or an empty string if the link is not in a folder. */
  readonly folderOf: (link: number) => string;
}

export interface Counts {
  readonly clicks: number;
  /** Visitor-days: distinct visitors per UTC day, each counted at the time of the first matching click. */
  readonly visitors: number;
}

/** Counts, and the clicks in each class, in the order of `clickClasses`. The classes add up to `clicks`. */
export interface BucketCounts extends Counts {
  readonly classes: readonly number[];
}

export interface Breakdown {
  /** Values by descending number of clicks, then by name. A link is represented by its row ID in decimal. */
  readonly values: readonly (Counts & { readonly value: string })[];
  /** Sum of all other values. */
  readonly other: Counts;
  /** Position of the last value. The next page continues after it. Undefined if there are no more values. */
  readonly next: BreakdownPlace | undefined;
}

export interface Answer {
  readonly totals: BucketCounts;
  /** Counts per bucket, which add up to `totals`. */
  readonly series: readonly BucketCounts[];
  /**
   * Returns a page of values. The values and `other` add up to `totals`. Without `groupBy`, all clicks are in `other`.
   */
  readonly breakdown: (limit: number, after?: BreakdownPlace) => Breakdown;
  /** Approximate number of distinct values. */
  readonly valueCount: number;
  /** Returns the counts of a value, even if the value is beyond the limit of `breakdown`. */
  readonly countsOf: (value: string) => Counts;
}
