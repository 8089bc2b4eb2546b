import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type Bucket, type Counts, changeOf, questionFor } from './answer.ts';
import { rowsOf, search } from './breakdown-rows.ts';
import { mainSource, movedMost, movedQuestions, sinceOf } from './changed.ts';
import {
  areaPath,
  barAt,
  barFor,
  chartOf,
  linePath,
  namedBuckets,
  stepPath,
  ticksFor,
} from './chart-model.ts';
import { addMonths, clockIn, daysIn, isDay, isZone } from './days.ts';
import { csvOf, jsonOf } from './export.ts';
import { filterText, flipped, readFilter, toggled } from './filters.ts';
import {
  minutesOf,
  minutesQuestion,
  monthQuestion,
  mostClickedQuestion,
  nearlyFull,
  todayQuestion,
} from './home.ts';
import {
  daysBeside,
  daysOf,
  intervalsFor,
  type Period,
  periodText,
  presets,
  queryRange,
  readComparison,
  readPeriod,
  shifted,
} from './ranges.ts';
import { classes, readState, withClass, withClassAlone, withState } from './state.ts';

const now = { day: '2026-11-22', time: '14:31:07' };
const period = (text: string): Period => {
  const read = readPeriod(text);
  assert.ok(read !== undefined, text);
  return read;
};
const read = (text: string, zone = 'Europe/Berlin') => readState(new URLSearchParams(text), zone);

test('days: handles months of any length and time zone changes', () => {
  assert.deepEqual(['2026-02-29', '2026-02-28', '2026-2-8', '', '2026-13-01'].map(isDay), [
    false,
    true,
    false,
    false,
    false,
  ]);
  assert.equal(addMonths('2026-03-31', -1), '2026-02-28');
  assert.equal(addMonths('2024-02-29', 12), '2025-02-28');
  // The clock is set back on this day: it has 25 hours, but counts as one day.
  assert.equal(daysIn('2026-10-25', '2026-10-26'), 2);
  const at = Date.parse('2026-10-25T23:30:00Z');
  assert.deepEqual(clockIn('Europe/Berlin', at), { day: '2026-10-26', time: '00:30:00' });
  assert.deepEqual(clockIn('America/Los_Angeles', at), { day: '2026-10-25', time: '16:30:00' });
  assert.deepEqual(['Europe/Berlin', 'Mars/Olympus', ''].map(isZone), [true, false, false]);
});

test('periods: presets by day, previous and next by the same length', () => {
  const days = (text: string) => daysOf(period(text), now);
  assert.deepEqual(days('30d'), { first: '2026-10-24', last: '2026-11-22' });
  assert.deepEqual(days('month'), { first: '2026-11-01', last: '2026-11-22' });
  assert.deepEqual(days('12m'), { first: '2025-12-01', last: '2026-11-22' });
  assert.deepEqual(daysOf(period('all'), now, '2024-05-17').first, '2024-05-17');
  const walk = (text: string, ...steps: number[]) =>
    steps.map((step) => periodText(shifted(period(text), step, now)));
  assert.deepEqual(walk('today', -1, 1), ['2026-11-21', 'today']);
  assert.deepEqual(walk('7d', -1), ['2026-11-09..2026-11-15']);
  assert.deepEqual(walk('2026-11-09..2026-11-15', 1, -1), ['7d', '2026-11-02..2026-11-08']);
  assert.deepEqual(walk('month', -1), ['2026-10-01..2026-10-31']);
  assert.deepEqual(walk('2026-10-01..2026-10-31', -1, 1), ['2026-09-01..2026-09-30', 'month']);
  assert.deepEqual(walk('12m', -1), ['2024-12-01..2025-11-30']);
  for (const preset of presets) assert.deepEqual(readPeriod(preset), { kind: 'preset', preset });
  assert.equal(readPeriod('2026-11-22..2026-11-01'), undefined);
});

test('comparison: the same length before, up to the same time of its last day', () => {
  const queryOf = (text: string, compare: string) =>
    queryRange(daysOf(period(text), now), readComparison(compare) ?? 'none', now);
  assert.deepEqual(queryOf('30d', 'previous'), {
    from: '2026-10-24',
    to: undefined,
    compare: '2026-09-24..2026-10-23T14:31:07',
  });
  assert.equal(queryOf('today', 'previous').compare, '2026-11-21..2026-11-21T14:31:07');
  assert.equal(queryOf('month', 'previous').compare, '2026-10-01..2026-10-22T14:31:07');
  assert.equal(queryOf('month', 'year').compare, '2025-11-01..2025-11-22T14:31:07');
  // February has ended, so it is compared with the whole of January.
  assert.deepEqual(queryOf('2026-02-01..2026-02-28', 'previous'), {
    from: '2026-02-01',
    to: '2026-03-01',
    compare: '2026-01-01..2026-02-01',
  });
  assert.equal(queryOf('2026-02-01..2026-02-28', '2024-02-01..2024-02-29').compare, '2024-02-01..2024-03-01');
  assert.equal(queryOf('30d', 'none').compare, undefined);
  assert.deepEqual(daysBeside({ first: '2024-02-29', last: '2024-02-29' }, 'year', now), {
    first: '2023-02-28',
    last: '2023-02-28',
  });
});

