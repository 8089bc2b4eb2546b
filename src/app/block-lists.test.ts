import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { until } from '../../test/support/until.ts';
import type { BlockLists } from '../block-lists/block-lists.ts';
import { openStorage } from '../storage/open.ts';
import { newLink } from '../storage/storage.fixtures.ts';
import { createListedLinkRounds } from './block-lists.ts';

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
  describe(`links checked against block lists on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    test('every live link that leads to a listed host is found, also when the first check fails', async () => {
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

        const told: [string, unknown][] = [];
        let failures = 1;
        const { rounds, count } = createListedLinkRounds(listing(['listed.example']), {
          storage: {
            linkTargets: async (after, limit) => {
              if (failures-- > 0) throw new Error('away');
              return storage.linkTargets(after, limit);
            },
            acquireLease: async () => true,
          },
          now: () => t0,
          onError: (sentence, facts) => told.push([sentence, facts?.['links'] ?? 0]),
          intervalMs: 10,
        });
        rounds.start();
        await until('all links were checked', () => count() !== undefined);
        await rounds.close();
        assert.deepEqual(told, [
          ['Links cannot be checked against the block lists yet.', 0],
          ['Links lead to hosts of a block list; see linkfold block-lists check.', 3],
        ]);
      } finally {
        await storage.close();
        await engine.drop(url);
      }
    });
  });
}
