import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, effort, type Random, withSeed } from '../support/random/random.ts';
import { check, type Model, type Operation, staleFor } from './checker.ts';
import {
  clickLimit,
  externalId,
  folder,
  idempotencyKey,
  type LinkInput,
  type LinkOutput,
  link,
} from './models.ts';

const { seed, count } = effort(3_000);

function at<In, Out>(start: number, end: number, input: In, output?: Out): Operation<In, Out> {
  return { key: 'one', input, output, start, end };
}

/** Returns the verdict as true or false. */
function holds<State, In, Out>(
  model: Model<State, In, Out>,
  history: readonly Operation<NoInfer<In>, NoInfer<Out>>[],
) {
  const { verdict } = check(model, history);
  assert.notEqual(verdict, 'undecided');
  return verdict === 'linearizable';
}

type OnLink = Operation<LinkInput, LinkOutput>;
const created: OnLink = at(0, 1, { do: 'create', url: 'a' }, { is: 'done', revision: 1 });
const follow = (start: number, end: number, url?: string): OnLink =>
  at(start, end, { do: 'follow' }, url === undefined ? { is: 'absent' } : { is: 'redirect', url });

test('a redirect to the old destination after the change was answered is an error, during it is not', () => {
  const changed: OnLink = at(2, 5, { do: 'change', url: 'b' }, { is: 'done', revision: 2 });
  assert.equal(holds(link, [created, changed, follow(6, 7, 'b')]), true);
  assert.equal(holds(link, [created, changed, follow(3, 4, 'b'), follow(3, 7, 'a')]), true);
  assert.equal(holds(link, [created, changed, follow(6, 7, 'a')]), false);
  assert.equal(holds(link, [created, changed, follow(2, 3, 'b'), follow(4, 5, 'a')]), false);
});

test('a read may be stale for as long as its start is moved back, and no longer', () => {
  const deleted: OnLink = at(2, 5, { do: 'delete' }, { is: 'done' });
  assert.equal(holds(link, [created, deleted, staleFor(follow(1_004, 1_010, 'a'), 1_000)]), true);
  assert.equal(holds(link, [created, deleted, staleFor(follow(1_006, 1_010, 'a'), 1_000)]), false);
});

test('a change without a response may take effect late, or never, but is not undone', () => {
  const lost: OnLink = at(2, 3, { do: 'change', url: 'b' });
  assert.equal(holds(link, [created, lost, follow(4, 5, 'a'), follow(6, 7, 'b')]), true);
  assert.equal(holds(link, [created, lost, follow(4, 5, 'a'), follow(6, 7, 'a')]), true);
  assert.equal(holds(link, [created, lost, follow(4, 5, 'b'), follow(6, 7, 'a')]), false);
});

test('of two changes with the same If-Match, one succeeds', () => {
  const change = (url: string, output: LinkOutput): OnLink =>
    at(2, 5, { do: 'change', url, ifMatch: 1 }, output);
  const done = change('b', { is: 'done', revision: 2 });
  assert.equal(holds(link, [created, done, change('c', { is: 'mismatch' })]), true);
  assert.equal(holds(link, [created, done, change('c', { is: 'done', revision: 2 })]), false);
  assert.equal(holds(link, [created, change('c', { is: 'mismatch' })]), false);
});

test('a deleted link is absent until it is restored', () => {
  const deleted: OnLink = at(2, 3, { do: 'delete' }, { is: 'done' });
  const restored: OnLink = at(6, 7, { do: 'restore' }, { is: 'done' });
  assert.equal(holds(link, [created, deleted, follow(4, 5), restored, follow(8, 9, 'a')]), true);
  assert.equal(holds(link, [created, deleted, follow(4, 5, 'a'), restored]), false);
  assert.equal(holds(link, [created, deleted, restored, follow(8, 9)]), false);
});

test('a click limit lets exactly as many visitors through', () => {
  const visit = (start: number, output?: 'redirect' | 'refused') =>
    at(start, start + 1, 'visit' as const, output);
  const limit = clickLimit(2);
  assert.equal(holds(limit, [visit(0, 'redirect'), visit(2, 'redirect'), visit(4, 'refused')]), true);
  assert.equal(holds(limit, [visit(0, 'redirect'), visit(2, 'redirect'), visit(4, 'redirect')]), false);
  assert.equal(holds(limit, [visit(0, 'redirect'), visit(2, 'refused')]), false);
  assert.equal(holds(limit, [visit(0, 'redirect'), visit(2), visit(4, 'refused')]), true);
});