test('buckets: no more than a chart can show', () => {
  const of = (text: string) => intervalsFor(daysOf(period(text), now));
  assert.deepEqual(of('today'), ['hour']);
  assert.equal(of('7d')[0], 'day');
  assert.equal(of('30d')[0], 'day');
  assert.equal(of('12m')[0], 'month');
  assert.equal(of('2020-01-01..2026-11-22')[0], 'month');
  // An interval that does not suit the range is ignored, but applies again once the range suits it.
  assert.equal(questionFor(read('interval=hour'), daysOf(period('30d'), now), now).interval, 'day');
  assert.equal(questionFor(read('interval=week'), daysOf(period('30d'), now), now).interval, 'week');
});

test('URL: reads and writes the state, omits defaults, ignores invalid values', () => {
  const query =
    'period=7d&compare=year&interval=hour&zone=Asia%2FTokyo&class=human%2Cbot&metric=visitors&by=utmSource&table=1&filter=device%3Ais%3Amobile&filter=utmSource%3Ais-not%3Aa%252Cb%2C';
  const state = read(query);
  assert.deepEqual(state.filters, [
    { dimension: 'device', operator: 'is', values: ['mobile'] },
    { dimension: 'utmSource', operator: 'is-not', values: ['a,b', ''] },
  ]);
  assert.equal(
    withState(new URLSearchParams('link=x'), state, 'Europe/Berlin').toString(),
    `link=x&${query}`,
  );
  assert.equal(withState(new URLSearchParams(query), read(''), 'Europe/Berlin').toString(), '');
  const odd = read('period=never&compare=1&class=cats&zone=Mars&metric=?&by=x,os&filter=a&filter=device:is');
  assert.deepEqual(odd, { ...read(''), by: ['os'] });
  const only = withClassAlone(read(''), 'bot');
  assert.deepEqual(only.classes, ['bot']);
  assert.deepEqual(withClassAlone(only, 'bot').classes, classes);
  assert.equal(withClass(only, 'bot'), only, 'the last class stays selected');
  assert.deepEqual(withClass(only, 'human').classes, ['human', 'bot']);
});

test('filters: a click selects a value, a second click removes it; "is not" collects values', () => {
  const is = toggled([], 'country', 'is', 'DE');
  assert.deepEqual(is.map(filterText), ['country:is:DE']);
  assert.deepEqual(toggled(is, 'country', 'is', 'AT').map(filterText), ['country:is:AT']);
  assert.deepEqual(toggled(is, 'country', 'is', 'DE'), []);
  const not = toggled(toggled(is, 'country', 'is-not', ''), 'country', 'is-not', 'US');
  assert.deepEqual(not.map(filterText), ['country:is-not:,US']);
  assert.deepEqual(toggled(not, 'os', 'is', 'ios').map(filterText), ['country:is-not:,US', 'os:is:ios']);
  assert.deepEqual(not.map(flipped).map(filterText), ['country:is:,US']);
  for (const text of ['referrer:contains:a%3Ab%2Cc', 'link:is:0198c5a0', 'utmTerm:is:100%25'])
    assert.equal(filterText(readFilter(text) as never), text);
  for (const text of ['cats:is:1', 'country:was:DE', 'country:is', 'country:is:a:b'])
    assert.equal(readFilter(text), undefined, text);
});

const zero: Counts = { clicks: 0, human: 0, bot: 0, preview: 0, prefetch: 0, visitors: 0 };
const bucket = (start: string, human: number, bot = 0): Bucket => ({
  ...zero,
  start,
  human,
  bot,
  clicks: human + bot,
  visitors: human,
});
const answer: Answer = {
  from: '2026-11-20T23:00:00.000Z',
  to: '2026-11-22T13:31:07.000Z',
  interval: 'day',
  totals: { ...zero, clicks: 45, human: 40, bot: 5, visitors: 40 },
  series: [bucket('2026-11-21T00:00:00+01:00', 30, 5), bucket('2026-11-22T00:00:00+01:00', 10)],
  compare: {
    from: '',
    to: '',
    totals: { ...zero, clicks: 50 },
    series: [bucket('2026-11-19T00:00:00+01:00', 50)],
  },
  breakdown: {
    dimension: 'country',
    values: [
      { value: 'DE', clicks: 30, visitors: 20, before: { clicks: 40, visitors: 40 } },
      { value: '', label: '=1+1,"x"', clicks: 15, visitors: 20, before: { clicks: 0, visitors: 0 } },
    ],
    other: { clicks: 0, visitors: 0 },
  },
};

