import type { ResolvedRestrictions } from '../accounts/key-restrictions.ts';
import { isCount, type ListIdentity, readCursor, writeCursor } from '../cursors.ts';
import { type ClickDimension, clickDimensions } from './click-dimensions.ts';
import type { StatisticsFilter, StatisticsSubject } from './statistics.ts';

/** Fields of a click in API responses and files; link and folder come first. */
export const clickTexts = clickDimensions.map(({ name }) => name);
export type ClickText = ClickDimension;

/** A position in the order of clicks: by second, newest first, then by a key derived from the click's values. */
export interface ClickPlace {
  /** Seconds since the epoch. */
  readonly second: number;
  /** Key of the click at this position; empty for the start of the second. */
  readonly key: string;
  /** Number of identical clicks (same second and key) before the position. */
  readonly nth: number;
}

/** Filters of a clicks query. */
export interface ClicksQuestion {
  readonly subject: StatisticsSubject;
  /** Only clicks of links within these restrictions. */
  readonly restrictions?: ResolvedRestrictions | undefined;
  /** Milliseconds since the epoch. The time of a click is truncated to the second. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly filters: readonly StatisticsFilter[];
  readonly after?: ClickPlace | undefined;
  /** Page size. */
  readonly limit: number;
}

/** The link of a click. It may be deleted. */
export interface ClickedLink {
  readonly id: string;
  readonly code: string;
  /** Id of its current folder; empty if it has none. */
  readonly folder: string;
}

/**
 * A page of clicks, newest first, in columns, so that thousands of clicks are transferred between threads as a few
 * objects.
 */
export interface ClicksPage {
  /** Milliseconds since the epoch, whole seconds. */
  readonly times: Float64Array;
  /** Index in `links`, by click. */
  readonly linkOf: Uint32Array;
  readonly links: readonly ClickedLink[];
  /** Indexes in `texts`, by click. */
  readonly textsOf: Readonly<Record<ClickText, Uint32Array>>;
  /** Values of dimensions; the empty string means unknown. */
  readonly texts: readonly string[];
  /** Position to continue at; undefined at the end. Can be set on a partial or empty page if the scan limit was reached. */
  readonly next?: ClickPlace | undefined;
}

/** Returns the cursor for a position. */
export function clickCursor(list: ListIdentity, { second, key, nth }: ClickPlace): string {
  return writeCursor(list, [second, key, nth]);
}

/** Parses a cursor. Returns `foreign` for a cursor of another list, undefined for a malformed one. */
export function clickPlaceIn(list: ListIdentity, cursor: string): ClickPlace | 'foreign' | undefined {
  return readCursor(list, cursor, ([second, key, nth, ...more]) =>
    isCount(second) && isCount(nth) && typeof key === 'string' && more.length === 0
      ? { second, key, nth }
      : undefined,
  );
}
