import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { Failure } from '../model/failures.ts';
import { type ManifestApply, type ManifestWrite, manifestActions } from '../model/manifests/manifests.ts';
import { openStorage } from './open.ts';
import { createAndRead, newLink } from './storage.fixtures.ts';

const none = Object.fromEntries(manifestActions.map((action) => [action, 0]));
const counts = { ...none, unchanged: 0 } as ManifestApply['counts'];
const nothing: ManifestApply = {
  ...{ name: 'm', managed: [], drifted: [], refused: [], writes: [], counts, maxDeletes: 0, now: 5 },
};

for (const engine of engines)
  test(`manifests on ${engine.name}: change nothing unless the links match the plan`, {
    skip: engine.missing ?? false,
  }, async () => {
    const url = await engine.newDatabase();
    const storage = await openStorage(url);
    try {
      const accountId = (await storage.createAccount('mine', 1))?.id ?? 0;
      const created = (code: string) => createAndRead(storage, accountId, newLink(code, { managedBy: 'm' }));
      const [one, two] = [await created('one'), await created('two')];
      const free = await createAndRead(storage, accountId, newLink('free'));
      const seen = [one, two].map(({ id, revision }) => ({ id, revision }));
      const create: ManifestWrite = { kind: 'create', at: 0, link: newLink('new', { managedBy: 'm' }) };
      const change = (id: string, revision: number): ManifestWrite => ({
        ...{
          kind: 'change',
          at: 1,
          id,
          revision,
          isDeleted: false,
          change: { title: 'changed', managedBy: 'm' },
        },
      });
      const apply = (given: Partial<ManifestApply>) =>
        storage.applyManifest(accountId, { ...nothing, ...given });
      const isRefused = async (given: Partial<ManifestApply>, code: string): Promise<void> => {
        await assert.rejects(apply(given), (error) => error instanceof Failure && error.code === code);
        assert.equal(await storage.findTarget('new'), undefined);
        for (const { id } of [one, two, free])
          assert.equal((await storage.link(accountId, id))?.link.title ?? null, null);
      };
      const writes = [change(one.id, 1), create];
      // The manifest has drifted if a link that no write touches was changed, if a link in `managed` is no longer
      // managed, or if a managed link is missing from `managed`.
      await isRefused(
        { managed: [seen[0] as never, { id: two.id, revision: 2 }], writes },
        'MANIFEST_DRIFTED',
      );
      await isRefused({ managed: [...seen, { id: free.id, revision: 1 }], writes }, 'MANIFEST_DRIFTED');
      await isRefused({ managed: [{ id: one.id, revision: 1 }], writes }, 'MANIFEST_DRIFTED');
      // The writes change a link that the manifest does not manage yet.
      await isRefused({ managed: seen, writes: [...writes, change(free.id, 7)] }, 'MANIFEST_DRIFTED');
      // The last write is rejected because its code is taken.
      const taken: ManifestWrite = { kind: 'create', at: 2, link: newLink('two') };
      await isRefused({ managed: seen, writes: [...writes, taken] }, 'BULK_REFUSED');
      const deletes = { managed: seen, counts: { ...counts, delete: 1 } };
      await isRefused({ ...deletes, writes: [...writes, { kind: 'delete', ...two }] }, 'COUNT_DIFFERS');
      await apply({ ...deletes, writes: [...writes, { kind: 'delete', ...two }], maxDeletes: 1 });
      assert.notEqual(await storage.findTarget('new'), undefined);
      assert.equal(await storage.findTarget('two'), undefined);
      const holders = await storage.codeHolders(accountId, ['one', 'two', 'free', 'never']);
      assert.deepEqual([...holders].map(([key, { kind }]) => [key, kind]).sort(), [
        ['free', 'live'],
        ['one', 'live'],
        ['two', 'gone'],
      ]);
      const other = (await storage.createAccount('theirs', 1))?.id ?? 0;
      assert.deepEqual([...(await storage.codeHolders(other, ['one']))], [['one', { kind: 'other' }]]);
    } finally {
      await storage.close();
      await engine.drop(url);
    }
  });
