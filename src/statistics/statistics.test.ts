import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, effort, type Random, withSeed } from '../../test/support/random/random.ts';
import { dayOf } from '../model/clicks/click-days.ts';
import { type Click, mergeSegments, readSegments, toDayClicks } from './columns/columns.fixtures.ts';
import type { DayClicks } from './columns/day-clicks.ts';
import { codedDimensions, combinedDimensions, msPerDay } from './columns/dimensions.ts';
import { encodeSegment, type SegmentFile } from './columns/encode.ts';
import { openSegment } from './columns/segment.ts';
import { indexDay } from './columns/sort.ts';
import { openLinkSums } from './link-sums.ts';
import type { Counts, Dimension, Filter, Names, TextDimension } from './query.ts';
import { bucketStarts, intervals } from './questions/buckets.ts';
import { answerPlainly, labelOf, type Question, type StoredClick, textOf } from './reference.fixtures.ts';
import { type DayPart, type RolledUpDay, rollUpDay } from './rollup.ts';
import { openRollup } from './rollup-file.ts';
import { createStatistics } from './statistics.ts';

/** Time zone and first day of each tested week. Most of the weeks contain a daylight saving change. */
const weeks = [
  ['Europe/Berlin', '2027-03-27'],
  ['Europe/Berlin', '2027-10-30'],
  ['America/New_York', '2027-03-13'],
  ['America/New_York', '2027-11-06'],
  ['Asia/Kathmandu', '2027-06-01'],
  ['Australia/Lord_Howe', '2027-04-02'],
  ['Australia/Lord_Howe', '2027-10-01'],
  ['Pacific/Chatham', '2027-04-02'],
  ['Pacific/Chatham', '2027-09-24'],
  ['UTC', '2027-12-30'],
  ['Pacific/Apia', '2011-12-29'],
] as const;

const names: Names = {
  codeName: (dimension, code) => (code === 0 ? '' : `${dimension}-${code}`),
  referrerKind: (host) => (host === '' ? '' : host.length % 2 === 0 ? 'search' : 'social'),
  folderOf: (link) => (link % 3 === 0 ? '' : `folder-${link % 3}`),
};

const texts = ['', 'a.example', 'bb.example', 'ümlaut.example', 'spring', 'mail', 'cpc', 'x,y:z', '日本'];
const textDimensions: readonly TextDimension[] = [
  ...codedDimensions,
  ...combinedDimensions,
  'region',
  'referrer',
  'referrerKind',
];
const dimensions: readonly Dimension[] = [...textDimensions, 'link', 'folder'];

/** Returns a click whose values come from small ranges, so that visitors overlap in many ways. */
function randomClick(random: Random, at: number): Click {
  const visitor = random.below(30);
  const isOdd = random.chance(1 / 10);
  const codes = Object.fromEntries(
    codedDimensions.map((dimension, place) => [
      dimension,
      dimension === 'class' || dimension === 'trigger' || isOdd
        ? random.below(3 + (place % 2))
        : (visitor * (place + 3)) % 5,
    ]),
  );
  const combined = Object.fromEntries(
    combinedDimensions.map((dimension) => [dimension, random.chance(1 / 3) ? random.below(9) : 0]),
  );
  const link = random.chance(1 / 4) ? 4_294_967_295 - random.below(40) : 1 + random.below(12);
  const more = {
    link,
    at,
    visitor: (visitor * 0x9e3779b1) >>> 0,
    region: random.chance(1 / 3) ? 0 : random.below(9),
    referrer: random.chance(1 / 2) ? 0 : random.below(9),
  };
  return { ...codes, ...combined, ...more } as unknown as Click;
}

interface Day {
  readonly day: number;
  readonly clicks: readonly StoredClick[];
  readonly files: readonly SegmentFile[];
  readonly rollup: RolledUpDay;
}

