import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeList } from './long-work.ts';

test('returns the same JSON for pieces of any size', async () => {
  const items = Array.from({ length: 9 }, (_, n) => ({
    id: n,
    name: `"${n}"\n\u2028 \ud83d\ude80 ä`,
    createdAt: null,
  }));
  for (const sizes of [[], [0], [9], [1, 2, 6], [0, 4, 0, 5, 0]]) {
    const rest = [...items];
    const pieces = sizes.map((size) => rest.splice(0, size));
    async function* given() {
      yield* pieces;
    }
    const { bytes } = await writeList(1, 'folders', given());
    assert.equal(String(bytes), JSON.stringify({ success: true, folders: pieces.flat() }));
  }
});

/** Yields items one by one, and records the tick in which each item is requested. */
async function* asked(by: string, count: number, ticks: string[], turn: () => number) {
  for (let n = 0; n < count; n += 1) {
    ticks.push(`${by}${turn()}`);
    yield [n];
  }
}

test('builds one piece per tick for all long lists, in order', async () => {
  const ticks: string[] = [];
  let turn = 0;
  const count = (): void => {
    turn += 1;
    if (turn < 60) setImmediate(count);
  };
  setImmediate(count);
  const list = (by: string) =>
    writeList(
      1,
      'list',
      asked(by, 4, ticks, () => turn),
    );
  await Promise.all([list('a'), list('b'), list('c')]);
  assert.equal(ticks.map(([by]) => by).join(''), 'aaaabbbbcccc');
  const times = ticks.map((one) => Number(one.slice(1)));
  // A list may start in the tick in which the previous list ended.
  assert.ok(
    times.every((at, n) => n === 0 || n % 4 === 0 || at > (times[n - 1] ?? 0)),
    ticks.join(' '),
  );
});

test('fails only the failing list; queues eight per account and leaves room for others', async () => {
  async function* broken(): AsyncGenerator<readonly unknown[]> {
    yield [1];
    throw new Error('storage is away');
  }
  const list = (accountId = 1) =>
    writeList(
      accountId,
      'list',
      asked('a', 2, [], () => 0),
    );
  const lists = [writeList(1, 'list', broken()), ...Array.from({ length: 7 }, () => list())];
  const overloaded = { code: 'OVERLOADED', facts: { retryAfterSeconds: 1 } };
  await assert.rejects(list(), overloaded);
  lists.push(...Array.from({ length: 24 }, (_, n) => list(n + 2)));
  await assert.rejects(list(99), overloaded, 'thirty-two of all');
  await assert.rejects(lists[0] ?? Promise.resolve(), /away/);
  for (const { bytes } of await Promise.all(lists.slice(1)))
    assert.equal(String(bytes), '{"success":true,"list":[0,1]}');
  assert.ok(await list());
});
