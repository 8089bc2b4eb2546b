import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { createBlockLists } from './block-lists.ts';

describe('block lists', () => {
  const server = createServer((_, response) => response.end('listed.example\n'));
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => server.close());

  const listsOf = (source: string, folder: string) => {
    const told: string[] = [];
    const lists = createBlockLists({
      sources: [source],
      folder,
      everyMs: 3_600_000,
      now: () => 0,
      onError: (sentence, facts) => told.push(`${sentence} ${facts?.['reason']}`),
      onInfo() {},
    });
    return { lists, told };
  };

  test('uses a list that cannot be cached, and reports that', async () => {
    const folder = join(temporaryFolder('block-lists'), 'taken');
    writeFileSync(folder, '');
    const { port } = server.address() as AddressInfo;
    const { lists, told } = listsOf(`http://127.0.0.1:${port}/list`, folder);
    await lists.load(false);
    assert.ok(lists.listOf('www.listed.example'));
    const reported =
      'Could not cache a loaded block list for the next start. Links are checked against the list. EEXIST';
    assert.deepEqual(told, [reported]);
  });

  test('reveals no secret in a URL that cannot be read', async () => {
    const folder = temporaryFolder('block-lists');
    mkdirSync(folder, { recursive: true });
    const { lists, told } = listsOf('http://me:hidden@127.0.0.1:1/list', folder);
    await lists.load(false);
    assert.equal(told.length, 1);
    assert.match(told.join(), /could not be downloaded$/);
    assert.doesNotMatch(told.join(), /hidden/);
  });
});
