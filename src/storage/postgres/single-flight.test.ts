import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSingleFlight } from './single-flight.ts';

/** Creates a single-flight loader whose reads end only when the test ends them. */
function gated() {
  const reads: { name: string; end: (found: string | undefined) => void; fail: (error: Error) => void }[] =
    [];
  const kept = new Map<string, string | undefined>();
  const loads = createSingleFlight<string>({
    read: (name) => new Promise((end, fail) => reads.push({ name, end, fail })),
    keep: (name, found) => void kept.set(name, found),
  });
  return { loads, reads, kept };
}

test('shares one read between a thousand callers of a name', async () => {
  const { loads, reads, kept } = gated();
  const asked = Array.from({ length: 1_000 }, () => loads.load('a'));
  assert.equal(reads.length, 1);
  reads[0]?.end('there');
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['there']));
  assert.deepEqual([...kept], [['a', 'there']]);
  void loads.load('a');
  assert.equal(reads.length, 2, 'it caches no results');
});

test('does not cache a value that changed while it was read; later callers read again', async () => {
  for (const forget of ['drop', 'clear'] as const) {
    const { loads, reads, kept } = gated();
    const before = loads.load('a');
    loads[forget]('a');
    const after = loads.load('a');
    reads[1]?.end('new');
    assert.equal(await after, 'new');
    reads[0]?.end('old');
    assert.equal(await before, 'old');
    assert.deepEqual([...kept], [['a', 'new']]);
  }
});

test('joins no read that is older than half a second or failed', async () => {
  const { loads, reads, kept } = gated();
  const slow = loads.load('a');
  await new Promise((resolve) => setTimeout(resolve, 520));
  const next = loads.load('a');
  assert.equal(reads.length, 2);
  reads[0]?.end('old');
  reads[1]?.fail(new Error('gone'));
  assert.equal(await slow, 'old');
  await assert.rejects(next, /gone/);
  assert.equal(kept.size, 0);
  void loads.load('a');
  assert.equal(reads.length, 3);
});
