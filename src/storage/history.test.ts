import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { createRandom } from '../../test/support/random/random.ts';
import { type AccountEvent, changesOf, type Fields } from '../model/history/events.ts';
import type { NewLink } from '../model/links/link-records.ts';
import type { Storage } from '../model/storage.ts';
import { openStorage } from './open.ts';
import { newLink, nextId } from './storage.fixtures.ts';

const by = { kind: 'key', id: 'k', name: 'deploy', requestId: 'r', at: 1_000 } as const;

/** Replays the event log from an empty state. @returns the resulting state of each link, by ID */
function replayed(events: readonly AccountEvent[]): ReadonlyMap<string, Fields> {
  const links = new Map<string, Record<string, unknown>>();
  for (const event of events) {
    const { name, targetId, revision } = event;
    if (!name.startsWith('link.') || targetId === null || revision === null) continue;
    const link: Record<string, unknown> = links.get(targetId) ?? { revision: 0 };
    assert.equal(revision, Number(link['revision']) + 1, `${name} of ${targetId}`);
    for (const [field, { from, to }] of Object.entries(changesOf(event))) {
      if (!silent(from) || !silent(link[field])) assert.deepEqual(from, link[field], `${name}: ${field}`);
      link[field] = to;
    }
    link['isGone'] = name === 'link.deleted' || (link['isGone'] === true && name !== 'link.restored');
    links.set(targetId, Object.assign(link, { revision }));
  }
  return links;
}

function silent(value: unknown): boolean {
  return value === undefined || value === null || value === 0 || (Array.isArray(value) && value.length === 0);
}

