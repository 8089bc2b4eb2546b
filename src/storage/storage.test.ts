// Contract tests that every engine must pass. To test a new engine, add it to `engines`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { retainedClicks } from '../../test/support/files/retained-clicks.ts';
import { engines } from '../../test/support/postgres/databases.ts';
import type { NewKey } from '../model/accounts/keys.ts';
import { digestOf } from '../model/accounts/keys.ts';
import { createClickCollector } from '../model/clicks/click-collector.ts';
import { unknownFacts } from '../model/clicks/click-facts.ts';
import { hourOf } from '../model/clicks/clicks.ts';
import { Failure, type FailureCode } from '../model/failures.ts';
import type { IdempotencyClaim } from '../model/idempotency.ts';
import { everyField } from '../model/links/link-field-values.ts';
import type {
  DeletedLink,
  DeletedPlace,
  FolderFilter,
  Link,
  LinkPage,
  NewLink,
} from '../model/links/link-records.ts';
import type { Storage } from '../model/storage.ts';
import { openStorage } from './open.ts';
import { createAndRead, hexOf, newKey, newLink, nextId } from './storage.fixtures.ts';

/** A time later than every deletion. */
const farFuture = Number.MAX_SAFE_INTEGER;

const t0 = Date.UTC(2027, 0, 1);
const hour = 3_600_000;

function draft(codes: string | readonly string[], more: Partial<NewLink> = {}): NewLink {
  return newLink(codes, {
    destination: 'https://example.com/a',
    location: 'https://example.com/a',
    createdAt: t0,
    ...more,
  });
}

function keyOf(id: string, more: Partial<NewKey> = {}): NewKey {
  return newKey(id, { account: 'acme', scopes: ['links:read', 'links:write'], createdAt: t0, ...more });
}

async function fails(work: Promise<unknown>, code: FailureCode, message?: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof Failure, `expected Failure ${code}, got ${String(error)}`);
    assert.equal(error.code, code);
    if (message !== undefined) assert.match(error.message, message);
    return true;
  });
}

const all: FolderFilter = { kind: 'all' };
const uncategorized: FolderFilter = { kind: 'none' };
function inFolder(id: string): FolderFilter {
  return { kind: 'folder', id };
}

/** Creates a deterministic random number generator. */
function createRandom(seed: number) {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return { random, pick: <T>(list: readonly T[]): T | undefined => list[random(list.length)] };
}

function codesOf(page: LinkPage): string[] {
  return page.links.map((link) => link.code);
}
function withoutRow<T extends { row: number }>({ row: _, ...rest }: T): Omit<T, 'row'> {
  return rest;
}

