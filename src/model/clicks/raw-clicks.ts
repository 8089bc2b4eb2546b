import type { Reach } from '../accounts/reach.ts';
import { isCount, type ListIdentity, readCursor, writeCursor } from '../cursors.ts';
import { type ClickDimension, clickDimensions } from './click-dimensions.ts';
import type { StatisticsFilter, StatisticsSubject } from './statistics.ts';

/** What a single click says, in the order of answers and files; link and folder stand before. */
export const clickTexts = clickDimensions.map(({ name }) => name);
export type ClickText = ClickDimension;

/** A place in the order of clicks: by falling second, and within a second by a key that is made of what the click says. */
export interface ClickPlace {
  /** Since the epoch. */
  readonly second: number;
  /** Empty before all clicks of its second. */
  readonly key: string;
  /** How many clicks of this second and key are before the place: nothing tells such clicks from each other. */
  readonly nth: number;
}

/** Which clicks are wanted. */
export interface ClicksQuestion {
  readonly subject: StatisticsSubject;
  /** Only clicks of links within. */
  readonly reach?: Reach | undefined;
  /** Milliseconds since the epoch. A click counts as of the beginning of its second. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly filters: readonly StatisticsFilter[];
  readonly behind?: ClickPlace | undefined;
  /** Most clicks of the page. */
  readonly limit: number;
}

/** A link as clicks name it; deleted ones too. */
export interface ClickedLink {
  readonly id: string;
  readonly code: string;
  /** The id of its folder now; empty when it is in none. */
  readonly folder: string;
}

/** Clicks, the newest first, in columns: so a page of thousands crosses from thread to thread as a few objects. */
export interface ClicksPage {
  /** Milliseconds since the epoch, whole seconds. */
  readonly times: Float64Array;
  /** By click: a place in `links`. */
  readonly linkOf: Uint32Array;
  readonly links: readonly ClickedLink[];
  /** By click: places in `texts`. */
  readonly textsOf: Readonly<Record<ClickText, Uint32Array>>;
  /** Empty is unknown. */
  readonly texts: readonly string[];
  /**
   * Where to go on; undefined when there is nothing more. It may be set on a page that is not full, or empty: then enough
   * was looked at for one page.
   */
  readonly next?: ClickPlace | undefined;
}

/** What a client gets to go on behind a place. */
export function clickCursor(list: ListIdentity, { second, key, nth }: ClickPlace): string {
  return writeCursor(list, [second, key, nth]);
}

/** The place that a cursor names; `foreign` when it is of another list, undefined when the text is no cursor. */
export function clickPlaceIn(list: ListIdentity, cursor: string): ClickPlace | 'foreign' | undefined {
  return readCursor(list, cursor, ([second, key, nth, ...more]) =>
    isCount(second) && isCount(nth) && typeof key === 'string' && more.length === 0
      ? { second, key, nth }
      : undefined,
  );
}
