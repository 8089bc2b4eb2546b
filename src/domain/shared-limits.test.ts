import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../test/support/random/random.ts';
import { createSharedLimiter, type SharedLimiter, stricter } from './shared-limits.ts';

const minute = 60_000;
/** Nodes, and what each has said of each name. */
function createNodes(count: number, now: () => number) {
  const nodes = Array.from({ length: count }, () => createSharedLimiter(now));
  const said = new Map<SharedLimiter, Map<string, number>>(nodes.map((node) => [node, new Map()]));
  const exchange = (node: SharedLimiter, most = 100): string[] => {
    const told = node.news(most);
    const others = new Map<string, number>();
    for (const [name, events] of told.events) {
      said.get(node)?.set(name, events);
      for (const [other, counts] of said) {
        const count = counts.get(name);
        if (other !== node && count !== undefined) others.set(name, (others.get(name) ?? 0) + count);
      }
    }
    node.hear(told, others);
    return told.events.map(([name]) => name);
  };
  return { nodes: nodes as [SharedLimiter, ...SharedLimiter[]], exchange };
}

test('one node alone counts exactly as a limiter of its own', () => {
  const { nodes, exchange } = createNodes(1, () => minute);
  const seen = [];
  for (let n = 0; n < 4; n += 1) {
    const { remaining, exceeded, resetsAt, limit } = nodes[0].take('a', 3);
    seen.push([remaining, exceeded, resetsAt, limit]);
    exchange(nodes[0]);
  }
  assert.deepEqual(seen, [
    [2, false, 2 * minute, 3],
    [1, false, 2 * minute, 3],
    [0, false, 2 * minute, 3],
    [0, true, 2 * minute, 3],
  ]);
});

test('what others counted counts from the next exchange on, also for who only looks', () => {
  const { nodes, exchange } = createNodes(3, () => minute);
  for (const node of nodes) {
    node.take('a', 8);
    node.take('a', 8);
  }
  for (const node of [...nodes, ...nodes]) exchange(node);
  nodes[0].take('a', 8);
  exchange(nodes[0]);
  assert.deepEqual(
    nodes.map((node) => node.peek('a', 8).remaining),
    [1, 4, 2],
    'each as far as it has heard',
  );
  assert.deepEqual(
    [nodes[0].take('a', 8), nodes[0].peek('a', 8), nodes[0].take('a', 8)].map((one) => one.exceeded),
    [false, true, true],
  );
});

test('to tell twice changes nothing; what was not told is told when the name comes again', () => {
  const { nodes, exchange } = createNodes(2, () => minute);
  const [one, other] = nodes;
  one.take('a', 9);
  one.news(10);
  one.take('a', 9);
  exchange(one);
  one.take('a', 9);
  exchange(one);
  other?.take('a', 9);
  if (other !== undefined) exchange(other);
  assert.equal(other?.peek('a', 9).remaining, 5);
});

test('nothing is told of who is known to be beyond the limit, or where there is none', () => {
  const { nodes, exchange } = createNodes(2, () => minute);
  for (let n = 0; n < 5; n += 1) nodes[0].take('a', 3);
  nodes[0].take('b', 0);
  assert.deepEqual(exchange(nodes[0]), ['a']);
  nodes[0].take('a', 3);
  assert.deepEqual(exchange(nodes[0]), []);
});

test('many names are told of in turn', () => {
  const { nodes, exchange } = createNodes(1, () => minute);
  for (const name of ['a', 'b', 'c']) nodes[0].take(name, 9);
  assert.deepEqual(exchange(nodes[0], 2), ['a', 'b']);
  nodes[0].take('a', 9);
  assert.deepEqual(exchange(nodes[0], 2), ['c', 'a']);
});

test('a new minute begins at nothing, whatever is heard of the last one', () => {
  let now = minute;
  const { nodes, exchange } = createNodes(2, () => now);
  const [one] = nodes;
  one.take('a', 3);
  const told = one.news(10);
  now = 2 * minute;
  one.hear(told, new Map([['a', 3]]));
  assert.equal(one.peek('a', 3).remaining, 3);
  assert.deepEqual(exchange(one), []);
});

test('whoever asks how at which nodes: never refused early, and beyond the limit within two exchanges only', () => {
  const intervalMs = 200;
  const longestExchangeMs = 20;
  // One tells at the end of its interval, and the other asks at the end of its own.
  const boundMs = 2 * (intervalMs + longestExchangeMs);
  const { next: random } = createRandom(7);
  const below = (most: number): number => Math.floor(random() * most);
  let latest = 0;
  for (let round = 0; round < 300; round += 1) {
    let now = minute;
    const limit = 20 + below(80);
    const said = [0, 0, 0];
    const nodes = said.map((_, index) => ({
      limiter: createSharedLimiter(() => now),
      ...{ index, answered: 0, firstBeyond: 0, paceMs: 1 + below(40) * below(10) },
    }));
    type Node = (typeof nodes)[number];
    const events: { at: number; happen: () => void }[] = [];
    const later = (ms: number, happen: () => void): void => void events.push({ at: now + ms, happen });
    const ask = (node: Node): void => {
      const isOver = nodes.reduce((sum, { answered }) => sum + answered, 0) >= limit;
      if (isOver && node.firstBeyond === 0) node.firstBeyond = now;
      const { exceeded } = node.limiter.take('a', limit);
      if (exceeded) assert.ok(isOver, 'refused early');
      else {
        node.answered += 1;
        if (isOver) latest = Math.max(latest, now - node.firstBeyond);
      }
      later(1 + below(2 * node.paceMs), () => ask(node));
    };
    const exchange = (node: Node): void => {
      const told = node.limiter.news(100);
      const takesMs = below(longestExchangeMs);
      let others = 0;
      later(below(takesMs), () => {
        for (const [, events] of told.events) said[node.index] = events;
        others = said.reduce((sum, uses, index) => (index === node.index ? sum : sum + uses), 0);
      });
      later(takesMs, () => {
        node.limiter.hear(told, new Map(others === 0 ? [] : [['a', others]]));
        later(intervalMs, () => exchange(node));
      });
    };
    for (const node of nodes) {
      later(below(intervalMs), () => exchange(node));
      later(below(3_000) * below(2), () => ask(node));
    }
    while (now < minute + 6_000) {
      const next = events.reduce((one, other) => (other.at < one.at ? other : one));
      events.splice(events.indexOf(next), 1);
      now = next.at;
      next.happen();
    }
    for (const { answered } of nodes) assert.ok(answered <= limit);
  }
  assert.ok(latest <= boundMs, `${latest} ms`);
  assert.ok(
    latest > intervalMs + longestExchangeMs,
    `one exchange would be too little to promise: ${latest} ms`,
  );
});

test('of two counts the stricter holds', () => {
  const more = { limit: 5, remaining: 3, resetsAt: 1, exceeded: false };
  const less = { limit: 5, remaining: 0, resetsAt: 1, exceeded: true };
  assert.deepEqual([stricter(more, less), stricter(less, more)], [less, less]);
});
