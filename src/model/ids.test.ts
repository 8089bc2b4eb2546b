import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createRandom, randomBytesFrom, runs, seed } from '../../test/support/random/random.ts';
import { createIds, isId } from './ids.ts';

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Generates IDs, and fails at the first ID that is not greater than the previous one. */
function drawIncreasing(next: () => string, count: number): string {
  let last = '';
  for (let n = 0; n < count; n += 1) {
    const id = next();
    if (!(id > last) || !uuidV7.test(id)) assert.fail(`draw ${n}: ${id} after ${last}, seed ${seed}`);
    last = id;
  }
  return last;
}

describe('ids', () => {
  const start = Date.parse('2027-01-31T09:00:00Z');

  test('creates UUIDs of version 7 that contain the time', () => {
    const id = createIds(() => start, randomBytesFrom())();
    assert.match(id, uuidV7);
    assert.equal(timeOf(id), start);
  });

  test('strictly increases for 100,000 IDs while the clock jumps back, forward, and stands still', () => {
    const random = createRandom(seed);
    let now = start;
    const clock = (): number => {
      const dice = random.next();
      if (dice < 0.05) now -= Math.floor(random.next() * 3_600_000);
      else if (dice < 0.1) now += Math.floor(random.next() * 3_600_000);
      else if (dice < 0.3) now += 1;
      return now;
    };
    drawIncreasing(createIds(clock, randomBytesFrom(random)), 100_000);
  });

  test('increases under any clock and any randomness', () => {
    const clock = fc.array(
      fc.oneof(fc.constant(start), fc.nat(2 ** 47), fc.integer({ min: start, max: start + 3 })),
      {
        minLength: 2,
        maxLength: 100,
      },
    );
    const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(clock, fc.array(bytes, { minLength: 1, maxLength: 20 }), (times, drawn) => {
        let time = 0;
        let draw = 0;
        const next = createIds(
          () => times[time++ % times.length] ?? 0,
          () => drawn[draw++ % drawn.length] ?? new Uint8Array(10),
        );
        drawIncreasing(next, times.length);
      }),
      runs(500),
    );
  });

  test('never wraps while the clock stands still: the counter starts in the lower half of its range', () => {
    const highest = createIds(
      () => start,
      (size) => new Uint8Array(size).fill(0xff),
    );
    const last = drawIncreasing(highest, 100_000);
    assert.equal(timeOf(last), start);
    // The first bit of the counter, which follows the version, is 0.
    assert.match(
      createIds(
        () => start,
        (size) => new Uint8Array(size).fill(0xff),
      )(),
      /^.{14}7[0-7]/,
    );
  });

  test('has a random node part, so IDs of two processes differ', () => {
    const made = new Set<string>();
    for (let process = 0; process < 1_000; process += 1) {
      made.add(createIds(() => start, randomBytesFrom(createRandom(seed + process)))());
    }
    assert.equal(made.size, 1_000);
  });

  test('isId accepts the format in either case and nothing else', () => {
    const id = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
    assert.ok(isId(id));
    assert.ok(isId(id.toUpperCase()));
    const others = [
      '',
      'none',
      `${id}\n`,
      ` ${id}`,
      `{${id}}`,
      id.replaceAll('-', ''),
      id.slice(1),
      `${id}0`,
    ];
    for (const text of [...others, id.replace('a', 'g'), id.replace('0', '\uff10'), `${id},${id}`]) {
      assert.equal(isId(text), false, text);
    }
  });
});
