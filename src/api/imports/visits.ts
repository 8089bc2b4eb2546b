import { browsers, devices, systems } from '../../clicks/dimensions/agents.ts';
import type { ReadFacts } from '../../clicks/dimensions/facts.ts';
import type { Line } from '../../importers/format.ts';
import { dayOf } from '../../model/clicks/click-days.ts';
import type { ClickFacts } from '../../model/clicks/click-facts.ts';
import { clickLayout, maxClickBytes, ownerBytes, writeClick } from '../../model/clicks/click-records.ts';
import { indexOfClass } from '../../model/clicks/clicks.ts';
import { Failure } from '../../model/failures.ts';
import type { ImportedClicks } from '../../model/imports/imports.ts';
import { msPerHour } from '../../model/timestamps.ts';
import { languageTag } from './mend.ts';

type Visit = Extract<Line, { type: 'visit' }>;
type Bucket = Extract<Line, { type: 'bucket' }>;

/** Maximum number of clicks per line. Each click is stored as a separate row. */
const maxClicksPerLine = 1_000_000;
/** Earliest accepted time, in milliseconds since the epoch. */
const minTime = 0;
const maxValueLength = 50;

/**
 * Creates a collector that groups imported clicks by day. The clicks refer to links by import key, because the links
 * may not be stored yet.
 */
export function createClickCollector(readFacts: ReadFacts, now: number) {
  const days = new Map<number, Day>();

  const add = ({ key, line }: Named, at: number, facts: ClickFacts, clicks: number): void => {
    const day = days.getOrInsertComputed(dayOf(at), newDay);
    if (day.length + ownerBytes + maxClickBytes > day.bytes.length)
      day.bytes = Buffer.concat([day.bytes], 2 * day.bytes.length + ownerBytes + maxClickBytes);
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
    // Counts a click without a user agent as human, because most sources do not record the user agent.
    const agentClass = userAgent === undefined ? indexOfClass.human : facts.class;
    return {
      ...facts,
      class: bot && agentClass === indexOfClass.human ? indexOfClass.bot : agentClass,
      browser: facts.browser || placeIn(browsers, browser),
      os: facts.os || placeIn(systems, os),
      device: facts.device || placeIn(devices, device),
      region: region.slice(0, maxValueLength).toWellFormed(),
      imported: 'visit',
    };
  };

  return {
    /** Adds a visit. @throws Failure VALIDATION_ERROR */
    visit(named: Named, visit: Visit): void {
      const { clicks = 1 } = visit;
      if (clicks > 0) add(named, momentIn(visit.at, now, clicks), factsOf(visit), clicks);
    },

    /**
     * Adds an aggregate. An aggregate does not show which values occurred together, so only the count of each value is
     * exact.
     * @throws Failure VALIDATION_ERROR
     */
    bucket(named: Named, bucket: Bucket): void {
      const { unit, clicks } = bucket;
      const beginning = momentIn(bucket.at, now, clicks);
      // Dates the clicks in a daily aggregate to noon UTC.
      const at =
        unit === 'day'
          ? Math.floor(beginning / (24 * msPerHour)) * 24 * msPerHour + 12 * msPerHour
          : beginning;
      const moment = Math.max(minTime, Math.min(at, now));
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

/** Identifies the link that was clicked, and the line with the clicks. */
interface Named {
  /** Index among the batch's keys. */
  readonly key: number;
  /** Index among the batch's lines. */
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

/**
 * Parses a line's time.
 * @throws Failure VALIDATION_ERROR if the time is invalid or the line has too many clicks
 */
function momentIn(text: string, now: number, clicks: number): number {
  const at = Date.parse(text);
  if (clicks > maxClicksPerLine)
    throw new Failure('VALIDATION_ERROR', `A line must contain at most ${maxClicksPerLine} clicks.`);
  if (Number.isNaN(at) || at < minTime || at > now)
    throw new Failure('VALIDATION_ERROR', 'Click times must be between 1970 and now.');
  return at;
}

/**
 * Derives click facts from an imported visit. The referrer may be a URL or only a host. It is encoded as Node encodes
 * headers, with one UTF-16 unit per byte.
 */
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

/** Splits an aggregate into parts with one value per dimension, so that the count of each value stays exact. */
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
