import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSums, flatten, sumsOfKnown } from './sums.ts';

// Rows that share a slot (they differ by multiples of 2³²), and enough other rows to make the table grow.
const row = fc.oneof(fc.nat(2_000), fc.constantFrom(7, 2 ** 32 + 7, 3 * 2 ** 32 + 7, 2 ** 52 + 7, 0));
const click = fc.tuple(row, fc.integer({ min: 1, max: 3 }), fc.nat(3), fc.constantFrom(1, 1, 2, -1));
const clicks = fc.oneof(
  fc.array(click, { maxLength: 40 }),
  fc.array(click, { minLength: 600, maxLength: 3_000, size: 'max' }),
);

test('returns the sums of the clicks, for any number', () => {
  fc.assert(
    fc.property(clicks, (list) => {
      const sums = createSums();
      assert.ok(sums.isEmpty());
      const model = new Map<number, Map<string, number>>();
      for (const [one, hour, classIndex, count] of list) {
        sums.add(one, hour, classIndex, count);
        const ofLink = model.get(one) ?? new Map<string, number>();
        model.set(
          one,
          ofLink.set(`${hour} ${classIndex}`, (ofLink.get(`${hour} ${classIndex}`) ?? 0) + count),
        );
      }
      assert.equal(sums.isEmpty(), list.length === 0);
      assert.deepEqual(sums.rows().toSorted(), [...model.keys()].toSorted());
      const all: string[] = [];
      for (const [key, ofLink] of model) {
        assert.equal(
          sums.total(key),
          [...ofLink.values()].reduce((sum, count) => sum + count),
        );
        const expected = [...ofLink].filter(([, count]) => count !== 0).map((pair) => pair.join(' '));
        const found: string[] = [];
        sums.of(key, (...sum) => found.push(sum.join(' ')));
        assert.deepEqual(found.toSorted(), expected.toSorted());
        all.push(...expected.map((one) => `${key} ${one}`));
      }
      const listed = [...sums.all()].map(({ row, hour, classIndex, count }) =>
        [row, hour, classIndex, count].join(' '),
      );
      assert.deepEqual(listed.toSorted(), all.toSorted());
      assert.ok(sums.count() >= all.length);
      assert.equal(sums.total(2 ** 50), 0);
    }),
    { numRuns: 200 },
  );
});

test('orders flat sums by row, without sums of zero', () => {
  const sums = createSums();
  for (const [one, count] of [
    [9, 1],
    [2 ** 40, 2],
    [3, 5],
    [9, 1],
    [4, 1],
    [4, -1],
  ] as const) {
    sums.add(one, 11, 2, count);
  }
  assert.deepEqual([...flatten(sums)], [3, 11, 2, 5, 9, 11, 2, 2, 2 ** 40, 11, 2, 2]);
  assert.equal(flatten(createSums()).length, 0);
});

test('identifies links by row, and counts clicks on unknown links', () => {
  const sums = createSums();
  for (const [place, hour, classIndex, count] of [
    [0, 11, 2, 3],
    [1, 11, 2, 5],
    [2, 12, 0, 1],
    [0, 12, 2, 4],
    [3, 13, 1, 2],
  ] as const)
    sums.add(place, hour, classIndex, count);
  const owners = [{ row: 9 }, undefined, { row: 3 }];
  const { known, unknown } = sumsOfKnown(sums, (place) => owners[place]);
  assert.deepEqual(
    [...known.all()].map(({ row, hour, classIndex, count }) => [row, hour, classIndex, count]),
    [
      [9, 11, 2, 3],
      [3, 12, 0, 1],
      [9, 12, 2, 4],
    ],
  );
  assert.equal(unknown, 7);
});
