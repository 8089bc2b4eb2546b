import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, effort, withSeed } from '../../test/support/random/random.ts';
import { type LinkColumns, openLinkSums, packLinkSums } from './link-sums.ts';
import type { Counts } from './query.ts';
import { rolledUpClicks } from './rollup-file.ts';

interface LinkCounts extends Readonly<Record<'all' | 'human', Counts>> {
  readonly row: number;
}

function columnsOf(links: readonly LinkCounts[]): LinkColumns {
  const column = (of: (link: LinkCounts) => number): Uint32Array<ArrayBuffer> => Uint32Array.from(links, of);
  const counts = (whose: 'all' | 'human') => ({
    clicks: column((link) => link[whose].clicks),
    visitors: column((link) => link[whose].visitors),
  });
  return { rows: column(({ row }) => row), all: counts('all'), human: counts('human') };
}

test('reads sums as written, in row order', async (t) => {
  const { count, seed } = effort(20);
  await withSeed(t, { count, seed }, async () => {
    const random = createRandom(seed);
    for (let round = 0; round < count; round += 1) {
      const rows = new Set(Array.from({ length: random.below(300) }, () => 1 + random.below(1_000)));
      if (random.chance(1 / 2)) rows.add(2 ** 32 - 1);
      const links = [...rows].map((row): LinkCounts => {
        const clicks = 1 + random.below(random.pick([3, 300, 2 ** 24]));
        const human = random.below(clicks + 1);
        return {
          row,
          all: { clicks, visitors: random.below(clicks + 1) },
          human: { clicks: human, visitors: random.below(human + 1) },
        };
      });
      const sums = openLinkSums(packLinkSums(columnsOf(links)));
      const sorted = links.toSorted((a, b) => a.row - b.row);
      assert.deepEqual(
        [...sums.rows],
        sorted.map(({ row }) => row),
      );
      for (const whose of rolledUpClicks) {
        const { clicks, visitors } = sums.of(whose);
        assert.deepEqual(
          [...clicks].map((of, at) => ({ clicks: of, visitors: visitors[at] })),
          sorted.map((link) => link[whose]),
        );
      }
    }
  });
});

test('rejects a damaged file', () => {
  const counts = { clicks: 3, visitors: 2 };
  const file = packLinkSums(columnsOf([{ row: 7, all: counts, human: counts }]));
  assert.throws(() => openLinkSums(file.subarray(0, -1)), RangeError);
});