test('chart: stacks in order, marks the open bucket, and shows the previous range', () => {
  const at = Date.parse(answer.to);
  const { bars, ticks, top, isArea, isEmpty } = chartOf(answer, 'clicks', ['human', 'bot'], at + 1000);
  assert.deepEqual([ticks, top, isArea, isEmpty], [[0, 20, 40, 60], 60, false, false]);
  assert.deepEqual(bars[0]?.parts, [
    { name: 'human', from: 0, to: 0.5, value: 30 },
    { name: 'bot', from: 0.5, to: 35 / 60, value: 5 },
  ]);
  assert.deepEqual(
    bars.map(({ isOpen }) => isOpen),
    [false, true],
  );
  assert.deepEqual([bars[0]?.before?.total, bars[1]?.before], [50, undefined]);
  assert.ok(!chartOf(answer, 'clicks', classes, at + 86_400_000).bars[1]?.isOpen);
  assert.deepEqual(
    chartOf(answer, 'visitors', classes, at).bars[0]?.parts.map(({ name }) => name),
    ['visitors'],
  );
  assert.equal(stepPath([50, 0], 60, 100, 60), 'M0 10H50V60H100');
  assert.equal(linePath([50, 0], 60, 100, 60), 'M25 10L75 60');
  assert.equal(areaPath(bars, 0, 100, 60), 'M25 30L75 50L75 60L25 60Z');
});

test('ticks are round integers up to the largest value', () => {
  for (const largest of [0, 1, 3, 4, 5, 7, 9, 17, 99, 100, 101, 1_117, 9_648, 123_456, 4_108_227]) {
    const ticks = ticksFor(largest);
    assert.ok((ticks.at(-1) ?? 0) >= Math.max(1, largest), `${largest}: ${ticks}`);
    assert.ok(ticks.length >= 2 && ticks.length <= 6, `${largest}: ${ticks}`);
    assert.ok(ticks.every(Number.isInteger), `${largest}: ${ticks}`);
  }
  assert.deepEqual(ticksFor(1_117), [0, 300, 600, 900, 1_200]);
  for (const [count, room] of [
    [30, 6],
    [24, 8],
    [12, 12],
    [500, 5],
    [2, 4],
  ] as const) {
    const named = namedBuckets(count, room);
    assert.ok(named.length <= room + 1 && named[0] === 0 && named.at(-1) === count - 1, `${named}`);
  }
});

test('finds a bar by keyboard and pointer', () => {
  assert.deepEqual(
    (['ArrowLeft', 'ArrowRight', 'Home', 'End', 'x'] as const).map((key) => barFor(key, undefined, 30)),
    [29, 0, 0, 29, undefined],
  );
  assert.deepEqual([barFor('ArrowLeft', 0, 30), barFor('ArrowRight', 29, 30)], [0, 29]);
  assert.deepEqual(
    [-0.1, 0, 0.5, 1].map((share) => barAt(share, 30)),
    [0, 0, 15, 29],
  );
});

test('breakdowns: scale bars to the largest value, show changes, search without accents', () => {
  const labels = { DE: 'Österreich' } as Readonly<Record<string, string>>;
  const rows = rowsOf(answer, 'country', 'clicks', (_, { value }) => labels[value] ?? 'Unknown');
  assert.deepEqual(
    rows.map(({ label, count, share, change }) => [label, count, share, change]),
    [
      ['Österreich', 30, 1, -0.25],
      ['Unknown', 15, 0.5, 'new'],
    ],
  );
  const first = { ...answer, compare: { from: '', to: '', series: [], totals: zero } };
  assert.equal(rowsOf(first, 'country', 'clicks', () => '')[1]?.change, undefined, 'all would be new');
  assert.deepEqual(
    search(rows, 'osterr').map(({ value }) => value),
    ['DE'],
  );
  assert.equal(changeOf(3, 0), undefined);
});

test('export: writes the visible data without spreadsheet formulas', () => {
  const question = questionFor(
    read('class=human&filter=os:is:ios'),
    { first: '2026-11-21', last: '2026-11-22' },
    now,
    {
      groupBy: 'country',
    },
  );
  assert.deepEqual(question, {
    from: '2026-11-21',
    timezone: 'Europe/Berlin',
    interval: 'hour',
    class: ['human'],
    filter: ['os:is:ios'],
    compare: '2026-11-19..2026-11-20T14:31:07',
    groupBy: 'country',
    limit: 250,
  });
  const seen = { question, main: answer, breakdowns: [{ dimension: 'country', answer }] } as const;
  const lines = csvOf(seen).trimEnd().split('\r\n');
  assert.equal(lines.length, 5);
  assert.equal(lines[1], 'series,start,2026-11-21T00:00:00+01:00,35,30,5,0,0,30,50,50');
  assert.equal(lines[4], `breakdown,country,"'=1+1,""x""",15,,,,,20,0,0`);
  assert.deepEqual(JSON.parse(jsonOf(seen)).breakdowns.country, answer.breakdown);
});

