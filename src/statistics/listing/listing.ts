import type { ClickField, ClickPlace } from '../../model/clicks/raw-clicks.ts';
import { clickFields } from '../../model/clicks/raw-clicks.ts';
import { secondsPerDay } from '../columns/dimensions.ts';
import type { Block, Segment } from '../columns/segment.ts';
import { createFilter } from '../filters.ts';
import type { Filter, Names } from '../query.ts';
import { isProfileDimension, type Reading, readingOf } from '../reading.ts';
import { type ClickFilters, type ClickPosition, listDay } from './clicks-of-day.ts';
import type { KeyedClick, SortClicks } from './order.ts';

export interface ListingQuery {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Milliseconds since the epoch, exclusive. */
  readonly to: number;
  readonly filters: readonly Filter[];
  readonly after?: ClickPlace | undefined;
  readonly limit: number;
}

/** A page of clicks as columns. Links are row IDs. */
export interface ListedClicks {
  readonly times: Float64Array;
  readonly links: Uint32Array;
  readonly valueIndexes: Readonly<Record<ClickField, Uint32Array>>;
  readonly values: readonly string[];
  /** Cursor for the next page. Set if there are more clicks than the limit. */
  readonly next?: ClickPlace | undefined;
}

/** Collects a page of clicks, day by day, latest day first. */
export interface Listing {
  /** The latest day that the page may include, in days since the epoch. */
  readonly lastDay: number;
  readonly firstDay: number;
  /**
   * Adds a UTC day's clicks.
   * @param segments all segments of the day
   * @returns true if the page is full
   */
  addDay(day: number, segments: readonly Segment[]): boolean;
  clicks(): ListedClicks;
}

interface DatedClick {
  readonly day: number;
  readonly click: KeyedClick;
}

export function createListing(query: ListingQuery, names: Names, sortClicks: SortClicks): Listing {
  const { filters, after, limit } = query;
  const started = Map.groupBy(filters, ({ dimension }) => isProfileDimension(dimension));
  const clickFilters: ClickFilters = {
    ofProfiles: (started.get(true) ?? []).map((filter) => createFilter(filter, names)),
    ofRows: (started.get(false) ?? []).map((filter) => createFilter(filter, names)),
  };
  const first = Math.ceil(query.from / 1_000);
  const last = Math.min(Math.ceil(query.to / 1_000) - 1, after?.second ?? Number.POSITIVE_INFINITY);
  // Collects one click more than the limit, to determine whether there is another page.
  const listed: DatedClick[] = [];

  const createPlaceFilter = (second: number): ((click: KeyedClick) => boolean) => {
    if (after === undefined || after.second !== second) return () => true;
    let equal = 0;
    return ({ key }) => {
      if (key === after.key) equal += 1;
      return key > after.key || (key === after.key && equal > after.nth);
    };
  };

  return {
    firstDay: Math.floor(first / secondsPerDay),
    lastDay: Math.floor(last / secondsPerDay),
    addDay(day, segments) {
      const start = day * secondsPerDay;
      const [from, upto] = [Math.max(0, first - start), Math.min(secondsPerDay - 1, last - start)];
      if (from > upto) return false;
      for (const clicks of listDay(segments, clickFilters, { from, upto })) {
        const [{ second }] = clicks as [ClickPosition];
        const passes = createPlaceFilter(start + second);
        for (const click of sortClicks(clicks)) {
          if (!passes(click)) continue;
          listed.push({ day, click });
          if (listed.length > limit) return true;
        }
      }
      return false;
    },
    clicks() {
      const page = listed.slice(0, limit);
      const end = page.at(-1);
      return {
        ...toColumns(page, names),
        ...(listed.length > limit && end !== undefined && { next: placeAfter(page, end) }),
      };
    },
  };

  function placeAfter(page: readonly DatedClick[], { day, click }: DatedClick): ClickPlace {
    const second = day * secondsPerDay + click.second;
    const { key } = click;
    const isSame = (one: DatedClick): boolean =>
      one.day === day && one.click.second === click.second && one.click.key === key;
    const others = page.findLastIndex((one) => !isSame(one));
    const before = after?.second === second && after.key === key ? after.nth : 0;
    return { second, key, nth: before + page.length - 1 - others };
  }
}

/** Returns a cursor for a page that starts with the clicks on the day before `day`. */
export function cursorBefore(day: number): ClickPlace {
  return { second: day * secondsPerDay - 1, key: '', nth: 0 };
}

function toColumns(page: readonly DatedClick[], names: Names): Omit<ListedClicks, 'next'> {
  const values: string[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (text: string): number => indexes.getOrInsertComputed(text, () => values.push(text) - 1);
  const readings = new Map<Block, readonly ReadText[]>();
  const readingsOf = ({ segment, block }: ClickPosition): readonly ReadText[] =>
    readings.getOrInsertComputed(block, () =>
      clickFields.map((dimension) => readText(readingOf(dimension, segment, block, names), indexOf)),
    );
  const times = new Float64Array(page.length);
  const links = new Uint32Array(page.length);
  const columns = clickFields.map(() => new Uint32Array(page.length));
  for (const [at, { day, click }] of page.entries()) {
    const { block, row, second } = click;
    times[at] = (day * secondsPerDay + second) * 1_000;
    links[at] = block.links()[block.link()[row] as number] as number;
    const ofBlock = readingsOf(click);
    for (let text = 0; text < columns.length; text += 1)
      (columns[text] as Uint32Array)[at] = (ofBlock[text] as ReadText)(click);
  }
  const valueIndexes = Object.fromEntries(clickFields.map((name, text) => [name, columns[text]]));
  return { times, links, valueIndexes: valueIndexes as Record<ClickField, Uint32Array>, values };
}

/** Returns the index of a click's value in a list of strings. */
type ReadText = (click: ClickPosition) => number;

function readText({ isOfProfiles, numbers, textOf }: Reading, indexOf: (text: string) => number): ReadText {
  const values = numbers();
  const known = new Map<number, number>();
  return ({ profile, row }) =>
    known.getOrInsertComputed(values[isOfProfiles ? profile : row] as number, (number) =>
      indexOf(textOf(number)),
    );
}
