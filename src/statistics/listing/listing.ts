import type { ClickPlace, ClickText } from '../../model/clicks/raw-clicks.ts';
import { clickTexts } from '../../model/clicks/raw-clicks.ts';
import { secondsPerDay } from '../columns/dimensions.ts';
import type { Block, Segment } from '../columns/segment.ts';
import { startFilter } from '../filters.ts';
import type { Filter, Names } from '../query.ts';
import { isProfileDimension, type Reading, readingOf } from '../reading.ts';
import { type ClickFilters, type FoundClick, lastClicksOfDay } from './clicks-of-day.ts';
import { createKeys, sortClicks } from './order.ts';

export interface ListingQuery {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly filters: readonly Filter[];
  readonly behind?: ClickPlace | undefined;
  readonly limit: number;
}

/** Clicks in columns; links are their rows, as storage names them. */
export interface ListedClicks {
  readonly times: Float64Array;
  readonly links: Uint32Array;
  readonly textsOf: Readonly<Record<ClickText, Uint32Array>>;
  readonly texts: readonly string[];
  /** Set when there are more clicks than the limit. */
  readonly next?: ClickPlace | undefined;
}

/** Gathers a page of clicks, day by day, the last day first. */
export interface Listing {
  /** The day of the first click that the page may have, since the epoch. */
  readonly lastDay: number;
  readonly firstDay: number;
  /**
   * Adds the clicks of a UTC day.
   * @param segments all of the day
   * @returns whether that was all that the page takes
   */
  addDay(day: number, segments: readonly Segment[]): boolean;
  clicks(): ListedClicks;
}

interface OfDay {
  readonly day: number;
  readonly click: FoundClick;
}

export function createListing(query: ListingQuery, names: Names): Listing {
  const { filters, behind, limit } = query;
  const started = Map.groupBy(filters, ({ dimension }) => isProfileDimension(dimension));
  const passing: ClickFilters = {
    ofProfiles: (started.get(true) ?? []).map((filter) => startFilter(filter, names)),
    ofRows: (started.get(false) ?? []).map((filter) => startFilter(filter, names)),
  };
  const first = Math.ceil(query.from / 1_000);
  const last = Math.min(Math.ceil(query.to / 1_000) - 1, behind?.second ?? Number.POSITIVE_INFINITY);
  const keyOf = createKeys();
  // One more than the page has: so it is known whether there is more.
  const listed: OfDay[] = [];

  const isBehind = (second: number): ((click: FoundClick) => boolean) => {
    if (behind === undefined || behind.second !== second) return () => true;
    let equal = 0;
    return (click) => {
      const key = keyOf(click);
      if (key === behind.key) equal += 1;
      return key > behind.key || (key === behind.key && equal > behind.nth);
    };
  };

  return {
    firstDay: Math.floor(first / secondsPerDay),
    lastDay: Math.floor(last / secondsPerDay),
    addDay(day, segments) {
      const start = day * secondsPerDay;
      const [from, upto] = [Math.max(0, first - start), Math.min(secondsPerDay - 1, last - start)];
      if (from > upto) return false;
      const wanted = limit + 1 - listed.length;
      const found = lastClicksOfDay(segments, passing, { from, upto, wanted });
      const passes = isBehind(start + upto);
      for (const click of sortClicks(found, keyOf)) {
        if (click.second === upto && !passes(click)) continue;
        listed.push({ day, click });
        if (listed.length > limit) return true;
      }
      return false;
    },
    clicks() {
      const page = listed.slice(0, limit);
      const end = page.at(-1);
      return {
        ...columnsOf(page, names),
        ...(listed.length > limit && end !== undefined && { next: placeBehind(page, end) }),
      };
    },
  };

  function placeBehind(page: readonly OfDay[], { day, click }: OfDay): ClickPlace {
    const second = day * secondsPerDay + click.second;
    const key = keyOf(click);
    const isSame = (one: OfDay): boolean =>
      one.day === day && one.click.second === click.second && keyOf(one.click) === key;
    const others = page.findLastIndex((one) => !isSame(one));
    const before = behind?.second === second && behind.key === key ? behind.nth : 0;
    return { second, key, nth: before + page.length - 1 - others };
  }
}

/** The place before all clicks of the days before one. */
export function placeBefore(day: number): ClickPlace {
  return { second: day * secondsPerDay - 1, key: '', nth: 0 };
}

function columnsOf(page: readonly OfDay[], names: Names): Omit<ListedClicks, 'next'> {
  const readings = new Map<Block, readonly Reading[]>();
  const readingsOf = ({ segment, block }: FoundClick): readonly Reading[] => {
    let known = readings.get(block);
    if (known === undefined) {
      known = clickTexts.map((dimension) => readingOf(dimension, segment, block, names));
      readings.set(block, known);
    }
    return known;
  };
  const texts: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (text: string): number => {
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, texts.length);
    return texts.push(text) - 1;
  };
  const times = new Float64Array(page.length);
  const links = new Uint32Array(page.length);
  const textsOf = Object.fromEntries(
    clickTexts.map((dimension) => [dimension, new Uint32Array(page.length)]),
  ) as Record<ClickText, Uint32Array>;
  for (const [at, { day, click }] of page.entries()) {
    const { block, row, profile, second } = click;
    times[at] = (day * secondsPerDay + second) * 1_000;
    links[at] = block.links()[block.link()[row] as number] as number;
    for (const [place, { isOfProfiles, numbers, textOf }] of readingsOf(click).entries()) {
      const number = numbers()[isOfProfiles ? profile : row] as number;
      (textsOf[clickTexts[place] as ClickText] as Uint32Array)[at] = placeOf(textOf(number));
    }
  }
  return { times, links, textsOf, texts };
}
