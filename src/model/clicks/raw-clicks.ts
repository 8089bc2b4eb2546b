import type { ResolvedRestrictions } from '../accounts/key-restrictions.ts';
import { isCount, type ListIdentity, readCursor, writeCursor } from '../cursors.ts';
import { type ClickDimension, clickDimensions } from './click-dimensions.ts';
import type { StatisticsFilter, StatisticsSubject } from './statistics.ts';

/** Fields of a click in API responses and export files. The link and folder precede these fields. */
export const clickFields = clickDimensions.map(({ name }) => name);
export type ClickField = ClickDimension;

/**
 * A position in the list of clicks. The list is sorted by second (newest first), then by a key derived from each
 * click's values.
 */
export interface ClickPlace {
  /** Seconds since the epoch. */
  readonly second: number;
  /** Key of the click at this position; an empty string means the start of the second. */
  readonly key: string;
  /** Number of clicks with the same second and key before the position. */
  readonly nth: number;
}

/** Filters for a query of raw clicks. */
export interface ClicksQuestion {
  readonly subject: StatisticsSubject;
  /** Includes only clicks on links within these restrictions. */
  readonly restrictions?: ResolvedRestrictions | undefined;
  /** Start of the range, ms since the epoch. The time of a click is truncated to the second. */
  readonly from: number;
  /** End of the range, exclusive. */
  readonly to: number;
  readonly filters: readonly StatisticsFilter[];
  readonly after?: ClickPlace | undefined;
  /** Page size. */
  readonly limit: number;
}

/** The clicked link, which may have been deleted. */
export interface ClickedLink {
  readonly id: string;
  readonly code: string;
  /** Id of the link's current folder; an empty string if it has none. */
  readonly folder: string;
}

/**
 * A page of clicks, newest first. Clicks are stored in columns, so that thousands of clicks can be transferred between
 * threads as a few objects.
 */
export interface ClicksPage {
  /** Click times in ms since the epoch, truncated to seconds. */
  readonly times: Float64Array;
  /** For each click, the index of its link in `links`. */
  readonly linkOf: Uint32Array;
  readonly links: readonly ClickedLink[];
  /** For each dimension and click, the index of the value in `values`. */
  readonly valueIndexes: Readonly<Record<ClickField, Uint32Array>>;
  /** Dimension values. The empty string means unknown. */
  readonly values: readonly string[];
  /**
   * Position of the next page; undefined on the last page. A page may be partial or empty if the scan limit was
   * reached.
   */
  readonly next?: ClickPlace | undefined;
}

/** Returns the cursor for a position. */
export function clickCursor(list: ListIdentity, { second, key, nth }: ClickPlace): string {
  return writeCursor(list, [second, key, nth]);
}

/** Parses a cursor. Returns `foreign` for a cursor from another list, undefined for a malformed cursor. */
export function clickPlaceIn(list: ListIdentity, cursor: string): ClickPlace | 'foreign' | undefined {
  return readCursor(list, cursor, ([second, key, nth, ...more]) =>
    isCount(second) && isCount(nth) && typeof key === 'string' && more.length === 0
      ? { second, key, nth }
      : undefined,
  );
}
