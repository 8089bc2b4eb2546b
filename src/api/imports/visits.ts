import { browsers, devices, systems } from '../../clicks/dimensions/agents.ts';
import type { ReadFacts } from '../../clicks/dimensions/facts.ts';
import type { Line } from '../../importers/format.ts';
import { dayOf } from '../../model/clicks/click-days.ts';
import type { ClickFacts } from '../../model/clicks/click-facts.ts';
import { clickLayout, mostClickBytes, ownerBytes, writeClick } from '../../model/clicks/click-records.ts';
import { indexOfClass } from '../../model/clicks/clicks.ts';
import { Failure } from '../../model/failures.ts';
import type { ImportedClicks } from '../../model/imports/imports.ts';
import { msPerHour } from '../../model/timestamps.ts';
import { languageTag } from './mend.ts';

type Visit = Extract<Line, { type: 'visit' }>;
type Bucket = Extract<Line, { type: 'bucket' }>;

/** Clicks of one line: each of them becomes a row of columns. */
const mostClicks = 1_000_000;
/** Years from 1970 on. */
const earliest = 0;
const longestWord = 50;

/** Gathers the clicks of some lines by their days, as records whose owners are written where links are known. */
export function createClickCollector(readFacts: ReadFacts, now: number) {
  const days = new Map<number, Day>();

  const add = ({ key, line }: Named, at: number, facts: ClickFacts, clicks: number): void => {
    const day = days.getOrInsertComputed(dayOf(at), newDay);
    if (day.length + ownerBytes + mostClickBytes > day.bytes.length)
      day.bytes = Buffer.concat([day.bytes], 2 * day.bytes.length + ownerBytes + mostClickBytes);
    day.owners.push(day.length, key, clicks, line);
    day.length = writeClick(day.bytes, day.length + ownerBytes, at, facts, clicks);
    day.clicks += clicks;
  };

  const factsOf = (visit: Visit): ClickFacts => {
    const facts = read(
      readFacts,
      visit.userAgent ?? '',
      visit.referrer ?? '',
      visit.country,
      languageTag(visit.language),
    );
    const { browser, os, device, bot = false, region = '', userAgent } = visit;
    // Of most sources nobody knows the user agent.
    const told = userAgent === undefined ? indexOfClass.human : facts.class;
    return {
      ...facts,
      class: bot && told === indexOfClass.human ? indexOfClass.bot : told,
      browser: facts.browser || placeIn(browsers, browser),
      os: facts.os || placeIn(systems, os),
      device: facts.device || placeIn(devices, device),
      region: region.slice(0, longestWord).toWellFormed(),
      imported: 'visit',
    };
  };

  return {
    /** @throws Failure VALIDATION_ERROR */
    visit(named: Named, visit: Visit): void {
      const { clicks = 1 } = visit;
      if (clicks > 0) add(named, momentIn(visit.at, now, clicks), factsOf(visit), clicks);
    },

    /** Nobody knows which of its words go together: each of them has its number, and that is all. @throws Failure VALIDATION_ERROR */
    bucket(named: Named, bucket: Bucket): void {
      const { unit, clicks } = bucket;
      const beginning = momentIn(bucket.at, now, clicks);
      // The hour of a click of which the day alone is known is the middle of the day.
      const at =
        unit === 'day'
          ? Math.floor(beginning / (24 * msPerHour)) * 24 * msPerHour + 12 * msPerHour
          : beginning;
      const moment = Math.max(earliest, Math.min(at, now));
      for (const [words, count] of partsOf(bucket)) {
        const { browser, os, device, country, referrer } = words;
        const facts = read(readFacts, '', referrer ?? '', country, undefined);
        const agent = {
          browser: placeIn(browsers, browser),
          os: placeIn(systems, os),
          device: placeIn(devices, device),
        };
        add(named, moment, { ...facts, ...agent, class: indexOfClass.human, imported: unit }, count);
      }
    },

    clicks(): ImportedClicks[] {
      return [...days].map(([day, { bytes, length, clicks, owners }]) => ({
        day,
        layout: clickLayout,
        clicks,
        bytes: new Uint8Array(bytes.subarray(0, length)),
        owners: Uint32Array.from(owners),
      }));
    },
  };
}

/** Whose clicks a line has. */
interface Named {
  /** Its place among the keys of the lines. */
  readonly key: number;
  /** Its place among the lines, from 0. */
  readonly line: number;
}

interface Day {
  bytes: Buffer;
  length: number;
  clicks: number;
  readonly owners: number[];
}

function newDay(): Day {
  return { bytes: Buffer.alloc(512), length: 0, clicks: 0, owners: [] };
}

/** @throws Failure VALIDATION_ERROR when it is none, or the line stands for too many clicks */
function momentIn(text: string, now: number, clicks: number): number {
  const at = Date.parse(text);
  if (clicks > mostClicks)
    throw new Failure('VALIDATION_ERROR', `A line must stand for at most ${mostClicks} clicks.`);
  if (Number.isNaN(at) || at < earliest || at > now)
    throw new Failure('VALIDATION_ERROR', 'Clicks must be between 1970 and now.');
  return at;
}

/** The referrer may be a host alone. Headers come as Node gives them, one unit for each byte. */
function read(
  readFacts: ReadFacts,
  agent: string,
  referrer: string,
  country = '',
  language = '',
): ClickFacts {
  const address = referrer === '' || referrer.includes('://') ? referrer : `https://${referrer}/`;
  return readFacts({
    agent,
    country,
    language,
    optsOut: true,
    prefetch: false,
    query: '',
    domain: '',
    address: '',
    referer: Buffer.from(address).toString('latin1'),
  });
}

function placeIn(words: readonly string[], word: string | undefined): number {
  if (word === undefined || word === '') return 0;
  const place = words.indexOf(word.toLowerCase());
  return place === -1 ? words.indexOf('other') : place;
}

const dimensions = ['country', 'referrer', 'browser', 'os', 'device'] as const;
type Words = { readonly [D in (typeof dimensions)[number]]?: string | undefined };

/** A sum cut into parts of which each has one word of every dimension, so that every word has its number. */
function partsOf({ clicks, by = {} }: Bucket): (readonly [Words, number])[] {
  const ends = new Set([clicks]);
  const lists = dimensions.map((name) => {
    let end = 0;
    return Object.entries(by[name] ?? {}).map(([word, count]) => {
      end = Math.min(clicks, end + count);
      ends.add(end);
      return { word, end };
    });
  });
  const places = lists.map(() => 0);
  let from = 0;
  const parts: (readonly [Words, number])[] = [];
  for (const end of [...ends].sort((a, b) => a - b)) {
    if (end <= from) continue;
    const words: Record<string, string | undefined> = {};
    for (const [at, list] of lists.entries()) {
      while ((list[places[at] as number]?.end ?? Number.POSITIVE_INFINITY) <= from)
        places[at] = (places[at] as number) + 1;
      words[dimensions[at] as string] = list[places[at] as number]?.word;
    }
    parts.push([words, end - from]);
    from = end;
  }
  return parts;
}