for (const engine of engines) {
  describe(`history on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    const opened = async (work: (storage: Storage, accountId: number) => Promise<void>): Promise<void> => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url);
      try {
        await work(storage, (await storage.createAccount('mine', 1))?.id ?? 0);
      } finally {
        await storage.close();
        await engine.drop(url);
      }
    };
    const log = async (storage: Storage, accountId?: number): Promise<AccountEvent[]> => {
      const events: AccountEvent[] = [];
      for (let after = 0; ; ) {
        const page = await storage.followEvents(after, 100, accountId);
        events.push(...page.events);
        after = page.events.at(-1)?.seq ?? after;
        if (!page.hasMore && page.head !== undefined) return events;
      }
    };

    test('records nothing for a change without effect or a rejected one', () =>
      opened(async (storage, accountId) => {
        const writes = storage.writesBy(by);
        const { id } = await writes.createLink(accountId, newLink('abc', { title: 'one' }));
        const same = await writes.updateLink(accountId, id, { title: 'one' }, 2);
        assert.equal(same?.revision, 1);
        const other = await writes.updateLink(accountId, id, { title: 'two', password: 'a-hash' }, 3);
        assert.equal(other?.revision, 2);
        await assert.rejects(writes.updateLink(accountId, id, { title: 'three' }, 4, [1]), {
          code: 'REVISION_MISMATCH',
          facts: { revision: 2 },
        });
        await assert.rejects(writes.deleteLink(accountId, id, 4, [1]), { code: 'REVISION_MISMATCH' });
        assert.equal((await writes.updateLink(accountId, id, { title: 'three' }, 5, [1, 2]))?.revision, 3);
        const events = (await storage.linkEvents(accountId, id, 10)) ?? [];
        assert.deepEqual(
          events.map((event) => [event.name, event.revision, changesOf(event)]),
          [
            ['link.updated', 3, { title: { from: 'two', to: 'three' } }],
            ['link.updated', 2, { title: { from: 'one', to: 'two' }, password: { from: null, to: true } }],
            [
              'link.created',
              1,
              {
                code: { from: null, to: 'abc' },
                destination: { from: null, to: 'https://example.com/' },
                title: { from: null, to: 'one' },
              },
            ],
          ],
        );
        assert.deepEqual(
          [events[0]?.actor, events[0]?.requestId, events[0]?.at],
          [{ kind: 'key', id: 'k', name: 'deploy' }, 'r', 5],
        );
        assert.ok(!JSON.stringify(events).includes('a-hash'));
        // Another account cannot see the link's events.
        const other2 = (await storage.createAccount('other', 1))?.id ?? 0;
        assert.equal(await storage.linkEvents(other2, id, 10), undefined);
        assert.deepEqual(await storage.accountEvents(other2, { limit: 10, targetId: id }), []);
        const reported = await log(storage, other2);
        assert.deepEqual(
          reported.map(({ name }) => name),
          ['account.created'],
          'only its own entries',
        );
      }));

    test('lets one of several writers of the same revision succeed', () =>
      opened(async (storage, accountId) => {
        const { id } = await storage.createLink(accountId, newLink('abc'));
        for (let revision = 1; revision < 6; revision += 1) {
          const done = await Promise.allSettled(
            Array.from({ length: 8 }, (_, n) =>
              storage.updateLink(accountId, id, { title: `${revision} ${n}` }, revision, [revision]),
            ),
          );
          assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
        }
        assert.equal((await storage.link(accountId, id))?.link.revision, 6);
      }));

    test('rebuilds every link from the log after any concurrent changes', () =>
      opened(async (storage, accountId) => {
        const random = createRandom(Number(process.env['LINKFOLD_SEED'] ?? 11));
        const pick = <T>(from: readonly T[]): T => from[random.below(from.length)] as T;
        const writes = storage.writesBy(by);
        const ids: string[] = [];
        let codes = 0;
        let now = 100;
        const tags = (names: readonly string[]) => ({
          tags: names.map((name) => ({ id: nextId(), name })),
          limit: 1_000,
          at: now,
        });
        const folders = [null, ...['x', 'y'].map(() => nextId())];
        for (const folderId of folders)
          if (folderId !== null)
            await writes.createFolder(accountId, { id: folderId, name: folderId, createdAt: 1 });
        const draft = (): NewLink & { readonly externalId: string } => {
          codes += 1;
          const link = newLink(`code-${codes}`, { folderId: pick(folders), tags: tags(['a']) });
          return { ...link, externalId: `external-${random.below(30)}-${codes % 3}` };
        };
        const anonymous = (): NewLink => ({ ...draft(), externalId: null });
        const existing = { keepsExpiry: false, now };
        const actions: readonly (() => Promise<unknown>)[] = [
          async () => ids.push((await writes.createLink(accountId, anonymous())).id),
          async () => {
            const drafts = [anonymous(), anonymous(), anonymous()];
            await writes.bulkLinks(
              accountId,
              drafts.map((one) => ['createLink', one] as const),
              'each',
              {
                remaining: 0,
                nextCursor: null,
              },
            );
            ids.push(...drafts.map(({ id }) => id));
          },
          async () => ids.push((await writes.upsertLink(accountId, draft(), existing)).link.id),
          () =>
            writes.updateLink(
              accountId,
              pick(ids),
              { title: pick(['p', 'q', null]), disabled: pick([0, 1]) },
              now,
            ),
          () => writes.updateLink(accountId, pick(ids), { tags: tags(pick([['a'], ['b', 'a'], []])) }, now),
          () => writes.moveLink(accountId, pick(ids), pick(folders), now),
          () => writes.changeCode(accountId, pick(ids), `code-${random.below(codes + 5)}`, now),
          () => writes.addAlias(accountId, pick(ids), `alias-${random.below(20)}`, now),
          () => writes.removeAlias(accountId, `alias-${random.below(20)}`, now),
          () => writes.deleteLink(accountId, pick(ids), now),
          () => writes.restoreLink(accountId, pick(ids), now),
          () =>
            writes.bulkLinks(
              accountId,
              [
                ['tagLink', pick(ids), { add: tags(['c']), remove: ['a'] }, now],
                ['moveLink', pick(ids), pick(folders), now],
                ['deleteLink', pick(ids), now],
              ],
              pick(['each', 'atomic']),
              { remaining: 0, nextCursor: null },
            ),
        ];
        for (let created = 0; created < 10; created += 1) await actions[0]?.();
        const count = Number(process.env['LINKFOLD_COUNT'] ?? 60);
        for (let round = 0; round < count; round += 1) {
          now += 1;
          // Actions may be rejected, but rejected actions must have no effect.
          await Promise.allSettled(Array.from({ length: 4 }, () => pick(actions)()));
        }
        const events = await log(storage);
        assert.deepEqual(
          events.map(({ seq }) => seq),
          events.map(({ seq }) => seq).toSorted((a, b) => a - b),
        );
        const links = replayed(events);
        assert.ok(links.size > 20);
        for (const [id, { isGone, revision, aliases, ...fields }] of links) {
          const found = (await storage.link(accountId, id))?.link;
          assert.equal(found === undefined, isGone, id);
          if (found === undefined) continue;
          assert.equal(found.revision, revision);
          for (const [field, value] of Object.entries(fields))
            if (!silent(value) || !silent(found[field as keyof typeof found]))
              assert.deepEqual(found[field as keyof typeof found], value, `${field} of ${id}`);
          const codesOfLink = (await storage.aliases(accountId, id))?.map(({ code }) => code) ?? [];
          assert.deepEqual(codesOfLink, aliases ?? [], `aliases of ${id}`);
        }
      }));

    test('deletes the oldest events first, in small steps, and never the last row', () =>
      opened(async (storage, accountId) => {
        for (let n = 0; n < 7; n += 1)
          await storage.createLink(accountId, newLink(`code-${n}`, { createdAt: n }));
        assert.equal(await storage.hasWork('trimHistory', 0), false);
        assert.equal(await storage.hasWork('trimHistory', 4), true);
        assert.equal(await storage.trimHistory(4, 2), true);
        while (await storage.trimHistory(4, 2));
        assert.deepEqual(
          (await log(storage)).filter(({ name }) => name === 'link.created').map(({ at }) => at),
          [4, 5, 6],
        );
        while (await storage.trimHistory(100, 2));
        assert.deepEqual(
          (await log(storage)).map(({ at }) => at),
          [6],
        );
        assert.equal(await storage.hasWork('trimHistory', 100), false);
      }));
  });
}