for (const engine of engines) {
  describe(`storage on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    const using = async (
      work: (storage: Storage, accounts: { mine: number; theirs: number }, url: string) => Promise<void>,
      journal?: string,
    ): Promise<void> => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url, { journal });
      try {
        const mine = await storage.createAccount('mine', t0);
        const theirs = await storage.createAccount('theirs', t0);
        assert.ok(mine && theirs);
        await work(storage, { mine: mine.id, theirs: theirs.id }, url);
      } finally {
        await storage.close();
        await engine.drop(url);
      }
    };
    const newFolder = (storage: Storage, account: number, name = 'Folder', createdAt = t0) =>
      storage.createFolder(account, { id: nextId(), name, createdAt });

    describe('links', () => {
      test('finds a created link at once, as given', () =>
        using(async (storage, { mine }) => {
          const holder = await newFolder(storage, mine);
          const given = draft('Launch', {
            destination: 'https://exämple.com/a',
            location: 'https://xn--exmple-cua.com/a',
            title: 'Title 🚀',
            description: 'Line\nline',
            expiresAt: t0 + hour,
            folderId: holder.id,
          });
          const created = await storage.createLink(mine, given);
          // Fields that were not set must have their default values.
          const missing = everyField.map(([name, { nullable }]) => [name, nullable ? null : 0]);
          const expected: Link = {
            ...(Object.fromEntries(missing) as Link),
            space: '',
            host: null,
            id: given.id,
            code: 'Launch',
            destination: given.destination,
            title: 'Title 🚀',
            description: 'Line\nline',
            clicks: 0,
            lastClickAt: null,
            expiresAt: t0 + hour,
            folderId: holder.id,
            tags: [],
            createdAt: t0,
            updatedAt: t0,
            revision: 1,
          };
          const { id, code, destination, createdAt } = expected;
          assert.deepEqual(created, { id, code, destination, createdAt, revision: 1 });
          const found = await storage.link(mine, given.id);
          assert.ok(found);
          assert.deepEqual(withoutRow(found.link), expected);
          const target = await storage.findTarget('launch');
          assert.deepEqual(
            { ...target, id: Buffer.from(target?.id ?? []).toString('hex') },
            {
              row: found.link.row,
              account: mine,
              id: hexOf(given.id),
              location: 'https://xn--exmple-cua.com/a',
              expiresAt: t0 + hour,
            },
          );
        }));

      test('includes the password hash in the target, and updates it', () =>
        using(async (storage, { mine }) => {
          const { id } = await storage.createLink(mine, draft('secret', { password: 'a hash' }));
          const hashOf = async () => (await storage.findTarget('secret'))?.special?.password;
          assert.equal(await hashOf(), 'a hash');
          const there = { ifExists: 'reuse', now: t0 } as const;
          const other = await storage.createUnlessExists(mine, draft('open'), there);
          assert.equal(other.isNew, true, 'one with a password is not reused');
          await storage.updateLink(mine, id, { password: 'another' }, t0 + 1);
          assert.equal(await hashOf(), 'another');
          await storage.updateLink(mine, id, { password: null }, t0 + 2);
          assert.equal((await storage.findTarget('secret'))?.special, undefined);
        }));

      test('returns a social card with the link and its target until it is removed', () =>
        using(async (storage, { mine }) => {
          const card = JSON.stringify({ title: 'Täglich 🚀', image: 'https://example.com/a.png' });
          const { id } = await storage.createLink(mine, { ...draft('card'), card });
          assert.equal((await storage.link(mine, id))?.link.card, card);
          assert.equal((await storage.findTarget('card'))?.special?.card, card);
          await storage.updateLink(mine, id, { card: null }, t0);
          assert.equal((await storage.findTarget('card'))?.special, undefined);
        }));

      test('returns no target whose location is not printable ASCII', () =>
        using(async (storage, { mine }) => {
          const location = 'https://example.com/\r\nSet-Cookie: a=b';
          await storage.createLink(mine, draft('evil', { location }));
          await assert.rejects(async () => storage.findTarget('evil'), /not printable ASCII/);
        }));

      test('takes the first free code; leaves nothing if none is free', () =>
        using(async (storage, { mine, theirs }) => {
          await storage.createLink(theirs, draft('one'));
          await storage.createLink(theirs, draft('two'));
          const third = await createAndRead(storage, mine, draft(['one', 'TWO', 'Three', 'four']));
          assert.equal(third.code, 'Three');
          assert.equal((await storage.link(mine, third.id))?.link.code, 'Three');
          assert.equal(await storage.findTarget('four'), undefined);
          const refused = draft(['two', 'three']);
          await fails(storage.createLink(mine, refused), 'CUSTOM_CODE_TAKEN');
          assert.equal(await storage.link(mine, refused.id), undefined);
          assert.equal((await storage.links(mine, all, 10, 0)).total, 1);
        }));

      test('checks in order: folder, limit, code', () =>
        using(async (storage, { mine, theirs }) => {
          await storage.createLink(mine, draft('taken'));
          const foreign = await newFolder(storage, theirs);
          for (const folderId of [foreign.id, nextId()]) {
            await fails(
              storage.createLink(mine, draft('taken', { folderId, quota: 1 })),
              'FOLDER_NOT_FOUND',
              /^Folder not found\.$/,
            );
          }
          await fails(storage.createLink(mine, draft('taken', { quota: 1 })), 'LIMIT_REACHED', /limit of 1 /);
          await fails(storage.createLink(mine, draft('taken', { quota: 2 })), 'CUSTOM_CODE_TAKEN');
          await storage.createLink(mine, draft('free', { quota: 2 }));
        }));

      test('throws for an existing ID instead of creating a second link', () =>
        using(async (storage, { mine }) => {
          const link = draft('abc');
          await storage.createLink(mine, link);
          await assert.rejects(storage.createLink(mine, { ...link, codes: ['def'] }));
          assert.equal(await storage.findTarget('def'), undefined);
        }));

      test('keeps updatedAt for a change without effect; it never goes backwards', () =>
        using(async (storage, { mine }) => {
          const link = await createAndRead(storage, mine, draft('abc', { title: 'Same', expiresAt: t0 + 1 }));
          assert.deepEqual(await storage.updateLink(mine, link.id, {}, t0 + 5), link);
          const same = { title: 'Same', description: null, expiresAt: t0 + 1 };
          assert.deepEqual(await storage.updateLink(mine, link.id, same, t0 + 5), link);
          assert.deepEqual(await storage.moveLink(mine, link.id, null, t0 + 5), link);
          const early = await storage.updateLink(mine, link.id, { title: 'Other' }, t0 - 1_000);
          assert.equal(early?.updatedAt, t0);
          const holder = await newFolder(storage, mine);
          assert.equal((await storage.moveLink(mine, link.id, holder.id, t0 - 1_000)).updatedAt, t0);
          assert.equal(
            (await storage.updateFolder(mine, holder.id, { name: 'Other' }, t0 - 1_000))?.updatedAt,
            t0,
          );
        }));

      test('gives one externalId to one of many simultaneous requests', () =>
        using(async (storage, { mine }) => {
          const wishes = Array.from({ length: 12 }, (_, n) =>
            storage.createLink(mine, draft(`race-${n}`, { externalId: 'crm-1' })),
          );
          const ends = await Promise.allSettled(wishes);
          assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
          for (const end of ends)
            if (end.status === 'rejected') assert.equal(end.reason.code, 'EXTERNAL_ID_TAKEN');
          assert.equal((await storage.links(mine, { kind: 'all' }, 20, 0)).total, 1);
        }));

      test('leaves one live link after concurrent upserts and deletes of one externalId', () =>
        using(async (storage, { mine }) => {
          const existing = { keepsExpiry: false, now: t0 + 1 };
          const upsert = (n: number) =>
            storage.upsertLink(
              mine,
              { ...draft(`up-${n}`, { title: `T${n}` }), externalId: 'crm-1' },
              existing,
            );
          const first = await Promise.all(Array.from({ length: 12 }, (_, n) => upsert(n)));
          assert.equal(first.filter(({ isNew }) => isNew).length, 1);
          const id = first[0]?.link.id ?? '';
          assert.ok(first.every(({ link }) => link.id === id));
          const mixed = await Promise.all([upsert(20), storage.deleteLink(mine, id, t0 + 2), upsert(21)]);
          assert.equal(mixed[1], true);
          const live = await storage.links(mine, { kind: 'all' }, 20, 0);
          assert.ok(live.total <= 1);
          const last = await upsert(22);
          assert.equal(last.link.id, id, 'a deleted one comes back');
          assert.equal((await storage.linkByExternalId(mine, 'crm-1'))?.link.id, last.link.id);
          assert.equal((await storage.links(mine, { kind: 'all' }, 20, 0)).total, 1);
        }));

      test('changes and deletes by externalId only the link that has it at the time', () =>
        using(async (storage, { mine, theirs }) => {
          const byTurns: string[] = [];
          for (const n of [0, 1])
            byTurns.push(
              (await createAndRead(storage, mine, draft(`turn-${n}`, { externalId: `turn-${n}` }))).id,
            );
          const [first = '', second = ''] = byTurns;
          for (let round = 0; round < 8; round += 1) {
            const rename = async () => {
              await storage.updateLink(mine, first, { externalId: null }, t0 + 1);
              await storage.updateLink(mine, second, { externalId: 'turn-0' }, t0 + 1);
              await storage.updateLink(mine, second, { externalId: 'turn-1' }, t0 + 1);
              await storage.updateLink(mine, first, { externalId: 'turn-0' }, t0 + 1);
            };
            const [, ...changed] = await Promise.all([
              rename(),
              ...[1, 2, 3].map((n) =>
                storage.updateByExternalId(mine, 'turn-0', { title: `T${round}.${n}` }, t0 + 2),
              ),
            ]);
            for (const link of changed) assert.ok(link === undefined || link.externalId === 'turn-0');
          }
          assert.equal(
            await storage.updateByExternalId(theirs, 'turn-0', { title: 'theirs' }, t0 + 3),
            undefined,
          );
          assert.equal(await storage.deleteByExternalId(theirs, 'turn-0', t0 + 3), false);
          const deleted = await Promise.all(
            [1, 2, 3].map(() => storage.deleteByExternalId(mine, 'turn-0', t0 + 4)),
          );
          assert.equal(deleted.filter(Boolean).length, 1);
          const gone = await storage.deletedLinks(mine, 9, undefined, 'turn-0');
          assert.deepEqual(
            gone.links.map(({ id }) => id),
            [first],
          );
          assert.deepEqual((await storage.deletedLinks(theirs, 9, undefined, 'turn-0')).links, []);
        }));

      test('lists deleted links page by page, most recently deleted first', () =>
        using(async (storage, { mine, theirs }) => {
          const links: Link[] = [];
          for (let n = 0; n < 9; n += 1) links.push(await createAndRead(storage, mine, draft(`code-${n}`)));
          const foreign = await createAndRead(storage, theirs, draft('foreign'));
          await storage.deleteLink(theirs, foreign.id, t0 + 4);
          const idAt = (at: number): string => links[at]?.id ?? '';
          // Two links are deleted in the same millisecond, one is deleted after the clock went back, and two are never
          // deleted.
          const times = { 3: 5, 0: 6, 8: 6, 1: 7, 5: 2, 4: 9, 7: 10 };
          for (const [at, ms] of Object.entries(times))
            await storage.deleteLink(mine, idAt(Number(at)), t0 + ms);
          const expected = [7, 4, 1, 8, 0, 3, 5];
          const whole = await storage.deletedLinks(mine, 100);
          assert.deepEqual(
            codesOf({ ...whole, total: 0 }),
            expected.map((at) => `code-${at}`),
          );
          assert.deepEqual(whole.links[0]?.deletedAt, t0 + 10);
          const found: string[] = [];
          let last: DeletedPlace | undefined;
          for (;;) {
            const page: { links: readonly DeletedLink[] } = await storage.deletedLinks(mine, 2, last);
            if (page.links.length === 0) break;
            found.push(...page.links.map(({ id }) => id));
            last = page.links.at(-1);
          }
          assert.deepEqual(found, expected.map(idAt));
          await storage.restoreLink(mine, idAt(1), t0 + 11);
          assert.deepEqual(
            (await storage.deletedLinks(mine, 2, { deletedAt: t0 + 7, id: idAt(1) })).links.map(
              ({ id }) => id,
            ),
            [8, 0].map(idAt),
          );
          assert.equal((await storage.deletedLinks(theirs, 10)).links.length, 1);
        }));

      test('finds rows by hexadecimal IDs, including those of deleted links', () =>
        using(async (storage, { mine }) => {
          const links = [];
          for (let n = 0; n < 70; n += 1) links.push(await createAndRead(storage, mine, draft(`code-${n}`)));
          const rows = await Promise.all(
            links.map(async ({ id }) => ({ row: (await storage.link(mine, id))?.link.row, account: mine })),
          );
          await storage.deleteLink(mine, links[3]?.id ?? '', t0);
          const hex = links.map(({ id }) => hexOf(id));
          const found = await storage.rowsOf([...hex, 'ff'.repeat(16), 'ab', '']);
          assert.equal(found.size, 70);
          assert.deepEqual(
            hex.map((id) => found.get(id)),
            rows,
          );
          assert.equal((await storage.rowsOf([])).size, 0);
        }));
    });

    describe('lists', () => {
      test('returns the page at an offset from either end', () =>
        using(async (storage, { mine, theirs }) => {
          const { random, pick } = createRandom(3);
          const folders = [await newFolder(storage, mine), await newFolder(storage, mine)];
          const links: Link[] = [];
          for (let n = 0; n < 70; n += 1) {
            const folderId = pick([...folders, undefined])?.id ?? null;
            links.unshift(await createAndRead(storage, mine, draft(`page-${n}`, { folderId })));
            if (n % 7 === 0) await storage.createLink(theirs, draft(`their-${n}`));
          }
          for (const { id } of links.splice(random(60), 5)) await storage.deleteLink(mine, id, t0);
          const compare = async (): Promise<void> => {
            const filters: [FolderFilter, (folderId: string | null) => boolean][] = [
              [all, () => true],
              [uncategorized, (folderId) => folderId === null],
              ...folders.map(({ id }): [FolderFilter, (folderId: string | null) => boolean] => [
                inFolder(id),
                (folderId) => folderId === id,
              ]),
            ];
            for (const [filter, isIn] of filters) {
              const wanted = links.filter(({ folderId }) => isIn(folderId)).map(({ code }) => code);
              for (const limit of [1, 2, 5]) {
                for (let offset = 0; offset < wanted.length + 2; offset += 1) {
                  const page = await storage.links(mine, filter, limit, offset);
                  assert.deepEqual(codesOf(page), wanted.slice(offset, offset + limit), `${limit} ${offset}`);
                  assert.equal(page.total, wanted.length);
                }
              }
            }
          };
          await compare();
          // Until the rows for a deleted folder's links are updated, links in no folder are listed by a different
          // query.
          const gone = folders.pop();
          assert.ok(await storage.deleteFolder(mine, gone?.id ?? '', 0));
          for (const [at, link] of links.entries())
            if (link.folderId === gone?.id) links[at] = { ...link, folderId: null };
          await compare();
        }));

      test('returns a page and total from one snapshot while links are created', () =>
        using(async (storage, { mine }) => {
          const { random } = createRandom(5);
          const ids: string[] = [];
          const creating = (async () => {
            for (let n = 0; n < 150; n += 1) {
              const link = draft(`new-${n}`);
              ids.push(link.id);
              await storage.createLink(mine, link);
            }
          })();
          let isDone = false;
          void creating.finally(() => {
            isDone = true;
          });
          const read = async (): Promise<void> => {
            while (!isDone) {
              await new Promise((resolve) => setImmediate(resolve));
              const offset = random(ids.length + 2);
              const { links, total } = await storage.links(mine, all, 2, offset);
              const expected = ids
                .slice(0, total)
                .reverse()
                .slice(offset, offset + 2);
              assert.deepEqual(
                links.map(({ id }) => id),
                expected,
                `${offset} of ${total}`,
              );
            }
          };
          await Promise.all([creating, read(), read(), read()]);
        }));

      test('returns newest ID and latest time across links and folders of all accounts', () =>
        using(async (storage, { mine, theirs }) => {
          assert.equal(await storage.newest(), undefined);
          const link = await createAndRead(storage, mine, draft('abc', { createdAt: t0 + 5 }));
          assert.deepEqual(await storage.newest(), { id: link.id, createdAt: t0 + 5 });
          const later = await newFolder(storage, theirs, 'Folder', t0 + 9);
          assert.deepEqual(await storage.newest(), { id: later.id, createdAt: t0 + 9 });
          const last = await createAndRead(storage, theirs, draft('def', { createdAt: t0 + 7 }));
          await storage.deleteLink(theirs, last.id, t0 + 20);
          assert.deepEqual(await storage.newest(), { id: last.id, createdAt: t0 + 9 });
        }));
    });

    describe('folders', () => {
      test('lists folders in pieces, and finds one', () =>
        using(async (storage, { mine, theirs }) => {
          const created = [];
          for (let n = 0; n < 7; n += 1) {
            created.push(await newFolder(storage, mine, `f${n}`));
            await newFolder(storage, theirs);
          }
          await storage.createLink(mine, draft('abc', { folderId: created[3]?.id ?? null }));
          const expected = created.map((one, n) => ({ ...one, linkCount: n === 3 ? 1 : 0 }));
          assert.deepEqual(await storage.folders(mine, 3), expected.slice(0, 3));
          assert.deepEqual(await storage.folders(mine, 3, created[2]?.id), expected.slice(3, 6));
          assert.deepEqual(await storage.folders(mine, 3, created[5]?.id), expected.slice(6));
          assert.deepEqual(await storage.folders(mine, 3, created[6]?.id), []);
          // If the folder at the end of a page is deleted, the next page still starts after that folder's position.
          assert.ok(await storage.deleteFolder(mine, created[3]?.id ?? '', 0));
          assert.deepEqual(await storage.folders(mine, 2, created[3]?.id), expected.slice(4, 6));
          assert.deepEqual(await storage.folder(mine, created[1]?.id ?? ''), expected[1]);
          for (const id of [created[3]?.id ?? '', nextId(), 'x'])
            assert.equal(await storage.folder(mine, id), undefined);
          assert.equal(await storage.folder(theirs, created[1]?.id ?? ''), undefined);
        }));

      test('enforces the limit for concurrent creates; keeps folders above it; a deletion makes room', () =>
        using(async (storage, { mine, theirs }) => {
          const make = (limit: number, account = mine) =>
            storage.createFolder(account, { id: nextId(), name: 'f', createdAt: t0, limit });
          const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => make(7)));
          const made = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
          assert.equal(made.length, 7);
          await fails(make(7), 'LIMIT_REACHED', /limit of 7 folders/);
          await fails(make(3), 'LIMIT_REACHED');
          assert.deepEqual(
            [(await storage.folders(mine, 100)).length, (await storage.usage(mine)).folders],
            [7, 7],
          );
          await make(1, theirs);
          const [first, second] = made.map(({ id }) => id);
          await storage.createLink(mine, draft('abc', { folderId: second ?? null }));
          assert.ok(await storage.deleteFolder(mine, first ?? '', t0));
          // The rows of this folder's links have not been updated yet.
          assert.ok(await storage.deleteFolder(mine, second ?? '', 0));
          assert.equal((await storage.usage(mine)).folders, 5);
          await make(7);
          await make(7);
          await fails(make(7), 'LIMIT_REACHED');
          await newFolder(storage, mine);
          assert.equal((await storage.usage(mine)).folders, 8);
        }));
    });

    test('does not restore a folder once its links were partly released', () =>
      using(async (storage, { mine }) => {
        const holder = await newFolder(storage, mine);
        for (const code of ['one', 'two', 'three'])
          await storage.createLink(mine, draft(code, { folderId: holder.id }));
        await storage.deleteFolder(mine, holder.id, t0 + 5);
        for (const [before, isWork] of [
          [t0 + 5, false],
          [t0 + 6, true],
        ] as const) {
          assert.equal(await storage.hasWork('emptyFolders', before), isWork);
          assert.equal(await storage.emptyFolders(before, 1), isWork);
        }
        assert.equal(await storage.restoreFolder(mine, holder.id), undefined);
        while (await storage.emptyFolders(farFuture, 1));
        assert.equal((await storage.links(mine, uncategorized, 10, 0)).total, 3);
      }));

    test('hides a deleted folder at once, before the rows of its links follow', () =>
      using(async (storage, { mine, theirs }) => {
        const { random, pick } = createRandom(7);
        /** A link in the model. `former` is the deleted folder that the link returns to if the folder is restored. */
        interface ModelLink {
          folderId: string | null;
          deleted: boolean;
          former?: string | undefined;
        }
        const links = new Map<string, ModelLink>();
        const [there, gone]: [string[], string[]] = [[], []];
        const live = (folderId?: string | null): string[] =>
          [...links]
            .filter(([, link]) => !link.deleted && (folderId === undefined || link.folderId === folderId))
            .map(([id]) => id)
            .reverse();
        const compare = async (): Promise<void> => {
          const filters: [FolderFilter, string[]][] = [
            [all, live()],
            [uncategorized, live(null)],
            ...there.map((id): [FolderFilter, string[]] => [inFolder(id), live(id)]),
            ...gone.map((id): [FolderFilter, string[]] => [inFolder(id), []]),
          ];
          for (const [filter, expected] of filters) {
            const whole = await storage.links(mine, filter, 1_000, 0);
            assert.deepEqual([whole.total, whole.links.map(({ id }) => id)], [expected.length, expected]);
            for (const { id, folderId } of whole.links) assert.equal(folderId, links.get(id)?.folderId);
            const offset = random(expected.length + 2);
            const part = await storage.links(mine, filter, 3, offset);
            assert.deepEqual(
              [part.total, part.links.map(({ id }) => id)],
              [expected.length, expected.slice(offset, offset + 3)],
            );
          }
          for (const [id, { folderId, deleted }] of links) {
            assert.equal((await storage.link(mine, id))?.link.folderId, deleted ? undefined : folderId);
          }
          const counted = (await storage.folders(mine, 10_000)).map(({ id, linkCount }) => [id, linkCount]);
          assert.deepEqual(
            counted,
            there.map((id) => [id, live(id).length]),
          );
          assert.deepEqual(await storage.usage(mine), { links: live().length, folders: there.length });
        };
        const change = async (step: number): Promise<void> => {
          const nothing: ModelLink = { folderId: null, deleted: true };
          const [id = nextId(), link = nothing] = pick([...links]) ?? [];
          const folderId = pick(there) ?? null;
          const former = pick(gone) ?? nextId();
          const kind = random(22);
          if (kind < 6) {
            links.set((await storage.createLink(mine, draft(`step-${step}`, { folderId }))).id, {
              folderId,
              deleted: false,
            });
          } else if (kind < 9 && !link.deleted) {
            const to = random(3) === 0 ? null : folderId;
            assert.equal((await storage.moveLink(mine, id, to, t0)).folderId, to);
            if (link.folderId !== to) link.former = undefined;
            link.folderId = to;
          } else if (kind < 11) {
            assert.equal(await storage.deleteLink(mine, id, t0), !link.deleted);
            link.deleted = true;
          } else if (kind < 13 && links.has(id)) {
            assert.equal((await storage.restoreLink(mine, id, t0)).folderId, link.folderId);
            link.deleted = false;
          } else if (kind < 15) {
            there.push((await newFolder(storage, mine)).id);
          } else if (kind < 17 && folderId !== null) {
            assert.equal(await storage.deleteFolder(theirs, folderId, t0), false);
            assert.equal(await storage.deleteFolder(mine, folderId, random(3)), true);
            there.splice(there.indexOf(folderId), 1);
            gone.push(folderId);
            for (const one of links.values()) {
              if (one.folderId !== folderId) continue;
              one.folderId = null;
              one.former = folderId;
            }
          } else if (kind >= 20) {
            assert.equal(await storage.restoreFolder(theirs, former), undefined);
            const restored = await storage.restoreFolder(mine, former);
            // Once a folder's links are detached, the folder can no longer be restored.
            if (step <= 200) assert.equal(restored?.id, gone.includes(former) ? former : undefined);
            if (restored === undefined) return;
            restores += 1;
            gone.splice(gone.indexOf(former), 1);
            there.push(former);
            there.sort();
            for (const one of links.values()) {
              if (one.former !== former) continue;
              one.folderId = former;
              one.former = undefined;
            }
            assert.equal(restored.linkCount, live(former).length);
          } else if (kind < 18) {
            assert.equal(await storage.deleteFolder(mine, former, 0), false);
            assert.equal(await storage.updateFolder(mine, former, { name: 'x' }, t0), undefined);
            await fails(
              storage.createLink(mine, draft(`step-${step}`, { folderId: former })),
              'FOLDER_NOT_FOUND',
            );
            if (!link.deleted) await fails(storage.moveLink(mine, id, former, t0), 'FOLDER_NOT_FOUND');
          } else if (step > 200) await storage.emptyFolders(farFuture, 1 + random(3));
        };
        let restores = 0;
        for (let step = 0; step < 300; step += 1) {
          await change(step);
          if (step % 15 === 0) await compare();
        }
        assert.ok(gone.length > 5 && links.size > 50 && restores > 3);
        while (await storage.emptyFolders(farFuture, 2)) await compare();
        await compare();
      }));

    test('keeps counters exact and acknowledged changes valid while a folder is deleted', () =>
      using(async (storage, { mine }) => {
        const { random } = createRandom(11);
        const other = (await newFolder(storage, mine)).id;
        for (let round = 0; round < 12; round += 1) {
          const holder = (await newFolder(storage, mine)).id;
          const created = await Promise.all(
            Array.from({ length: 12 }, (_, n) =>
              storage.createLink(mine, draft(`round-${round}-${n}`, { folderId: holder })),
            ),
          );
          const restored = created.slice(0, 3).map(({ id }) => id);
          for (const id of restored) await storage.deleteLink(mine, id, t0);
          const changes: (() => Promise<unknown>)[] = created.slice(3).map(
            ({ id }, n) =>
              () =>
                n % 3 === 0
                  ? storage.deleteLink(mine, id, t0)
                  : storage
                      .moveLink(mine, id, n % 3 === 1 ? other : null, t0)
                      .then(({ folderId }) => assert.equal(folderId, n % 3 === 1 ? other : null)),
          );
          for (const id of restored) changes.push(() => storage.restoreLink(mine, id, t0));
          for (let n = 0; n < 3; n += 1) {
            changes.push(() => storage.createLink(mine, draft(`new-${round}-${n}`, { folderId: holder })));
            changes.push(() => storage.emptyFolders(farFuture, 4));
          }
          const comesBack = round % 4 === 1;
          if (comesBack)
            for (let n = 0; n < 3; n += 1) changes.push(() => storage.restoreFolder(mine, holder));
          let deleted = 0;
          const whole = async () => {
            const itWas = await storage.deleteFolder(mine, holder, round % 3 === 0 ? 1_000 : 0);
            deleted += Number(itWas);
          };
          changes.splice(random(changes.length), 0, whole, whole);
          const results = await Promise.allSettled(changes.map((change) => change()));
          for (const result of results) {
            if (result.status === 'rejected') {
              assert.ok(result.reason instanceof Failure, String(result.reason));
              assert.equal(result.reason.code, 'FOLDER_NOT_FOUND');
            }
          }
          if (comesBack) {
            const back = await storage.restoreFolder(mine, holder);
            const page = await storage.links(mine, inFolder(holder), 1_000, 0);
            if (back !== undefined)
              assert.deepEqual([back.linkCount, page.total], Array(2).fill(page.links.length));
            deleted = 0;
            await whole();
            if (back === undefined) deleted = 1;
          }
          for (const [n, { id }] of created.slice(3).entries()) {
            if (n % 3 === 0) continue;
            assert.equal((await storage.link(mine, id))?.link.folderId, n % 3 === 1 ? other : null);
          }
          const everything = await storage.links(mine, all, 1_000, 0);
          assert.equal(everything.total, everything.links.length);
          assert.ok(everything.links.every(({ folderId }) => folderId === null || folderId === other));
          for (const wanted of [null, other]) {
            const filter = wanted === null ? uncategorized : inFolder(wanted);
            const page = await storage.links(mine, filter, 1_000, 0);
            assert.equal(page.total, page.links.length);
            assert.equal(page.total, everything.links.filter(({ folderId }) => folderId === wanted).length);
          }
          assert.equal((await storage.folders(mine, 10_000)).length, 1);
          assert.equal(deleted, 1);
        }
        while (await storage.emptyFolders(farFuture, 100));
      }));

    test('enforces the limit for concurrent shares; an expired one makes room', () =>
      using(async (storage, { mine }) => {
        const { id } = await storage.createLink(mine, draft('shared'));
        const share = (byte: number, createdAt: number, expiresAt: number | null = null) =>
          storage.shareLink(mine, id, {
            id: nextId(),
            digest: new Uint8Array(32).fill(byte),
            createdAt,
            expiresAt,
          });
        await share(1, t0, t0 + hour);
        const made = await Promise.allSettled(
          Array.from({ length: 103 }, (_, at) => share(2 + at, t0 + hour)),
        );
        assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 100);
        assert.equal((await storage.shares(mine, id))?.length, 100);
        await fails(share(200, t0 + hour), 'LIMIT_REACHED', /limit of 100 shares/);
      }));

    describe('accounts and keys', () => {
      test('creates an account name once, and lists accounts with their live links', () =>
        using(async (storage, { mine, theirs }) => {
          assert.equal(await storage.createAccount('mine', t0), undefined);
          await storage.createLink(mine, draft('abc'));
          assert.deepEqual(await storage.accounts(), [
            { id: mine, name: 'mine', createdAt: t0, suspendedAt: null, links: 1 },
            { id: theirs, name: 'theirs', createdAt: t0, suspendedAt: null, links: 0 },
          ]);
        }));

      test('rejects account names that differ only in case, even concurrently', () =>
        using(async (storage) => {
          assert.equal(await storage.createAccount('Mine', t0), undefined);
          await fails(
            storage.createKey(keyOf('key00009', { account: 'MINE' })),
            'VALIDATION_ERROR',
            /"mine".*"MINE"/,
          );
          assert.deepEqual([await storage.keys(), (await storage.accounts()).length], [[], 2]);
          const names = ['straße', 'STRASSE', 'Éa', 'E\u0301A', 'éa', 'ab', 'aB', 'Ab', 'AB', 'ａｂ'];
          const made = await Promise.all(names.map((name) => storage.createAccount(name, t0)));
          const retained = made.flatMap((account) => (account === undefined ? [] : [account.name]));
          assert.equal(retained.length, 4, retained.join());
          assert.equal(new Set(retained.map((name) => name.normalize('NFKC').toLowerCase())).size, 4);
          const tries = names.map((account, at) =>
            storage.createKey(keyOf(`case000${at}`, { account: `${account}2` })).catch((error) => error),
          );
          const keys = (await Promise.all(tries)).filter((key) => !(key instanceof Failure));
          assert.equal(new Set(keys.map(({ account }) => account)).size, 4);
          assert.equal((await storage.accounts()).length, 10);
        }));

      test('gives the first key to an account with the name in another case', () =>
        using(async (storage, { mine }) => {
          const key = await storage.createFirstKey(keyOf('first', { account: 'MINE' }));
          assert.deepEqual([key?.accountId, key?.account], [mine, 'mine']);
        }));

      test('finds a key with its digest, and creates its account if new', () =>
        using(async (storage, { mine }) => {
          assert.equal(await storage.hasKeys(), false);
          const created = await storage.createKey(keyOf('key00001'));
          const expected = {
            id: 'key00001',
            accountId: created.accountId,
            account: 'acme',
            accountSuspended: false,
            name: 'test',
            plan: 'pro',
            scopes: ['links:read', 'links:write'],
            createdAt: t0,
            expiresAt: null,
            revokedAt: null,
            lastUsedAt: null,
          };
          assert.deepEqual(created, expected);
          const found = await storage.findKey('key00001');
          assert.deepEqual(
            { ...found, digest: Buffer.from(found?.digest ?? []) },
            { ...expected, digest: digestOf('key00001') },
          );
          assert.equal(await storage.hasKeys(), true);
          assert.equal(await storage.findKey('KEY00001'), undefined);
          const other = await storage.createKey(
            keyOf('key00002', { account: 'mine', scopes: [], expiresAt: t0 + 1 }),
          );
          assert.equal(other.accountId, mine);
          assert.deepEqual([other.scopes, other.expiresAt], [[], t0 + 1]);
          assert.deepEqual(await storage.keys('mine'), [other]);
          assert.deepEqual(await storage.keys(), [created, other]);
          assert.deepEqual(await storage.keys('unknown'), []);
          await assert.rejects(storage.createKey(keyOf('key00001')));
        }));

      test('gives a rotated key a successor and never a later end', () =>
        using(async (storage) => {
          const old = await storage.createKey(
            keyOf('old00001', { plan: 'free', scopes: ['links:read'], name: 'CI' }),
          );
          const next = { id: 'new00001', digest: digestOf('new'), createdAt: t0 + 5, oldExpiresAt: t0 + 10 };
          const made = await storage.rotateKey('old00001', next);
          assert.deepEqual(made, { ...old, id: 'new00001', createdAt: t0 + 5, oldExpiresAt: t0 + 10 });
          assert.equal((await storage.findKey('old00001'))?.expiresAt, t0 + 10);
          await storage.createKey(keyOf('soon0001', { expiresAt: t0 + 7 }));
          assert.equal((await storage.rotateKey('soon0001', { ...next, id: 'new00002' })).expiresAt, t0 + 7);
          assert.equal((await storage.findKey('soon0001'))?.expiresAt, t0 + 7);
          await storage.createKey(keyOf('late0001', { expiresAt: t0 + 70 }));
          assert.equal((await storage.rotateKey('late0001', { ...next, id: 'new00004' })).expiresAt, t0 + 70);
          assert.equal((await storage.findKey('late0001'))?.expiresAt, t0 + 10);
          // A key that has already been rotated cannot be rotated again, even during its grace period.
          await fails(
            storage.rotateKey('late0001', { ...next, id: 'new00003' }),
            'INVALID_API_KEY',
            /late0001.*rotated.*new00004/,
          );
          await storage.createKey(keyOf('over0001', { expiresAt: next.createdAt }));
          await fails(
            storage.rotateKey('over0001', { ...next, id: 'new00003' }),
            'EXPIRED_API_KEY',
            /over0001.*expired.*keys create/,
          );
          await storage.revokeKey('new00002', t0);
          for (const id of ['new00002', 'unknown']) {
            await fails(storage.rotateKey(id, { ...next, id: 'new00003' }), 'INVALID_API_KEY');
          }
          assert.equal(await storage.findKey('new00003'), undefined);
        }));

      test('marks keys of a suspended account until it is resumed', () =>
        using(async (storage) => {
          await storage.createKey(keyOf('key00001'));
          assert.equal(await storage.suspendAccount('acme', t0), true);
          assert.equal((await storage.findKey('key00001'))?.accountSuspended, true);
          assert.equal(await storage.suspendAccount('acme', null), true);
          assert.equal((await storage.findKey('key00001'))?.accountSuspended, false);
          assert.equal(await storage.suspendAccount('unknown', t0), false);
        }));

      test('keeps the latest use, ignoring late reports', () =>
        using(async (storage) => {
          await storage.createKey(keyOf('key00001'));
          await storage.touchKeys([
            { id: 'key00001', at: t0 + 5 },
            { id: 'unknown', at: t0 },
          ]);
          await storage.touchKeys([{ id: 'key00001', at: t0 + 1 }]);
          assert.equal((await storage.findKey('key00001'))?.lastUsedAt, t0 + 5);
          await storage.touchKeys([]);
        }));
    });

    describe('clicks', () => {
      const sums = (...numbers: number[]): Float64Array<ArrayBuffer> => new Float64Array(numbers);
      const h = hourOf(t0);

      test('adds clicks once, with their journal offset', () =>
        using(async (storage, { mine }) => {
          const link = await createAndRead(storage, mine, draft('abc'));
          const other = await createAndRead(storage, mine, draft('def'));
          const row = (await storage.link(mine, link.id))?.link.row ?? 0;
          const batch = {
            journal: 'here',
            from: 0,
            to: 100,
            sums: sums(row, h, 0, 5, row, h, 1, 2, row, h + 1, 0, 1),
          };
          assert.equal(await storage.appliedTo('here'), 0);
          assert.equal(await storage.applyClicks(batch), true);
          assert.equal(await storage.applyClicks(batch), false, 'a replay');
          assert.equal(batch.sums.length, 12, 'the caller keeps its numbers');
          assert.equal(await storage.appliedTo('here'), 100);
          assert.equal(await storage.appliedTo('elsewhere'), 0);
          const found = await storage.link(mine, link.id);
          assert.deepEqual([found?.link.clicks, found?.appliedTo], [8, 100]);
          const page = await storage.links(mine, all, 10, 0);
          assert.deepEqual([page.links.map((one) => one.clicks), page.appliedTo], [[0, 8], 100]);
          assert.equal((await storage.links(mine, all, 10, 99)).appliedTo, 100);
          assert.equal((await storage.updateLink(mine, link.id, { title: 'x' }, t0))?.clicks, 8);
          assert.equal((await storage.link(mine, other.id))?.link.clicks, 0);
          assert.equal(await storage.applyClicks({ ...batch, from: 99, to: 200 }), false);
          assert.equal(await storage.applyClicks({ ...batch, journal: 'new', from: 7, to: 200 }), false);
          assert.equal(
            await storage.applyClicks({ ...batch, from: 100, to: 200, sums: sums(row, h, 0, 1) }),
            true,
          );
          assert.equal((await storage.link(mine, link.id))?.link.clicks, 9);
          await assert.rejects(storage.applyClicks({ ...batch, from: 200, to: 200 }), /does not advance/);
        }, 'here'));

      test('stores individual clicks in the same transaction as their sums', () =>
        using(async (storage, { mine }, url) => {
          const link = await createAndRead(storage, mine, draft('abc'));
          const row = (await storage.link(mine, link.id))?.link.row ?? 0;
          const collector = createClickCollector();
          // Enough clicks for more than one piece of records.
          const clicks = Array.from({ length: 2_000 }, (_, at) => {
            const words = { utmSource: 'ü'.repeat(100), referrer: at % 2 === 0 ? 'x.example' : '' };
            const click = { account: mine, row, at: t0 + at, ...unknownFacts(at % 4), ...words };
            collector.add(mine, row, click.at, click);
            return click;
          });
          const records = collector.take();
          assert.ok(records.length > 1);
          const batch = { journal: 'j', from: 0, to: 9, sums: sums(row, h, 0, clicks.length), records };
          const done = await Promise.all(Array.from({ length: 5 }, () => storage.applyClicks(batch)));
          assert.equal(done.filter(Boolean).length, 1);
          assert.ok(
            records.every(({ bytes }) => bytes.length > 0),
            'the caller keeps its bytes',
          );
          assert.deepEqual(await retainedClicks(url), clicks);
          // If one piece of records is rejected, no part of the batch is stored.
          const bad = { layout: 4, clicks: null as unknown as number, bytes: new Uint8Array(1) };
          await assert.rejects(
            storage.applyClicks({ ...batch, from: 9, to: 10, records: [...records, bad] }),
          );
          assert.equal(await storage.appliedTo('j'), 9);
          assert.equal((await storage.link(mine, link.id))?.link.clicks, clicks.length);
          assert.equal((await retainedClicks(url)).length, clicks.length);
        }));

      test('skips clicks on unknown links; a deleted link keeps its own', () =>
        using(async (storage, { mine }) => {
          const link = await createAndRead(storage, mine, draft('abc'));
          const row = (await storage.link(mine, link.id))?.link.row ?? 0;
          await storage.deleteLink(mine, link.id, t0);
          const batch = { journal: 'j', from: 0, to: 1, sums: sums(row, h, 3, 4, row + 999, h, 0, 1) };
          assert.equal(await storage.applyClicks(batch), true);
          assert.equal((await storage.restoreLink(mine, link.id, t0)).clicks, 4);
          assert.equal(await storage.applyClicks({ journal: 'j', from: 1, to: 2, sums: sums() }), true);
        }));

      test('returns the same before, between and after the slices of a fold', () =>
        using(async (storage, { mine }) => {
          const links: { id: string; row: number; clicks: number }[] = [];
          for (const name of ['a', 'b', 'c', 'd', 'e']) {
            const { id } = await storage.createLink(mine, draft(`${name}${name}${name}`));
            links.push({ id, row: (await storage.link(mine, id))?.link.row ?? 0, clicks: 0 });
          }
          let to = 0;
          const apply = async (clicks: number): Promise<void> => {
            const numbers = links.slice(1).flatMap((link, index) => {
              link.clicks += clicks * (index + 2);
              return [link.row, h, 0, clicks, link.row, h + index, 1, clicks * (index + 1)];
            });
            const batch = { journal: 'here', from: to, to: to + 10, sums: sums(...numbers) };
            assert.equal(await storage.applyClicks(batch), true);
            to += 10;
          };
          const hold = async (): Promise<void> => {
            const expected = links.map(({ id, clicks }) => [id, clicks]);
            const page = await storage.links(mine, all, 10, 0);
            assert.deepEqual(page.links.map(({ id, clicks }) => [id, clicks]).reverse(), expected);
            assert.equal(page.appliedTo, to);
            for (const { id, clicks } of links) {
              const found = await storage.link(mine, id);
              assert.deepEqual([found?.link.clicks, found?.appliedTo], [clicks, to]);
              assert.equal((await storage.moveLink(mine, id, null, t0)).clicks, clicks);
            }
          };
          for (const most of [1, 3, 100]) {
            await apply(1);
            await apply(5);
            await hold();
            const reached: number[] = [];
            for (let after = 0; ; after = reached.at(-1) ?? 0) {
              const row = await storage.rollUpClicks(after, most);
              await hold();
              if (row === undefined) break;
              reached.push(row);
              if (most === 3) await apply(2);
              await hold();
            }
            const rows = links.slice(1).map(({ row }) => row);
            if (most === 1) assert.deepEqual(reached, rows, 'one link at a time, in order');
            assert.equal(reached.at(-1), rows.at(-1));
          }
        }, 'here'));

      test('keeps clicks on a deleted link in a fold', () =>
        using(async (storage, { mine }) => {
          const link = await createAndRead(storage, mine, draft('abc'));
          const row = (await storage.link(mine, link.id))?.link.row ?? 0;
          await storage.applyClicks({ journal: 'j', from: 0, to: 1, sums: sums(row, h, 0, 4) });
          await storage.deleteLink(mine, link.id, t0);
          assert.equal(await storage.rollUpClicks(0, 10), row);
          assert.equal(await storage.rollUpClicks(0, 10), undefined);
          assert.equal((await storage.restoreLink(mine, link.id, t0)).clicks, 4);
        }));

      test('counts each click once while several fold and others add', () =>
        using(async (storage, { mine }, url) => {
          const second = await openStorage(url);
          try {
            const ids: string[] = [];
            for (let n = 0; n < 20; n += 1) ids.push((await storage.createLink(mine, draft(`hot-${n}`))).id);
            const rows = await storage.rowsOf(ids.map(hexOf));
            const everyRow = [...rows.values()].map(({ row }) => row);
            let adding = true;
            const add = async (by: Storage, journal: string): Promise<void> => {
              for (let at = 0; at < 30; at += 1) {
                const numbers = everyRow.flatMap((row) => [row, h + (at % 2), at % 4, 1]);
                await by.applyClicks({ journal, from: at, to: at + 1, sums: sums(...numbers) });
              }
            };
            const fold = async (by: Storage): Promise<void> => {
              let after: number | undefined;
              while (adding || after !== undefined) after = await by.rollUpClicks(after ?? 0, 7);
            };
            const folds = [storage, second, second].map(fold);
            await Promise.all([add(storage, 'one'), add(second, 'two')]);
            adding = false;
            await Promise.all(folds);
            // The last roll-up of each loop may have started before the last clicks were added, so roll up again.
            for (let after = 0; ; ) {
              const reached = await storage.rollUpClicks(after, 7);
              if (reached === undefined) break;
              assert.ok(reached > after);
              after = reached;
            }
            assert.equal(await storage.rollUpClicks(0, 1), undefined);
            for (const one of [storage, second]) {
              const page = await one.links(mine, all, 100, 0);
              assert.deepEqual(new Set(page.links.map(({ clicks }) => clicks)), new Set([60]));
            }
          } finally {
            await second.close();
          }
        }));

      test("adds the nodes' limit counts, however often they are reported", () =>
        using(async (storage) => {
          const uses = (count: number, from = 0) =>
            Array.from({ length: 100 }, (_, n) => ({ name: `name-${from + n}`, uses: count }));
          assert.deepEqual(await storage.shareUses(1, t0, uses(3)), []);
          for (const count of [4, 5, 5]) await storage.shareUses(2, t0, uses(count, 50));
          await storage.shareUses(2, t0 + 60_000, uses(9));
          const heard = await storage.shareUses(3, t0, [...uses(1), { name: 'mine alone', uses: 7 }]);
          const sums = new Map(heard.map((one) => [one.name, one.uses]));
          assert.deepEqual([sums.size, sums.get('name-0'), sums.get('name-99')], [100, 3, 8]);
          assert.equal((await storage.shareUses(1, t0, [{ name: 'name-99', uses: 4 }]))[0]?.uses, 6);
          await storage.deleteOldUses(t0 + 60_000);
          assert.deepEqual(await storage.shareUses(1, t0, uses(1)), []);
          assert.equal((await storage.shareUses(1, t0 + 60_000, uses(1))).length, 100);
        }));

      test('gives a lease to one of many, and the next an interval later', () =>
        using(async (storage) => {
          const ask = (at: number) =>
            Promise.all(Array.from({ length: 8 }, () => storage.acquireLease('fold', at, 1_000)));
          for (const at of [t0, t0 + 1_000, t0 + 9_000]) {
            assert.deepEqual((await ask(at)).filter(Boolean), [true], `at ${at - t0}`);
            assert.ok(!(await ask(at + 999)).includes(true));
          }
          assert.equal(await storage.acquireLease('else', t0, 1_000), true);
          assert.equal(
            await storage.acquireLease('fold', t0, 1_000),
            true,
            'a lease taken in the future is ignored',
          );
        }));

      test('starts a forgotten journal at 0', () =>
        using(async (storage) => {
          await storage.applyClicks({ journal: 'j', from: 0, to: 5, sums: sums() });
          await storage.deleteJournal('j');
          await storage.deleteJournal('never there');
          assert.equal(await storage.appliedTo('j'), 0);
        }));
    });

    describe('once', () => {
      const token = (accountId: number, more: Partial<IdempotencyClaim> = {}): IdempotencyClaim => ({
        accountId,
        key: 'key-1',
        fingerprint: 'print',
        at: t0,
        ...more,
      });

      test('returns the first response to a repeated request, without a second effect', () =>
        using(async (storage, { mine, theirs }) => {
          const create = (account: number, more: Partial<IdempotencyClaim> = {}) =>
            storage.idempotent(token(account, more), (writes) =>
              writes.createLink(
                account,
                draft([`code-${nextId().slice(-8)}`, nextId()], { title: 'T', expiresAt: t0 + 5 }),
              ),
            );
          const first = await create(mine);
          assert.equal(first.replayed, false);
          assert.deepEqual(await create(mine), { value: first.value, replayed: true });
          assert.deepEqual(await create(mine, { at: t0 + 86_399_999 }), {
            value: first.value,
            replayed: true,
          });
          assert.equal((await storage.links(mine, all, 10, 0)).total, 1);
          assert.equal((await create(theirs)).replayed, false, 'keys belong to accounts');
          assert.equal((await create(mine, { key: 'key-2' })).replayed, false);
          assert.equal(await storage.findIdempotencyKey(mine, 'key-1', t0 + 1), 'print');
          assert.equal(await storage.findIdempotencyKey(mine, 'key-1', t0 + 86_400_000), undefined);
          assert.equal(await storage.findIdempotencyKey(mine, 'key-9', t0), undefined);
          const again = await create(mine, { at: t0 + 86_400_000, fingerprint: 'other' });
          assert.equal(again.replayed, false, 'after 24 hours the key is new');
          assert.notEqual(again.value.id, first.value.id);
          assert.equal(await storage.findIdempotencyKey(mine, 'key-1', t0 + 86_400_000), 'other');
        }));

      test('stores no hash in the result, only that there is one', () =>
        using(async (storage, { mine }) => {
          const { id } = await storage.createLink(mine, draft('abc'));
          const change = () =>
            storage.idempotent(token(mine), (writes) =>
              writes.updateLink(mine, id, { password: 'a hash' }, t0 + 1),
            );
          const { value } = await change();
          assert.equal(value?.password, 'a hash');
          assert.deepEqual(await change(), { value: { ...value, password: '' }, replayed: true });
        }));

      test('stores no failure and no write that found nothing', () =>
        using(async (storage, { mine }) => {
          const holder = await createAndRead(storage, mine, draft('abc'));
          const create = () =>
            storage.idempotent(token(mine), (writes) => writes.createLink(mine, draft('ABC')));
          await fails(create(), 'CUSTOM_CODE_TAKEN');
          assert.equal(await storage.findIdempotencyKey(mine, 'key-1', t0), undefined);
          const missing = await storage.idempotent(token(mine), (writes) =>
            writes.updateLink(mine, nextId(), { title: 'x' }, t0),
          );
          assert.deepEqual(missing, { value: undefined, replayed: false });
          assert.equal(await storage.findIdempotencyKey(mine, 'key-1', t0), undefined);
          await storage.deleteLink(mine, holder.id, t0);
          assert.equal((await create()).replayed, false);
          assert.equal((await create()).replayed, true);
        }));

      test('allows a retry in the same request after a failure, but no second effect', () =>
        using(async (storage, { mine }) => {
          await storage.createLink(mine, draft('abc'));
          const { value } = await storage.idempotent(token(mine), async (writes) => {
            await fails(writes.createLink(mine, draft('abc')), 'CUSTOM_CODE_TAKEN');
            const made = await writes.createLink(mine, draft('def'));
            await assert.rejects(writes.createLink(mine, draft('ghi')), /one write/);
            return made.code;
          });
          assert.equal(value, 'def');
          assert.equal(await storage.findTarget('ghi'), undefined);
        }));

      test('removes old keys on request', () =>
        using(async (storage, { mine }) => {
          for (const [key, at] of [
            ['a', t0],
            ['b', t0 + 1],
            ['c', t0 + 2],
          ] as const) {
            await storage.idempotent(token(mine, { key, at }), (writes) =>
              newFolder({ ...storage, ...writes }, mine),
            );
          }
          assert.equal(await storage.deleteOldIdempotencyKeys(t0 + 2, 1), 1);
          assert.equal(await storage.deleteOldIdempotencyKeys(t0 + 2, 10), 1);
          assert.equal(await storage.findIdempotencyKey(mine, 'c', t0 + 2), 'print');
          assert.equal(await storage.findIdempotencyKey(mine, 'a', t0 + 2), undefined);
        }));
    });

    test('reports whether more links wait for the text index than allowed', () =>
      using(async (storage, { mine }) => {
        while (await storage.indexLinks(100));
        for (const code of ['one', 'two', 'three']) await storage.createLink(mine, draft(code));
        assert.equal(await storage.hasWork('indexLinks', 3), false);
        assert.equal(await storage.hasWork('indexLinks', 2), true);
        assert.equal(await storage.hasWork('indexLinks'), true);
        while (await storage.indexLinks(100));
        assert.equal(await storage.hasWork('indexLinks'), false);
      }));

    test('reports whether background work would find anything', () =>
      using(async (storage, { mine }) => {
        const workBefore = async (before: number): Promise<boolean[]> => {
          const answers: boolean[] = [];
          for (const work of [
            'rollUpClicks',
            'emptyFolders',
            'deleteOldIdempotencyKeys',
            'deleteOldUses',
          ] as const)
            answers.push(await storage.hasWork(work, before));
          return answers;
        };
        const nothing = [false, false, false, false];
        assert.deepEqual(await workBefore(t0 + 1), nothing);
        const { id: folderId } = await newFolder(storage, mine);
        for (const code of ['one', 'two', 'three']) await storage.createLink(mine, draft(code, { folderId }));
        const { links } = await storage.links(mine, all, 1, 0);
        const row = links[0]?.row ?? 0;
        await storage.applyClicks({
          journal: 'here',
          from: 0,
          to: 10,
          sums: new Float64Array([row, 500_000, 0, 5]),
        });
        await storage.deleteFolder(mine, folderId, 1);
        const once = { accountId: mine, key: 'key', fingerprint: 'print', at: t0 };
        await storage.idempotent(once, (writes) => newFolder({ ...storage, ...writes }, mine));
        await storage.shareUses(1, t0, [{ name: 'mine', uses: 1 }]);
        assert.deepEqual(await workBefore(t0 + 1), [true, true, true, true]);
        assert.deepEqual(await workBefore(t0), [true, true, false, false], 'nothing is old enough');
        // Simulates a clock that was more than a day ahead when the key was stored.
        assert.equal(await storage.hasWork('deleteOldIdempotencyKeys', t0 - 3 * 86_400_000), true);
        await storage.rollUpClicks(0, 10);
        while (await storage.emptyFolders(farFuture, 1));
        await storage.deleteOldIdempotencyKeys(t0 + 1, 10);
        await storage.deleteOldUses(t0 + 1);
        assert.deepEqual(await workBefore(t0 + 1), nothing);
      }));

    describe('transactions', () => {
      test('leaves nothing of a write that fails midway, and keeps the others in the commit', () =>
        using(async (storage, { mine }) => {
          const holder = await newFolder(storage, mine);
          await storage.createLink(mine, draft('taken'));
          const writes = Array.from({ length: 200 }, (_, n) =>
            storage.createLink(mine, draft(n % 10 === 7 ? 'taken' : `code-${n}`, { folderId: holder.id })),
          );
          const outcomes = await Promise.allSettled(writes);
          assert.deepEqual(
            outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : [])),
            Array.from({ length: 20 }, (_, n) => n * 10 + 7),
          );
          const page = await storage.links(mine, inFolder(holder.id), 1_000, 0);
          assert.equal(page.total, 180);
          assert.equal(page.links.length, 180);
          assert.equal((await storage.links(mine, all, 1, 0)).total, 181);
        }));

      test('reads acknowledged changes at once, even while others write', () =>
        using(async (storage, { mine }) => {
          await Promise.all(
            Array.from({ length: 300 }, async (_, n) => {
              await storage.createLink(mine, draft(`code-${n}`));
              assert.ok(await storage.findTarget(`code-${n}`));
            }),
          );
        }));

      test('keeps everything after closing and reopening', () =>
        using(async (storage, { mine }, url) => {
          const holder = await newFolder(storage, mine);
          const link = await createAndRead(storage, mine, draft('Abc', { folderId: holder.id, title: 'T' }));
          const row = (await storage.link(mine, link.id))?.link.row ?? 0;
          await storage.createKey(keyOf('key00001'));
          await storage.applyClicks({ journal: 'j', from: 0, to: 9, sums: new Float64Array([row, 1, 0, 3]) });
          const token = { accountId: mine, key: 'k', fingerprint: 'f', at: t0 };
          const first = await storage.idempotent(token, (writes) => writes.createLink(mine, draft('once')));
          const state = async (one: Storage) => [
            await one.links(mine, all, 10, 0),
            await one.folders(mine, 10_000),
            await one.keys(),
            await one.accounts(),
            await one.appliedTo('j'),
          ];
          const before = await state(storage);
          await storage.close();
          await storage.close();
          const reopened = await openStorage(url);
          try {
            assert.deepEqual(await state(reopened), before);
            const again = await reopened.idempotent(token, (writes) =>
              writes.createLink(mine, draft('once')),
            );
            assert.deepEqual(again, { value: first.value, replayed: true });
          } finally {
            await reopened.close();
          }
        }));

      test('ping succeeds; a closed storage refuses', () =>
        using(async (storage, { mine }) => {
          await storage.ping();
          await storage.ping();
          await storage.close();
          await fails(storage.ping(), 'STORAGE_UNAVAILABLE');
          await fails(storage.createLink(mine, draft('abc')), 'STORAGE_UNAVAILABLE');
          await fails(
            Promise.try(() => storage.findTarget('abc')),
            'STORAGE_UNAVAILABLE',
          );
          await fails(
            Promise.try(() => storage.links(mine, all, 1, 0)),
            'STORAGE_UNAVAILABLE',
          );
        }));

      test('refuses writes above 10,000 waiting ones at once', () =>
        using(async (storage) => {
          const writes = Array.from({ length: 10_050 }, () => storage.revokeKey('unknown', t0));
          const outcomes = await Promise.allSettled(writes);
          const refused = outcomes.flatMap((one) =>
            one.status === 'rejected' ? [(one.reason as Failure).code] : [],
          );
          assert.deepEqual([...new Set(refused)], ['OVERLOADED']);
          assert.equal(refused.length, 50);
          await storage.ping();
        }));
    });
  });
}

test('rejects an unknown scheme with the expected ones', async () => {
  for (const url of ['mysql://x', 'links.db', '', 'sqlite:', 'sqlite::memory:']) {
    await assert.rejects(openStorage(url), /DATABASE_URL must .*sqlite:PATH/);
  }
});
