import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkStatisticsResult } from '../../client/endpoints.ts';
import { widthOf } from '../terminal/print.ts';
import { drawColumns } from './columns.ts';
import { drawBar, printStatistics } from './stats-view.ts';

const day = 86_400_000;
const from = Date.UTC(2027, 2, 1);

function counts(clicks: number) {
  return { clicks, human: clicks, bot: 0, preview: 0, prefetch: 0, visitors: clicks };
}

function statisticsOf(
  clicks: readonly number[],
  more: Partial<LinkStatisticsResult> = {},
): LinkStatisticsResult {
  return {
    from: new Date(from).toISOString(),
    to: new Date(from + clicks.length * day).toISOString(),
    timezone: 'UTC',
    interval: 'day' as const,
    totals: counts(clicks.reduce((sum, one) => sum + one, 0)),
    series: clicks.map((one, at) => ({
      start: `${new Date(from + at * day).toISOString().slice(0, 19)}+00:00`,
      ...counts(one),
    })),
    ...more,
  };
}

function linesOf(statistics: LinkStatisticsResult, room: number, subject = 'All links'): string[] {
  const written: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  try {
    printStatistics(statistics, subject, room);
  } finally {
    process.stdout.write = write;
  }
  return written.join('').split('\n');
}

const breakdown = {
  dimension: 'referrer',
  values: [
    { value: 'google.com', clicks: 60, visitors: 50, before: { clicks: 30, visitors: 20 } },
    { value: 'a-long-host.with-many-labels.and-more-of-them.example.com', clicks: 30, visitors: 1 },
    { value: '日本語のとても長いホスト名がここにあります.example', clicks: 9, visitors: 9 },
    { value: '', clicks: 1, visitors: 1, before: { clicks: 2, visitors: 2 } },
  ],
  other: { clicks: 10, visitors: 3 },
};

test('prints no line wider than the terminal', () => {
  const long = Array.from({ length: 1_000 }, (_, at) => (at * 7_919) % 100_000);
  for (const room of [60, 80, 120, 200]) {
    for (const clicks of [long, long.slice(0, 31), [5], [0, 0]]) {
      const compare = { ...statisticsOf(clicks.toReversed()) };
      for (const more of [{}, { breakdown }, { breakdown, compare }]) {
        const lines = linesOf(statisticsOf(clicks, more), room);
        const widest = Math.max(...lines.slice(2).map(widthOf));
        assert.ok(widest <= room, `${widest} of ${room}:\n${lines.join('\n')}`);
      }
    }
  }
});

test('prints numbers, shares and changes next to the chart', () => {
  const compare = statisticsOf([50, 30]);
  const text = linesOf(statisticsOf([70, 40], { breakdown, compare }), 80).join('\n');
  assert.match(text, /1 Mar 2027 – 2 Mar 2027 \(UTC\), by day, compared to/);
  assert.match(text, /^ *110 +110 +110 +0 +0 +0$/m);
  assert.match(text, /\+38 %/, 'from 80 to 110');
  assert.match(text, /^google\.com +█+ +60 +55 % +50 +\+100 %$/m);
  assert.match(text, /^\(unknown\) +\S+ +1 +<1 % +1 +−50 %$/m);
  assert.match(text, /^\(other\) +█+\S* +10 +9 % +3$/m);
  assert.match(text, /Before: 80 clicks/);
});

test('escapes control sequences, and prints colors only to a terminal', () => {
  const evil = {
    dimension: 'link',
    values: [{ value: 'x', label: '\u001b[2Jcode\nnext', clicks: 1, visitors: 1 }],
  };
  const lines = linesOf(
    statisticsOf([1], { breakdown: { ...evil, other: { clicks: 0, visitors: 0 } } }),
    80,
    '\u001b]0;title\u0007link',
  );
  assert.ok(!lines.join('').includes('\u001b'));
  assert.ok(lines.some((line) => line.startsWith('code next')));
});

test('reports that there are no clicks', () => {
  const nothing = { dimension: 'country', values: [], other: { clicks: 0, visitors: 0 } };
  assert.ok(linesOf(statisticsOf([0, 0], { breakdown: nothing }), 80).includes('There were no clicks.'));
});

test('merges neighboring columns where space is short, loses nothing, and shows small values', () => {
  const values = Array.from({ length: 100 }, (_, at) => (at === 50 ? 10_000 : at % 2));
  const { groups, rows, max, step } = drawColumns(values, 30, 4);
  assert.deepEqual([groups.length, groups[0], groups.at(-1), step], [25, [0, 4], [96, 100], 1]);
  assert.equal(max, 10_002);
  assert.equal(rows.at(-1), `${'▁'.repeat(12)}█${'▁'.repeat(12)}`);
  assert.equal(rows[0]?.trim(), '█');
});

test('draws a bar in proportion to its share, and never empty for a positive value', () => {
  assert.equal(drawBar(10, 10, 4), '████');
  assert.equal(drawBar(5, 10, 3), '█▌');
  assert.equal(drawBar(1, 1_000_000, 10), '▏');
  assert.equal(drawBar(0, 10, 4), '');
});