/** Returns a day's clicks in one or more segments: with hashes, sealed, or sealed and followed by late clicks. */
function randomDay(random: Random, day: number): Day {
  const stored: StoredClick[] = [];
  const files: SegmentFile[] = [];
  const rowsPerBlock = random.chance(1 / 2) ? 10 + random.below(60) : 30_000;
  const burst = random.below(msPerDay - 4_000);
  const add = (scope: number): SegmentFile => {
    // Some clicks share a second, so that only the order of counting decides which click was first.
    const clicks = Array.from({ length: 1 + random.below(120) }, () => {
      const into = random.chance(1 / 3) ? burst + random.below(4_000) : random.below(msPerDay);
      return randomClick(random, day * msPerDay + into);
    });
    stored.push(...clicks.map((click) => ({ click, scope, texts })));
    const packing = random.pick(['plain', 'quick', 'small', 'small'] as const);
    return encodeSegment(toDayClicks(clicks, texts), { keepsHashes: true, rowsPerBlock, packing });
  };
  files.push(...Array.from({ length: 1 + random.below(3) }, () => add(0)));
  const how = random.below(4);
  if (how === 0) return withRollup(random, day, stored, files);
  const keepsHashes = how === 1;
  const merged = mergeSegments(files, { keepsHashes, rowsPerBlock });
  if (how < 3) return withRollup(random, day, stored, [merged]);
  const late = [merged, add(1), add(1)];
  if (random.chance(1 / 2)) return withRollup(random, day, stored, late);
  return withRollup(random, day, stored, [mergeSegments(late, { keepsHashes, rowsPerBlock })]);
}

function partOf(clicks: DayClicks): DayPart {
  return { clicks, index: indexDay(clicks) };
}

function withRollup(random: Random, day: number, clicks: readonly StoredClick[], files: Day['files']): Day {
  // Sealed segments share no visitors with other segments.
  const [hashed, sealed] = [true, false].map((isHashed) =>
    files.filter((file) => (openSegment(file).hashes !== undefined) === isHashed),
  ) as [SegmentFile[], SegmentFile[]];
  const parts = [...(hashed.length > 0 ? [hashed] : []), ...sealed.map((file) => [file])].map((of) =>
    partOf(readSegments(of)),
  );
  return { day, clicks, files, rollup: rollUpDay(parts, random.pick([2, 1_000])) };
}

function drawFilter(random: Random, clicks: readonly StoredClick[]): Filter {
  const some = (): StoredClick => random.pick(clicks);
  if (random.chance(1 / 4)) {
    const links = new Set(Array.from({ length: 1 + random.below(4) }, () => some().click.link));
    if (random.chance(1 / 4)) for (let row = 1; row < 200; row += 2) links.add(row);
    return { dimension: 'link', operator: random.chance(1 / 3) ? 'is-not' : 'is', links };
  }
  if (random.chance(1 / 5))
    return { dimension: 'class', operator: 'is', values: [names.codeName('class', 0)] };
  const dimension = random.pick(textDimensions);
  const operator = random.pick(['is', 'is-not', 'contains'] as const);
  const values = Array.from({ length: 1 + random.below(3) }, () => textOf(dimension, some(), names));
  return {
    dimension,
    operator,
    values: operator === 'contains' ? values.map((text) => text.slice(-2).toUpperCase()) : values,
  };
}

function drawQuestion(random: Random, zone: string, days: readonly Day[]): Question {
  const [first, last] = [days[0]?.day ?? 0, (days.at(-1)?.day ?? 0) + 1];
  const moment = (): number => {
    const at = (first - 1) * msPerDay + random.below((last - first + 2) * msPerDay);
    const unit = random.pick([msPerDay, 900_000, 1_000, 1]);
    return Math.floor(at / unit) * unit;
  };
  const [a, b] = [moment(), moment()];
  const clicks = days.flatMap((day) => day.clicks);
  const [from, to] = [Math.min(a, b), Math.max(a, b) + 1_000];
  return {
    from,
    to,
    zone,
    // Minutes are used only for short ranges, because the number of minutes in a response is limited.
    interval: random.pick(to - from < msPerDay ? intervals : intervals.slice(1)),
    filters: Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => drawFilter(random, clicks)),
    groupBy: random.pick(dimensions),
  };
}

function check(days: readonly Day[], question: Question, usesRollups: boolean): void {
  const { zone, interval } = question;
  const buckets = bucketStarts(question.from, question.to, zone, interval);
  const statistics = createStatistics({ ...question, buckets }, names);
  for (const { day, files, rollup } of days) {
    const isAdded =
      usesRollups && statistics.addRollup(day, openRollup(rollup.sums), openLinkSums(rollup.linkSums));
    if (!isAdded) statistics.addDay(day, files);
  }
  const answer = statistics.answer();
  const expected = answerPlainly(
    days.flatMap(({ clicks }) => clicks),
    question,
    names,
  );

  const labels = [...buckets].map((start) => labelOf(start, zone, interval));
  assert.equal(new Set(labels).size, labels.length, 'a bucket occurs twice');
  assert.deepEqual(
    [...expected.series.keys()].filter((label) => !labels.includes(label)),
    [],
  );
  const nothing = { clicks: 0, visitors: 0, classes: [0, 0, 0, 0] };
  assert.deepEqual(
    answer.series,
    labels.map((label) => expected.series.get(label) ?? nothing),
  );

  const values = [...expected.values]
    .map(([value, { clicks, visitors }]) => ({ value, clicks, visitors }))
    .sort((x, y) => y.clicks - x.clicks || (x.value < y.value ? -1 : 1));
  assert.deepEqual(answer.breakdown(1_000).values, values);
  for (const value of values) {
    assert.deepEqual({ value: value.value, ...answer.countsOf(value.value) }, value);
  }
  const { values: few, other } = answer.breakdown(2);
  const sum = (of: readonly Counts[]): Counts => ({
    clicks: of.reduce((sum, { clicks }) => sum + clicks, 0),
    visitors: of.reduce((sum, { visitors }) => sum + visitors, 0),
  });
  const totals = sum([answer.totals]);
  assert.deepEqual(sum([...few, other]), totals);
  assert.deepEqual(sum(answer.series), totals);
}

