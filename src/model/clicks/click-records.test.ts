import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createRandom, effort, type Random, withSeed } from '../../../test/support/random/random.ts';
import { createClickCollector, withOwners } from './click-collector.ts';
import { clickWords } from './click-dimensions.ts';
import { type ClickFacts, unknownFacts } from './click-facts.ts';
import { type AppliedClick, endOfClick, readClicks } from './click-records.ts';

const texts = ['', 'a', 'news.example', 'grüße 🚀', '\0', 'x'.repeat(253), '語'.repeat(100)];

function drawFacts(random: Random): ClickFacts {
  const small = (): number => random.below(256);
  const words = Object.fromEntries(clickWords.map((word) => [word, random.pick(texts)]));
  return {
    ...unknownFacts(random.below(4)),
    trigger: small(),
    country: random.below(677),
    browser: small(),
    os: small(),
    device: small(),
    language: small(),
    referrerKind: small(),
    visitor: random.pick([0, 1, 2 ** 32 - 1]),
    ...words,
  };
}

function drawClick(random: Random): AppliedClick {
  return {
    account: random.pick([1, 2 ** 32 - 1]),
    row: random.pick([1, 2 ** 32, 2 ** 48 - 1]),
    at: random.pick([0, 1_900_000_000_123, 2 ** 48 - 1]),
    ...drawFacts(random),
  };
}

/** Fails with only the first difference, because a full diff would have thousands of lines. */
function assertSame(read: readonly AppliedClick[], clicks: readonly AppliedClick[]): void {
  const at = clicks.findIndex((click, index) => !isDeepStrictEqual(read[index], click));
  if (at >= 0) assert.deepEqual(read[at], clicks[at], `click ${at} of ${clicks.length}`);
  assert.equal(read.length, clicks.length);
}

test('reads collected clicks in order, in pieces', async (t) => {
  const { count, seed } = effort(20);
  await withSeed(t, { count, seed }, async () => {
    const random = createRandom(seed);
    const collector = createClickCollector();
    for (let round = 0; round < count; round += 1) {
      const clicks = Array.from({ length: random.pick([0, 1, 40, 3_000]) }, () => drawClick(random));
      for (const { account, row, at, ...facts } of clicks) collector.add(account, row, at, facts);
      const pieces = collector.take();
      const read: AppliedClick[] = [];
      for (const piece of pieces) {
        const before = read.length;
        // Copies the bytes into a plain array, as a database returns them.
        readClicks({ ...piece, bytes: Uint8Array.from(piece.bytes) }, (click) => read.push({ ...click }));
        assert.equal(read.length - before, piece.clicks);
        assert.ok(piece.bytes.length <= 262_144);
      }
      assertSame(read, clicks);
    }
    assert.deepEqual(collector.take(), []);
  });
});

test('assigns owners to clicks later; drops clicks of unknown links', () => {
  const random = createRandom(1);
  const clicks = Array.from({ length: 500 }, (_, index) => ({ ...drawClick(random), row: index % 7 }));
  const early = createClickCollector();
  for (const { row, at, ...facts } of clicks) early.add(0, row, at, facts);
  const late = createClickCollector();
  const ownerOf = (row: number) => (row === 3 ? undefined : { account: 10 + row, row: 2 ** 40 + row });
  for (const piece of early.take()) withOwners(piece, ownerOf, late);
  const expected = clicks
    .filter(({ row }) => row !== 3)
    .map((click) => ({ ...click, ...ownerOf(click.row) }));
  const read: AppliedClick[] = [];
  for (const piece of late.take()) readClicks(piece, (click) => read.push({ ...click }));
  assertSame(read, expected);
});

test('stores most clicks in few bytes and truncates long values at the record limit', () => {
  const sizeOf = (facts: Partial<ClickFacts>): number => {
    const collector = createClickCollector();
    collector.add(1, 1, 1, { ...unknownFacts(0), ...facts });
    const [{ bytes } = { bytes: new Uint8Array(0) }] = collector.take();
    assert.equal(endOfClick(bytes, 10), bytes.length);
    return bytes.length;
  };
  assert.equal(sizeOf({}), 30);
  assert.equal(sizeOf({ referrer: 'google.com' }), 42);
  assert.equal(sizeOf({ rule: 'Phones' }), 39);
  assert.equal(sizeOf({ utmTerm: '語'.repeat(70_000) }), 30 + 2 + 3 * 512);
});

test('keeps only hour and class above its limit, and loses no click', () => {
  const collector = createClickCollector(2_000);
  const hour = 3_600_000;
  const counts = new Map<string, number>();
  for (let click = 0; click < 200_000; click += 1) {
    const [row, at, place] = [1 + (click % 3), 7 * hour + (click % 2) * hour + 5, click % 4];
    collector.add(row + 10, row, at, { ...unknownFacts(place), referrer: 'x.example' });
    const key = `${row + 10} ${row} ${7 + (click % 2)} ${place}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  let detailed = 0;
  for (const piece of collector.take()) {
    assert.ok(piece.clicks <= 65_536);
    let clicks = 0;
    readClicks(piece, ({ account, row, at, class: place, referrer }) => {
      const key = `${account} ${row} ${Math.floor(at / hour)} ${place}`;
      counts.set(key, (counts.get(key) ?? 0) - 1);
      if (referrer !== '') detailed += 1;
      clicks += 1;
    });
    assert.equal(clicks, piece.clicks);
  }
  assert.ok(detailed > 20 && detailed < 100);
  assert.deepEqual(new Set(counts.values()), new Set([0]));
  collector.add(1, 1, 1, { ...unknownFacts(0), referrer: 'x.example' });
  readClicks(collector.take()[0] ?? assert.fail(), ({ referrer }) => assert.equal(referrer, 'x.example'));
});

test('rejects an unknown layout', () => {
  assert.throws(() => readClicks({ layout: 3, clicks: 0, bytes: new Uint8Array(0) }, () => {}), /layout 3/);
});

test('skips values of unknown dimensions', () => {
  const owner = Buffer.from('0700000009000000' + '0000', 'hex');
  const click = Buffer.from('7b5e56eea101' + '0100520002050328' + '01286bee7f', 'hex');
  // Flags: the click has a referrer, and a value in a dimension that this version does not recognize.
  const follows = Buffer.from([0b1000_0010, (1 << clickWords.length) >>> 7]);
  const words = Buffer.from('0300612e62' + '0200797a', 'hex');
  const later = Buffer.concat([owner, click, follows, words]);
  const seen: string[] = [];
  const bytes = new Uint8Array(Buffer.concat([later, later]));
  readClicks({ layout: 4, clicks: 2, bytes }, ({ referrer }) => seen.push(referrer));
  assert.deepEqual(seen, ['a.b', 'a.b']);
  assert.equal(endOfClick(bytes, 10), later.length);
});
