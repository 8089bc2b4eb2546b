import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { Failure, type FailureCode } from '../model/failures.ts';
import { searchWords } from '../model/links/link-search.ts';
import { type TagChoice, tagKey } from '../model/links/tags.ts';
import type { Storage } from '../model/storage.ts';
import { openStorage } from './open.ts';
import { newLink, nextId } from './storage.fixtures.ts';

const t0 = Date.UTC(2027, 0, 1);

function choice(...names: string[]): TagChoice {
  return { tags: names.map((name) => ({ id: nextId(), name })), at: t0, limit: 1_000 };
}

function fails(work: Promise<unknown>, code: FailureCode): Promise<void> {
  return assert.rejects(work, (error) => error instanceof Failure && error.code === code);
}

/** Creates a deterministic random number generator. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

for (const engine of engines) {
  describe(`tags on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    const using = async (
      work: (storage: Storage, accounts: { mine: number; theirs: number }) => Promise<void>,
    ): Promise<void> => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url);
      try {
        const mine = await storage.createAccount('mine', t0);
        const theirs = await storage.createAccount('theirs', t0);
        assert.ok(mine && theirs);
        await work(storage, { mine: mine.id, theirs: theirs.id });
      } finally {
        await storage.close();
        await engine.drop(url);
      }
    };
    const newTag = (storage: Storage, account: number, name: string, limit = 1_000) =>
      storage.createTag(account, { id: nextId(), name, createdAt: t0, limit });
    const counts = async (storage: Storage, account: number) =>
      Object.fromEntries(
        (await storage.tags(account, 1_000)).map(({ name, linkCount }) => [name, linkCount]),
      );
    const tagsOf = async (storage: Storage, account: number, id: string) =>
      (await storage.link(account, id))?.link.tags;

    test("finds links by current tag names while a renamed tag's rows are still being updated", () =>
      using(async (storage, { mine, theirs }) => {
        const tags = choice('Frühling');
        const ids: string[] = [];
        for (const code of ['a', 'b', 'c'])
          ids.push((await storage.createLink(mine, newLink(code, { tags }))).id);
        await storage.createLink(theirs, newLink('d', { tags: choice('Frühling') }));
        const summer = await newTag(storage, mine, 'Summer sale');
        const found = async (search: string, walked = 1) => {
          const page = {
            sort: 'createdAt',
            order: 'asc',
            now: t0,
            limit: 10,
            offset: 0,
            total: 'always',
          } as const;
          const asked = { ...page, folder: { kind: 'all' }, words: searchWords(search), walked } as const;
          return (await storage.findLinks(mine, asked)).links.map(({ link }) => ids.indexOf(link.id));
        };
        while (await storage.indexLinks(100));
        for (const walked of [1, 100]) assert.deepEqual(await found('fruhl', walked), [0, 1, 2]);
        await storage.renameTag(mine, tags.tags[0]?.id ?? '', 'Spring', t0);
        assert.deepEqual([await found('fruhl'), await found('pring example')], [[], [0, 1, 2]]);
        await storage.mergeTags(mine, tags.tags[0]?.id ?? '', summer.id, t0, 1);
        for (const walked of [1, 100])
          assert.deepEqual([await found('pring', walked), await found('mer sale', walked)], [[], [0, 1, 2]]);
        assert.deepEqual(await found('me'), [], 'two letters are the beginning of a code');
        await storage.deleteTag(mine, summer.id, 1);
        assert.deepEqual(await found('summer'), []);
      }));

    test("matches a plain reference's tags and counts after any sequence of changes", () =>
      using(async (storage, { mine, theirs }) => {
        const random = createRandom(5);
        const names = ['A', 'b', 'C', 'd', 'E', 'f'];
        const links = new Map<string, { tags: Set<string>; deleted: boolean }>();
        const there = new Map<string, string>();
        const pick = <T>(list: readonly T[]): T | undefined => list[random(list.length)];
        const noteTags = async (): Promise<void> => {
          for (const { id, name } of await storage.tags(mine, 1_000)) there.set(name, id);
        };
        const compare = async (): Promise<void> => {
          const live = [...links.values()].filter(({ deleted }) => !deleted);
          const expected = [...there.keys()].map((name) => [
            name,
            live.filter(({ tags }) => tags.has(name)).length,
          ]);
          assert.deepEqual(await counts(storage, mine), Object.fromEntries(expected));
          for (const [id, { tags, deleted }] of links) {
            const shown = deleted ? undefined : [...tags].sort((a, b) => (tagKey(a) < tagKey(b) ? -1 : 1));
            assert.deepEqual(await tagsOf(storage, mine, id), shown);
          }
        };
        const change = async (step: number): Promise<void> => {
          const [id = nextId(), link] = pick([...links]) ?? [];
          const chosen = names.filter(() => random(3) === 0);
          const kind = random(16);
          const [[name, tag] = ['', nextId()], [other, otherTag] = ['', nextId()]] = [
            pick([...there]),
            pick([...there]),
          ];
          if (kind < 4 || link === undefined) {
            const { id: created } = await storage.createLink(
              mine,
              newLink(`step-${step}`, { tags: choice(...chosen) }),
            );
            links.set(created, { tags: new Set(chosen), deleted: false });
          } else if (kind < 8 && !link.deleted) {
            await storage.updateLink(mine, id, { tags: choice(...chosen) }, t0);
            link.tags = new Set(chosen);
          } else if (kind < 10) {
            assert.equal(await storage.deleteLink(mine, id, t0), !link.deleted);
            link.deleted = true;
          } else if (kind < 12) {
            const shown = await storage.restoreLink(mine, id, t0);
            assert.equal(shown.tags.length, link.tags.size);
            link.deleted = false;
          } else if (kind < 13 && name !== '') {
            assert.equal(await storage.deleteTag(theirs, tag), false);
            assert.equal(await storage.deleteTag(mine, tag, random(3)), true);
            there.delete(name);
            for (const one of links.values()) one.tags.delete(name);
          } else if (kind < 15 && name !== other) {
            await fails(storage.mergeTags(theirs, tag, otherTag, t0), 'TAG_NOT_FOUND');
            const stays = await storage.mergeTags(mine, tag, otherTag, t0, random(3));
            there.delete(name);
            for (const one of links.values()) if (one.tags.delete(name)) one.tags.add(other);
            assert.equal(
              stays.linkCount,
              [...links.values()].filter(({ tags, deleted }) => !deleted && tags.has(other)).length,
            );
          } else await storage.emptyTags(1 + random(2));
          await noteTags();
        };
        for (let step = 0; step < 250; step += 1) {
          await change(step);
          if (step % 5 === 0) await compare();
        }
        await compare();
        assert.ok(await storage.hasWork('emptyTags'), 'some work was left for later');
        while (await storage.emptyTags(3)) await compare();
        assert.ok(!(await storage.hasWork('emptyTags')));
      }));

    test('lets one of two concurrent renames to a name win, and keeps counts exact while merging and tagging', () =>
      using(async (storage, { mine }) => {
        for (let round = 0; round < 6; round += 1) {
          const [one, two, three] = await Promise.all(
            ['one', 'two', 'three'].map((name) => newTag(storage, mine, `${name} ${round}`)),
          );
          assert.ok(one && two && three);
          const renamed = await Promise.allSettled(
            [one, two].map(({ id }) => storage.renameTag(mine, id, `name ${round}`, t0)),
          );
          assert.deepEqual(renamed.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
          const target = `three ${round}`;
          const names = [`name ${round}`, `two ${round}`, `one ${round}`];
          const created = await Promise.all(
            Array.from({ length: 8 }, (_, n) =>
              storage.createLink(
                mine,
                newLink(`r${round}-${n}`, { tags: choice(names[n % 2] ?? '', target) }),
              ),
            ),
          );
          const work: (() => Promise<unknown>)[] = created.flatMap(({ id }, n) => [
            () =>
              n % 4 === 0
                ? storage.deleteLink(mine, id, t0)
                : storage.updateLink(mine, id, { tags: choice(names[(n + 1) % 3] ?? '') }, t0),
            () => storage.emptyTags(2),
            () => storage.createLink(mine, newLink(`n${round}-${n}`, { tags: choice(names[n % 3] ?? '') })),
          ]);
          const merging = [one, two].map(
            ({ id }) =>
              () =>
                storage.mergeTags(mine, id, three.id, t0, round % 3),
          );
          work.splice(4, 0, ...merging);
          await Promise.all(work.map((start) => start()));
          const truth = new Map<string, number>();
          const page = await storage.links(mine, { kind: 'all' }, 1_000, 0);
          for (const { tags } of page.links)
            for (const name of tags) truth.set(name, (truth.get(name) ?? 0) + 1);
          for (const { name, linkCount } of await storage.tags(mine, 1_000))
            assert.equal(linkCount, truth.get(name) ?? 0, name);
        }
        while (await storage.emptyTags(100));
      }));
  });
}
