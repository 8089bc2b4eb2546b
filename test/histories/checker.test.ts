import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, effort, type Random, withSeed } from '../support/random/random.ts';
import { check, type Model, type Operation } from './checker.ts';
import { compareClicks } from './clicks.ts';
import * as model from './models.ts';
import { mutations } from './mutations.ts';
import { type Role, seenAt, withStaleReads } from './recorder.ts';
import { mutated } from './seeded-bugs.ts';

const { seed, count } = effort(3_000);

function at<In, Out>(start: number, end: number, input: In, output?: Out): Operation<In, Out> {
  return { key: 'one', input, output, start, end };
}

type History<In, Out> = readonly Operation<NoInfer<In>, NoInfer<Out>>[];
function allows<State, In, Out>(tested: Model<State, In, Out>, ...history: History<In, Out>): void {
  assert.equal(check(tested, history).verdict, 'linearizable');
}
function rejects<State, In, Out>(tested: Model<State, In, Out>, ...history: History<In, Out>): void {
  assert.equal(check(tested, history).verdict, 'not linearizable');
}

type OnLink = Operation<model.LinkInput, model.LinkOutput>;
const created: OnLink = at(0, 1, { do: 'create', url: 'a' }, { is: 'done', revision: 1 });
const follow = (start: number, end: number, url?: string): OnLink =>
  at(start, end, { do: 'follow' }, url === undefined ? { is: 'absent' } : { is: 'redirect', url });

test('rejects a redirect to the old destination after the change was acknowledged, but not during it', () => {
  const changed: OnLink = at(2, 5, { do: 'change', url: 'b' }, { is: 'done', revision: 2 });
  allows(model.link, created, changed, follow(6, 7, 'b'));
  allows(model.link, created, changed, follow(3, 4, 'b'), follow(3, 7, 'a'));
  rejects(model.link, created, changed, follow(6, 7, 'a'));
  rejects(model.link, created, changed, follow(2, 3, 'b'), follow(4, 5, 'a'));
});

test('allows a change without a response to take effect late or never, but not to be undone', () => {
  const lost: OnLink = at(2, 3, { do: 'change', url: 'b' });
  allows(model.link, created, lost, follow(4, 5, 'a'), follow(6, 7, 'b'));
  allows(model.link, created, lost, follow(4, 5, 'a'), follow(6, 7, 'a'));
  rejects(model.link, created, lost, follow(4, 5, 'b'), follow(6, 7, 'a'));
});

test('allows one of two changes with the same If-Match to succeed', () => {
  const change = (url: string, output: model.LinkOutput): OnLink =>
    at(2, 5, { do: 'change', url, ifMatch: 1 }, output);
  const done = change('b', { is: 'done', revision: 2 });
  allows(model.link, created, done, change('c', { is: 'mismatch' }));
  rejects(model.link, created, done, change('c', { is: 'done', revision: 2 }));
  rejects(model.link, created, change('c', { is: 'mismatch' }));
});

test('requires a deleted link to be absent until it is restored', () => {
  const deleted: OnLink = at(2, 3, { do: 'delete' }, { is: 'done' });
  const restored: OnLink = at(6, 7, { do: 'restore' }, { is: 'done' });
  allows(model.link, created, deleted, follow(4, 5), restored, follow(8, 9, 'a'));
  rejects(model.link, created, deleted, follow(4, 5, 'a'), restored);
  rejects(model.link, created, deleted, restored, follow(8, 9));
});

test('requires a click limit to allow exactly that many visitors', () => {
  const visit = (start: number, output?: 'redirect' | 'refused') =>
    at(start, start + 1, 'visit' as const, output);
  const limit = model.clickLimit(2);
  allows(limit, visit(0, 'redirect'), visit(2, 'redirect'), visit(4, 'refused'));
  rejects(limit, visit(0, 'redirect'), visit(2, 'redirect'), visit(4, 'redirect'));
  rejects(limit, visit(0, 'redirect'), visit(2, 'refused'));
  allows(limit, visit(0, 'redirect'), visit(2), visit(4, 'refused'));
});