test('home: compares today with the same weekday until this time, and updates the last 60 minutes', () => {
  assert.deepEqual(todayQuestion('UTC', now), {
    from: '2026-11-22',
    timezone: 'UTC',
    interval: 'hour',
    compare: '2026-11-15..2026-11-15T14:31:07',
  });
  assert.equal(monthQuestion('UTC', now).compare, '2026-09-24..2026-10-23T14:31:07');
  assert.deepEqual(mostClickedQuestion('UTC', now).groupBy, 'link');
  const at = Date.parse('2026-11-22T13:31:07Z');
  assert.equal(minutesQuestion(at).from, '2026-11-22T12:32:00.000Z');
  const series = ['12:32', '13:30', '13:31'].map((clock, clicks) => ({
    ...(answer.series[0] as Bucket),
    start: `2026-11-22T${clock}:00+00:00`,
    clicks,
  }));
  const minutes = minutesOf({ series }, at);
  assert.deepEqual(
    [minutes.length, minutes[0]?.clicks, minutes[58]?.clicks, minutes[59]?.clicks],
    [60, 0, 1, 2],
  );
  const later = minutesOf({ series }, at + 60_000);
  assert.deepEqual([later.length, later[57]?.clicks, later[58]?.clicks, later[59]?.clicks], [60, 1, 2, 0]);
  assert.deepEqual(
    [
      [0, null],
      [89, 100],
      [90, 100],
      [0, 0],
    ].map(([used, most]) => nearlyFull(used as number, most as number | null)),
    [undefined, undefined, 0.9, 1],
  );
});

test('home: shows only links that rose or fell significantly, with their main source', () => {
  const hour = 3_600_000;
  const now = Date.parse('2026-11-22T12:00:00Z');
  const [asked, then] = movedQuestions(sinceOf(now - 20 * hour, now));
  assert.equal(asked.from, '2026-11-21T16:00:00.000Z');
  assert.equal(asked.compare, '2026-11-14T16:00:00.000Z..2026-11-15T12:00:00.000Z');
  assert.deepEqual([then.from, then.to], asked.compare?.split('..'));
  const [long] = movedQuestions(sinceOf(now - 240 * hour, now));
  assert.equal(long.compare, '2026-11-02T12:00:00.000Z..2026-11-12T12:00:00.000Z');

  const value = (name: string, clicks: number, before: number) => ({
    value: name,
    label: name,
    clicks,
    visitors: clicks,
    before: { clicks: before, visitors: before },
  });
  const breakdown = (values: readonly ReturnType<typeof value>[], other = 0) => ({
    dimension: 'link',
    values,
    other: { clicks: other, visitors: other },
  });
  const compare = { from: '', to: '', series: [], totals: { ...zero, clicks: 500 } };
  const values = [value('steady', 210, 200), value('up', 52, 14), value('few', 4, 0), value('down', 30, 90)];
  const before = { breakdown: breakdown([value('gone', 40, 0), value('steady', 200, 0)]) };
  const names = (moved: readonly { code: string }[]) => moved.map(({ code }) => code);
  const moved = movedMost({ breakdown: breakdown(values), compare }, before, 2);
  assert.deepEqual([names(moved.rose), names(moved.fell)], [['up'], ['gone', 'down']]);
  const unsure = movedMost({ breakdown: breakdown(values, 1), compare }, before, 2);
  assert.deepEqual(names(unsure.fell), ['down'], 'a link that is not listed may have clicks');
  const first = movedMost({ breakdown: breakdown(values), compare: { ...compare, totals: zero } }, before, 2);
  assert.deepEqual(first, { rose: [], fell: [] }, 'in the first week, all values would have risen');

  const sources = { breakdown: breakdown([value('a.example', 40, 9), value('', 12, 5)]) };
  assert.deepEqual(mainSource(sources, { clicks: 52, before: 14 }), { value: 'a.example', change: 31 });
  assert.equal(
    mainSource(sources, { clicks: 90, before: 14 }),
    undefined,
    'no source caused half of the change',
  );
  const lost = { breakdown: breakdown([value('b.example', 60, 3), value('a.example', 2, 9)]) };
  assert.deepEqual(mainSource(lost, { clicks: 12, before: 62 }), { value: 'b.example', change: -57 });
});