test('returns the same as a plain reference for any query and clicks', async (t) => {
  const { count, seed } = effort(25);
  await withSeed(t, { count, seed }, async () => {
    const random = createRandom(seed);
    for (let round = 0; round < count; round += 1) {
      const [zone, date] = weeks[round % weeks.length] ?? weeks[0];
      const first = dayOf(Date.parse(date));
      const days = Array.from({ length: 1 + random.below(5) }, (_, at) => randomDay(random, first + at));
      for (let asked = 0; asked < 20; asked += 1)
        check(days, drawQuestion(random, zone, days), random.chance(1 / 2));
    }
  });
});

test('reads days from a version without rules, with no rule for their clicks', () => {
  // Three clicks on three links by two visitors, with five words each, and the roll-up of their day.
  const head = Buffer.from(
    'AQcgWAkAgAEAIAEBAwIBAwEDAAFSAAEBAQEBAQEBAQMBAgAAAAAAAAABARQBAwECAQQAAQFhCmIKbWFpbApuZXdzCnNwcmluZwECAAAAAAAA',
    'base64',
  );
  const block = Buffer.from('AQcMDBgZGRANAAICAIAAAAECAAAAAAAAAAAkAA==', 'base64');
  const rollup = Buffer.from(
    'ASIcig8TKCwoKCgoKDQ0PCgoJCRIHIoPEygsKCgoKCg0NDwoKCQkSAEDAAAAAQIb4QEApAECBAYUZJwV0sVxyFYAAQEAAAEBAwECMAEBAAACAQMBAjgyAQEAAAEBAwECMQEBAAABAQMBAjEBAQAAAQEDAQIxAQEAAAEBAwECMQEBAAABAQMBAjABAQAABAEDAQJuZXdzAQEAAAQBAwECbWFpbAEBAAAGAQMBAnNwcmluZwEBAAABAQMBAmEBAQAAAQEDAQJiAQEAAAABAwECAQEAAAABAwECAQMAAAUBAQEBAQEAATEKMgozAQMAAAABAhvhAQCkAQIEBhRknBXSxXHIVgABAQAAAQEDAQIwAQEAAAIBAwECODIBAQAAAQEDAQIxAQEAAAEBAwECMQEBAAABAQMBAjEBAQAAAQEDAQIxAQEAAAEBAwECMAEBAAAEAQMBAm5ld3MBAQAABAEDAQJtYWlsAQEAAAYBAwECc3ByaW5nAQEAAAEBAwECYQEBAAABAQMBAmIBAQAAAAEDAQIBAQAAAAEDAQIBAwAABQEBAQEBAQABMQoyCjM=',
    'base64',
  );
  const bytesOf = (buffer: Buffer) => new Uint8Array(buffer);
  const file = { head: bytesOf(head), blocks: [{ bytes: bytesOf(block) }] };
  const merged = mergeSegments([file], { keepsHashes: true });
  for (const [groupBy, value, clicks, visitors] of [
    ['rule', '', 3, 2],
    ['variant', '', 3, 2],
    ['utmContent', 'b', 3, 2],
    ['link', '1', 1, 1],
  ] as const) {
    const question = { from: 0, to: msPerDay, buckets: Float64Array.of(0), filters: [], groupBy };
    for (const one of [file, merged, bytesOf(rollup)]) {
      const statistics = createStatistics(question, names);
      // Compares only the sections that older roll-ups have.
      if (one instanceof Uint8Array)
        assert.equal(statistics.addRollup(0, openRollup(one)), groupBy !== 'link');
      else statistics.addDay(0, [one]);
      if (one instanceof Uint8Array && groupBy === 'link') continue;
      assert.deepEqual(statistics.answer().breakdown(10).values[0], { value, clicks, visitors }, groupBy);
    }
  }
});
