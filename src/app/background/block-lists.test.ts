import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../../test/support/postgres/databases.ts';
import { until } from '../../../test/support/until.ts';
import type { BlockLists } from '../../external/block-lists/block-lists.ts';
import { openStorage } from '../../storage/open.ts';
import { newLink, nextId } from '../../storage/storage.fixtures.ts';
import { createListedLinkTask } from './block-lists.ts';

const t0 = Date.UTC(2027, 0, 1);

function listing(hosts: readonly string[]): BlockLists {
  return {
    listOf: (host) => (hosts.includes(host) ? 'a list' : undefined),
    version: () => 1,
    states: () => [],
    start() {},
    load: async () => {},
    close: async () => {},
  };
}

for (const engine of engines) {
  describe(`checking links against block lists on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    test('finds every live link, folder and branding that redirects to a listed host, even when a read fails', async () => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url);
      try {
        const account = (await storage.createAccount('mine', t0))?.id ?? 0;
        const make = (code: string, fields: Partial<Parameters<typeof newLink>[1]>) =>
          storage.createLink(account, newLink(code, fields));
        await make('straight', { destination: 'https://listed.example/' });
        await make('later', { expiredUrl: 'https://listed.example/over' });
        await make('shown', { card: JSON.stringify({ image: 'https://listed.example/a.png' }) });
        await make('fine', {});
        const gone = await make('gone', { destination: 'https://listed.example/' });
        await storage.deleteLink(account, gone.id, t0);
        const folder = { name: 'f', createdAt: t0, expiredUrl: 'https://listed.example/over', id: nextId() };
        await storage.createFolder(account, folder);
        await storage.createFolder(account, { ...folder, id: nextId(), expiredUrl: null });
        await storage.deleteFolder(
          account,
          (await storage.createFolder(account, { ...folder, id: nextId() })).id,
          t0,
        );
        await storage.putBranding(account, {
          name: null,
          accent: null,
          logo: null,
          message: null,
          updatedAt: t0,
          contact: 'https://listed.example/',
          expiredUrl: null,
        });

        const reports: [string, unknown][] = [];
        let found: unknown;
        const failing = { links: 1, brandings: 1, folders: 1 };
        const fail = (what: keyof typeof failing): void => {
          if (failing[what]-- > 0) throw new Error('away');
        };
        const { task, count } = createListedLinkTask(listing(['listed.example']), {
          storage: {
            linkTargets: async (after, limit) => {
              fail('links');
              return storage.linkTargets(after, Math.min(limit, 2));
            },
            brandingTargets: async (...place) => {
              fail('brandings');
              return storage.brandingTargets(...place);
            },
            folderTargets: async (after) => {
              fail('folders');
              return storage.folderTargets(after, 1);
            },
            acquireLease: async () => true,
          },
          now: () => t0,
          onError: (sentence, facts) => {
            reports.push([sentence, facts?.['found'] ?? 0]);
            found = facts?.['first'];
          },
          intervalMs: 10,
        });
        task.start();
        await until('all links were checked', () => count() !== undefined);
        await task.close();
        const failed = ['Could not check links against the block lists. Linkfold will retry.', 0];
        const listed = [
          'Links, folders or brandings redirect to hosts on a block list. They keep working. To list them: linkfold block-lists check',
          5,
        ];
        assert.deepEqual(reports, [failed, failed, failed, listed]);
        const one = { account: 'mine', host: 'listed.example', list: 'a list', code: null, folder: null };
        const codes = ['straight', 'later', 'shown'].map((code) => ({ ...one, code }));
        assert.deepEqual(found, [...codes, one, { ...one, folder: folder.id }]);
      } finally {
        await storage.close();
        await engine.drop(url);
      }
    });
  });
}
