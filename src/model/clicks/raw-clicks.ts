import type { ResolvedRestrictions } from '../accounts/key-restrictions.ts';
import { isCount, type ListIdentity, readCursor, writeCursor } from '../cursors.ts';
import { type ClickDimension, clickDimensions } from './click-dimensions.ts';
import type { StatisticsFilter, StatisticsSubject } from './statistics.ts';

/** Fields of a click in API responses and files; link and folder come first. */
export const clickTexts = clickDimensions.map(({ name }) => name);
export type ClickText = ClickDimension;

/** A position in the order of clicks: descending by second, then by a key derived from the click's values. */
export interface ClickPlace {
  /** Since the epoch. */
  readonly second: number;
  /** Empty for the start of the second. */
  readonly key: string;
  /** Number of identical clicks (same second and key) before the position. */
  readonly nth: number;
}

/** Filters of a clicks query. */
export interface ClicksQuestion {
  readonly subject: StatisticsSubject;
  /** Only clicks of links within these restrictions. */
  readonly restrictions?: ResolvedRestrictions | undefined;
  /** Milliseconds since the epoch. A click counts as of the beginning of its second. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly filters: readonly StatisticsFilter[];
  readonly behind?: ClickPlace | undefined;
  /** Page size. */
  readonly limit: number;
}

/** A link as clicks name it; deleted ones too. */
export interface ClickedLink {
  readonly id: string;
  readonly code: string;
  /** The id of its folder now; empty when it is in none. */
  readonly folder: string;
}

/** A page of clicks, newest first, in columns: thousands of clicks cross threads as a few objects. */
export interface ClicksPage {
  /** Milliseconds since the epoch, whole seconds. */
  readonly times: Float64Array;
  /** By click: an index in `links`. */
  readonly linkOf: Uint32Array;
  readonly links: readonly ClickedLink[];
  /** By click: indexes in `texts`. */
  readonly textsOf: Readonly<Record<ClickText, Uint32Array>>;
  /** Empty is unknown. */
  readonly texts: readonly string[];
  /** Where to continue; undefined at the end. May be set on a partial or empty page, when the scan limit was reached. */
  readonly next?: ClickPlace | undefined;
}

/** Returns the cursor for a position. */
export function clickCursor(list: ListIdentity, { second, key, nth }: ClickPlace): string {
  return writeCursor(list, [second, key, nth]);
}

/** Reads a cursor; `foreign` when it belongs to another list, undefined when it is malformed. */
export function clickPlaceIn(list: ListIdentity, cursor: string): ClickPlace | 'foreign' | undefined {
  return readCursor(list, cursor, ([second, key, nth, ...more]) =>
    isCount(second) && isCount(nth) && typeof key === 'string' && more.length === 0
      ? { second, key, nth }
      : undefined,
  );
}