test('an Idempotency-Key makes one link, an externalId has one owner, a folder counts its links', () => {
  assert.equal(holds(idempotencyKey, [at(0, 1, 'create'), at(2, 3, 'create', 'x')]), true);
  assert.equal(holds(idempotencyKey, [at(0, 1, 'create', 'x'), at(0, 3, 'create', 'y')]), false);
  assert.equal(holds(externalId, [at(0, 5, 'create', true), at(1, 4, 'create', false)]), true);
  assert.equal(holds(externalId, [at(0, 5, 'create', true), at(1, 4, 'create', true)]), false);
  const added = at(0, 1, { do: 'add', link: 'x' } as const, 1);
  assert.equal(holds(folder, [added, at(2, 3, { do: 'count' } as const, 1)]), true);
  assert.equal(holds(folder, [added, at(2, 3, { do: 'count' } as const, 0)]), false);
});

test('an undecided key does not hide a bad one', () => {
  const lost = Array.from({ length: 30 }, (_, n): OnLink => at(2, 3, { do: 'change', url: `${n}` }));
  const hard: OnLink[] = [created, ...lost, follow(4, 5, 'never')];
  const bad = [created, follow(2, 3)].map((one) => ({ ...one, key: 'two' }));
  assert.equal(check(link, hard, 1_000).verdict, 'undecided');
  assert.equal(check(link, [...hard, ...bad], 1_000).key, 'two');
});

test('a bad key is found and named among good ones', () => {
  const history = [
    created,
    { ...created, key: 'two' },
    { ...follow(2, 3, 'a') },
    { ...follow(2, 3), key: 'two' },
  ];
  const { verdict, key, operations } = check(link, history);
  assert.deepEqual([verdict, key, operations?.length], ['not linearizable', 'two', 2]);
});

/** Tries every order that keeps to real time, with every subset of the operations without a response. */
function holdsByForce<State, In, Out>(
  model: Model<State, In, Out>,
  state: State,
  left: readonly Operation<In, Out>[],
): boolean {
  if (left.every(({ output }) => output === undefined)) return true;
  return left.some((one) => {
    const comesTooEarly = left.some(({ end, output }) => output !== undefined && end < one.start);
    if (comesTooEarly) return false;
    const next = model.step(state, one.input, one.output);
    return (
      next !== undefined &&
      holdsByForce(
        model,
        next,
        left.filter((other) => other !== one),
      )
    );
  });
}

function randomHistory(random: Random): OnLink[] {
  const url = (): string => random.pick(['a', 'b']);
  const inputs = (): LinkInput =>
    random.pick<LinkInput>([
      { do: 'create', url: url() },
      { do: 'change', url: url() },
      { do: 'change', url: url(), ifMatch: 1 + random.below(2) },
      { do: 'delete' },
      { do: 'restore' },
      { do: 'follow' },
      { do: 'follow' },
    ]);
  const outputs = (): LinkOutput =>
    random.pick<LinkOutput>([
      { is: 'done', revision: 1 + random.below(3) },
      { is: 'done' },
      { is: 'absent' },
      { is: 'mismatch' },
      { is: 'taken' },
    ]);
  return [
    created,
    ...Array.from({ length: 2 + random.below(4) }, () => {
      const start = 1 + random.below(8);
      const input = inputs();
      const answered: LinkOutput =
        input.do === 'follow' && random.chance(0.7) ? { is: 'redirect', url: url() } : outputs();
      return at(start, start + random.below(6), input, random.chance(0.25) ? undefined : answered);
    }),
  ];
}

test('it agrees with a search of all orders on small random histories', (t) =>
  withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const found = [0, 0];
    for (let n = 0; n < count; n += 1) {
      const history = randomHistory(random);
      const expected = holdsByForce(link, null, history);
      assert.equal(holds(link, history), expected, JSON.stringify(history));
      found[Number(expected)] = (found[Number(expected)] ?? 0) + 1;
    }
    t.diagnostic(`${found[1]} linearizable, ${found[0]} not`);
    assert.ok(found.every((number) => number > count / 50));
  }));