test('requires one link per Idempotency-Key, and refuses other bodies', () => {
  const create = (start: number, end: number, id?: string, body = 'a') => at(start, end, { body }, id);
  allows(model.idempotencyKey, create(0, 1), create(2, 3, 'x'));
  allows(model.idempotencyKey, create(0, 1, 'x'), create(2, 3, 'x'), create(4, 5, 'reused', 'b'));
  rejects(model.idempotencyKey, create(0, 1, 'x'), create(0, 3, 'y'));
  rejects(model.idempotencyKey, create(0, 1, 'x'), create(2, 3, 'x', 'b'));
  rejects(model.idempotencyKey, create(0, 1, 'reused'));
});

test('requires one owner per externalId', () => {
  const one = (start: number, doing: model.ExternalInput['do'], output?: model.ExternalOutput) =>
    at<model.ExternalInput, model.ExternalOutput>(start, start + 3, { do: doing }, output);
  const created = one(0, 'create', { is: 'created', id: 'x' });
  allows(model.externalId, created, one(1, 'create', { is: 'taken' }));
  rejects(model.externalId, created, one(1, 'create', { is: 'created', id: 'y' }));
  rejects(model.externalId, created, one(4, 'put', { is: 'existing', id: 'y' }));
  allows(model.externalId, created, one(4, 'delete'), one(8, 'put', { is: 'created', id: 'x' }));
  rejects(model.externalId, created, one(4, 'delete', { is: 'deleted' }), one(8, 'create', { is: 'taken' }));
});

test('requires folders to count live links, and to get them back when they are restored', () => {
  const twoFolders = model.folders(['f', 'g'], ['x']);
  const one = (start: number, input: model.FolderInput, output: model.FolderOutput = 'done') =>
    at<model.FolderInput, model.FolderOutput>(start, start + 1, input, output);
  const count = (start: number, counts: Record<string, number>) => one(start, { do: 'count' }, { counts });
  const moved = one(0, { do: 'move', link: 'x', to: 'f' });
  allows(twoFolders, moved, count(2, { f: 1, g: 0 }));
  rejects(twoFolders, moved, count(2, { f: 0, g: 0 }));
  const gone = [moved, one(2, { do: 'delete folder', folder: 'f' }), count(4, { g: 0 })];
  allows(twoFolders, ...gone);
  const back = [...gone, one(6, { do: 'restore folder', folder: 'f' })];
  allows(twoFolders, ...back, count(8, { f: 1, g: 0 }));
  rejects(twoFolders, ...back, count(8, { f: 2, g: 0 }));
  rejects(twoFolders, moved, one(2, { do: 'delete', link: 'x' }), count(4, { f: 1, g: 0 }));
});

test('requires a moved link to keep its old code until that is removed', () => {
  const one = (start: number, input: model.MoveInput, output: model.MoveOutput) =>
    at<model.MoveInput, model.MoveOutput>(start, start + 1, input, output);
  const moved = one(0, { do: 'move', host: 'b' }, 'done');
  const old = (start: number, output: model.MoveOutput) => one(start, { do: 'follow', host: 'a' }, output);
  const removed = one(4, { do: 'remove alias', host: 'a' }, 'done');
  allows(model.moves('a'), moved, old(2, 'redirect'), removed, old(6, 'absent'));
  rejects(model.moves('a'), moved, removed, old(6, 'redirect'));
  allows(model.moves('a'), one(0, { do: 'remove alias', host: 'a' }, 'absent'));
  rejects(model.moves('a'), moved, one(4, { do: 'delete' }, 'done'), old(6, 'redirect'));
});

test('requires a node to see its own changes at once, and those of other nodes a second later', () => {
  const on = (node: string, operation: OnLink) => ({ ...operation, node });
  const changed: OnLink = at(2, 5, { do: 'change', url: 'b' }, { is: 'done' });
  const roleOf = ({ input }: OnLink): Role => (input.do === 'follow' ? 'read' : 'change');
  const seen = (writer: string, reader: string, start: number) => {
    const history = [on('one', created), on(writer, changed), on(reader, follow(start, start + 1, 'a'))];
    return seenAt(reader, history, roleOf, 1_000);
  };
  rejects(model.link, ...seen('one', 'one', 6));
  allows(model.link, ...seen('one', 'two', 1_004));
  rejects(model.link, ...seen('one', 'two', 1_006));
});

