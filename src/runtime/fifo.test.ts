import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFifo } from './fifo.ts';

test('returns the oldest first, after any number of pushes and shifts', () => {
  const fifo = createFifo<number>();
  const expected: number[] = [];
  let added = 0;
  for (let step = 0; step < 20_000; step += 1) {
    // The queue grows and shrinks in waves that are long enough for it to compact its items.
    const grows = step % 700 < 400 ? step % 5 !== 0 : step % 5 === 0;
    if (grows) {
      added += 1;
      expected.push(added);
      fifo.add(added);
    } else assert.equal(fifo.removeFirst(), expected.shift());
    assert.deepEqual([fifo.length(), fifo.first()], [expected.length, expected[0]]);
  }
  fifo.add(-1);
  fifo.add(-2);
  assert.deepEqual(fifo.clear(), [...expected, -1, -2]);
  assert.deepEqual([fifo.length(), fifo.first(), fifo.removeFirst()].filter(Boolean), []);
});
