import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, effort, type Random, withSeed } from '../../../test/support/random/random.ts';
import { capWords } from './cap-words.ts';
import { mergeSegments, readSegments } from './columns.fixtures.ts';
import { allocateDayClicks, type DayClicks, noVisitor } from './day-clicks.ts';
import { codedDimensions, combinedDimensions, secondsPerDay } from './dimensions.ts';
import { encodeSegment, type SegmentFile } from './encode.ts';
import { openSegment } from './segment.ts';
import { indexDay } from './sort.ts';

const words = ['', 'a.example', 'ümlaut.example', 'spring', 'x'.repeat(300)];

function drawDay(random: Random, length: number): DayClicks {
  const clicks = allocateDayClicks(length, words);
  const widths = Object.fromEntries(codedDimensions.map((name) => [name, random.pick([1, 3, 200])]));
  for (let at = 0; at < length; at += 1) {
    clicks.link[at] = random.pick([random.below(50), random.below(2 ** 32)]);
    clicks.second[at] = random.pick([random.below(secondsPerDay), 5, secondsPerDay - 1]);
    clicks.visitor[at] = random.pick([random.below(20), random.below(2 ** 32)]);
    clicks.region[at] = random.below(words.length);
    clicks.referrer[at] = random.below(words.length);
    for (const name of codedDimensions) clicks.codes[name][at] = random.below(widths[name] ?? 1);
    for (const name of combinedDimensions) clicks.combined[name][at] = random.below(words.length);
  }
  clicks.codes.country[0] = 65_535;
  return clicks;
}

/** Returns a sorted list with one line per click, without the visitors. */
function linesOf(clicks: DayClicks): readonly string[] {
  const order = Array.from({ length: clicks.length }, (_, at) => at).sort(
    (a, b) => (clicks.second[a] ?? 0) - (clicks.second[b] ?? 0),
  );
  const text = (place: number | undefined): string => clicks.words[place ?? 0] ?? '';
  return order
    .map((at) =>
      [
        clicks.second[at],
        clicks.link[at],
        text(clicks.region[at]),
        text(clicks.referrer[at]),
        ...codedDimensions.map((name) => clicks.codes[name][at]),
        ...combinedDimensions.map((name) => text(clicks.combined[name][at])),
      ].join(),
    )
    .sort();
}

/** Returns a string per visitor with the second, link and class of each click, in order. */
function visitsOf(clicks: DayClicks): readonly string[] {
  const visits = new Map<number, string[]>();
  const order = Array.from({ length: clicks.length }, (_, at) => at).sort(
    (a, b) => (clicks.second[a] ?? 0) - (clicks.second[b] ?? 0),
  );
  for (const at of order) {
    const visitor = clicks.visitor[at] ?? 0;
    if (visitor === noVisitor) continue;
    const of = visits.get(visitor) ?? [];
    visits.set(visitor, of);
    of.push(`${clicks.second[at]}/${clicks.link[at]}/${clicks.codes.class[at]}`);
  }
  return [...visits.values()].map((of) => of.join(' ')).sort();
}

test("decodes everything in a segment except the visitors' identities", async (t) => {
  const { count, seed } = effort(40);
  await withSeed(t, { count, seed }, async () => {
    const random = createRandom(seed);
    for (let round = 0; round < count; round += 1) {
      const clicks = drawDay(random, 1 + random.below(random.pick([3, 60, 2_000])));
      const rowsPerBlock = random.pick([20, 300, 32_768]);
      for (const keepsHashes of [true, false]) {
        const file = encodeSegment(clicks, { keepsHashes, rowsPerBlock });
        const read = readSegments([file]);
        assert.deepEqual(linesOf(read), linesOf(clicks));
        assert.deepEqual(visitsOf(read), visitsOf(clicks));
        assert.equal(openSegment(file).hashes === undefined, !keepsHashes);
      }
      const parts = [clicks, drawDay(random, 50)].map((part) => encodeSegment(part, { keepsHashes: true }));
      const whole = readSegments([mergeSegments(parts, { keepsHashes: false, rowsPerBlock })]);
      assert.deepEqual(visitsOf(whole), visitsOf(readSegments(parts)));
      assert.deepEqual(linesOf(whole), linesOf(readSegments(parts)));
    }
  });
});

test('keeps the values with the most clicks when there are too many', () => {
  const many = ['', ...Array.from({ length: 60_000 }, (_, at) => `word-${at}`)];
  const clicks = allocateDayClicks(60_300, many);
  for (let click = 0; click < clicks.length; click += 1) {
    // One link has many made-up values, the other has only a few values.
    clicks.link[click] = click < 60_000 ? 1 : 2;
    clicks.referrer[click] = click < 60_000 ? click : 1 + (click % 3);
    clicks.combined.utmTerm[click] = click < 60_000 ? click % 500 : 7;
  }
  for (let click = 0; click < 500; click += 1) clicks.referrer[click] = 42;
  const capped = capWords(clicks, indexDay(clicks), 100);
  const wordsOf = (column: Uint32Array, link: number) =>
    Map.groupBy(
      [...column].filter((_, click) => capped.link[click] === link),
      (place) => capped.words[place],
    );
  const created = wordsOf(capped.referrer, 1);
  assert.equal(created.size, 101);
  assert.equal(created.get('word-41')?.length, 500);
  assert.equal(created.get('other')?.length, 60_000 - 500 - 99);
  assert.deepEqual([...wordsOf(capped.referrer, 2).keys()].sort(), ['word-0', 'word-1', 'word-2']);
  assert.equal(wordsOf(capped.combined.utmTerm, 1).size, 102, 'a hundred, unknown and other');
  assert.equal(encodeSegment(capped, { keepsHashes: false }).blocks.length > 0, true);
});

test('does not depend on the hashes in a sealed segment', () => {
  const clicks = drawDay(createRandom(7), 3_000);
  const others = {
    ...clicks,
    visitor: clicks.visitor.map((hash) => hash && Math.imul(hash, 0x9e3779b1)),
  };
  const seal = (day: DayClicks): SegmentFile => encodeSegment(day, { keepsHashes: false });
  assert.deepEqual(seal(others), seal(clicks));
  assert.notDeepEqual(
    encodeSegment(others, { keepsHashes: true }),
    encodeSegment(clicks, { keepsHashes: true }),
  );
});

test('cannot keep hashes that are gone', () => {
  const clicks = drawDay(createRandom(8), 10);
  const sealed = encodeSegment(clicks, { keepsHashes: false });
  assert.throws(() => mergeSegments([sealed], { keepsHashes: true }), RangeError);
  assert.throws(() => encodeSegment(allocateDayClicks(0, words), { keepsHashes: false }), RangeError);
});

test('rejects a truncated file and a later version', () => {
  const { head, blocks } = encodeSegment(drawDay(createRandom(9), 500), { keepsHashes: false });
  for (const length of [0, 1, 5, 40, head.length - 1]) {
    assert.throws(() => openSegment({ head: head.slice(0, length), blocks }), RangeError);
  }
  const later = head.slice();
  later[0] = 2;
  assert.throws(() => openSegment({ head: later, blocks }), /version 2/);
  const absent = openSegment({ head, blocks: [] });
  assert.throws(() => absent.blocks[0]?.links(), RangeError);
});