test('allows a stale read for as long as its start is moved back', () => {
  const deleted: OnLink = at(2, 5, { do: 'delete' }, { is: 'done' });
  const reads = (start: number) => {
    const history = [created, deleted, follow(start, 1_010, 'a')].map((one) => ({ ...one, node: 'one' }));
    return withStaleReads(history, 1_000);
  };
  allows(model.link, ...reads(1_004));
  rejects(model.link, ...reads(1_006));
});

test('compares clicks value by value', () => {
  const visits = { answered: [{ country: 'DE' }, { country: 'DE' }], unknown: [{ country: 'FR' }] };
  const compare = (...counts: [string, number][]) => compareClicks(visits, 'country', new Map(counts));
  assert.deepEqual(compare(['DE', 2], ['FR', 1]), { lacks: [], exceeds: [] });
  assert.equal(compare(['DE', 1], ['FR', 1]).lacks.length, 1);
  assert.equal(compare(['DE', 2], ['FR', 2]).exceeds.length, 1);
  assert.equal(compare(['DE', 2], ['', 1]).exceeds.length, 1);
});

test('finds the text of each seeded bug in the program', () => {
  for (const one of Object.values(mutations).flat()) mutated(one);
});

test('finds and names a bad key among good ones', () => {
  const lost = Array.from({ length: 30 }, (_, n): OnLink => at(2, 3, { do: 'change', url: `${n}` }));
  const hard: OnLink[] = [created, ...lost, follow(4, 5, 'never')];
  const bad = [created, follow(2, 3)].map((one) => ({ ...one, key: 'two' }));
  assert.equal(check(model.link, hard, 1_000).verdict, 'undecided');
  for (const others of [hard, [created, follow(2, 3, 'a')]]) {
    const { verdict, key, operations } = check(model.link, [...others, ...bad], 1_000);
    assert.deepEqual([verdict, key, operations?.length], ['not linearizable', 'two', 2]);
  }
});

/**
 * Returns true if the model allows any order that respects real time, with any subset of the operations without a
 * response.
 */
function holdsByForce<State, In, Out>(
  tested: Model<State, In, Out>,
  state: State,
  left: readonly Operation<In, Out>[],
): boolean {
  if (left.every(({ output }) => output === undefined)) return true;
  return left.some((one) => {
    const comesTooEarly = left.some(({ end, output }) => output !== undefined && end < one.start);
    if (comesTooEarly) return false;
    const next = tested.step(state, one.input, one.output);
    const others = left.filter((other) => other !== one);
    return next !== undefined && holdsByForce(tested, next, others);
  });
}

function randomHistory(random: Random): OnLink[] {
  const url = (): string => random.pick(['a', 'b']);
  const drawInput = (): model.LinkInput =>
    random.pick<model.LinkInput>([
      { do: 'create', url: url() },
      { do: 'change', url: url() },
      { do: 'change', url: url(), ifMatch: 1 + random.below(2) },
      { do: 'delete' },
      { do: 'restore' },
      { do: 'follow' },
      { do: 'follow' },
    ]);
  const drawOutput = (): model.LinkOutput =>
    random.pick<model.LinkOutput>([
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
      const input = drawInput();
      const answered: model.LinkOutput =
        input.do === 'follow' && random.chance(0.7) ? { is: 'redirect', url: url() } : drawOutput();
      return at(start, start + random.below(6), input, random.chance(0.25) ? undefined : answered);
    }),
  ];
}

test('agrees with an exhaustive search of all orders on small random histories', (t) =>
  withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const found = [0, 0];
    for (let n = 0; n < count; n += 1) {
      const history = randomHistory(random);
      const expected = holdsByForce(model.link, null, history);
      assert.equal(check(model.link, history).verdict === 'linearizable', expected, JSON.stringify(history));
      found[Number(expected)] = (found[Number(expected)] ?? 0) + 1;
    }
    t.diagnostic(`${found[1]} linearizable, ${found[0]} not`);
    assert.ok(found.every((number) => number > count / 50));
  }));
