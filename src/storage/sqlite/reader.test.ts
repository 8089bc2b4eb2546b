// Slow reads run on a separate thread. They return the same results as on the caller's thread, and do not block it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import type { FolderFilter } from '../../model/links/link-records.ts';
import type { Storage } from '../../model/storage.ts';
import { links as linksOf } from '../statements/finding/link-reads.ts';
import { idOf, newLink } from '../storage.fixtures.ts';
import { type Connection, openConnection } from './connection.ts';
import { openSqlite } from './engine.ts';

const links = 300_000;
const folderId = idOf(0xffff_ffff);
function bytesOf(id: string): Uint8Array {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

// Creates links, a fifth of them in the folder.
function fill({ database }: Connection, account: number): void {
  database
    .prepare('INSERT INTO folders (id, account_id, name, created_at, updated_at) VALUES (?, ?, ?, 1, 1)')
    .run(bytesOf(folderId), BigInt(account), 'f');
  database
    .prepare(`
      INSERT INTO links (id, account_id, code, destination, folder_id, created_at, updated_at)
      WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${links})
      SELECT unhex(printf('01900000000070008000%012x', n)), ?, 'c' || n, 'https://example.com/',
        CASE WHEN n % 5 = 0 THEN ? END, 1, 1 FROM n`)
    .run(BigInt(account), bytesOf(folderId));
  database.exec(`
    INSERT INTO link_counts SELECT account_id, COALESCE(folder_id, X'01'), 0, COUNT(*) FROM links GROUP BY 1, 2
    UNION ALL SELECT account_id, X'00', 0, COUNT(*) FROM links GROUP BY 1`);
}

describe('long reads', () => {
  const path = join(temporaryFolder('sqlite-reader'), 'linkfold.db');
  let storage: Storage;
  let other: Connection;
  let account = 0;
  before(async () => {
    storage = await openSqlite(path, { journal: 'here' });
    account = (await storage.createAccount('mine', 1))?.id ?? 0;
    other = openConnection(path, { readsOnly: false, journal: 'here' });
    fill(other, account);
  });
  after(async () => {
    other.close();
    await storage.close();
  });

  test('return the same deep page as any other connection', async () => {
    const sums = new Float64Array([links / 2, 1, 0, 3]);
    await storage.applyClicks({ journal: 'here', from: 0, to: 7, sums });
    const filters: FolderFilter[] = [{ kind: 'all' }, { kind: 'none' }, { kind: 'folder', id: folderId }];
    for (const filter of filters) {
      for (const offset of [0, 4_000, 12_000, 30_000, links / 2 - 50, links - 20_000, links, 1e15]) {
        const page = await storage.links(account, filter, 100, offset);
        assert.deepEqual(page, await linksOf(other, account, filter, 100, offset));
        assert.equal(page.appliedTo, 7);
      }
    }
    const middle = await storage.links(account, { kind: 'all' }, 100, links / 2);
    assert.equal(middle.links[0]?.clicks, 3);
  });

  test('include what was acknowledged just before', async () => {
    for (let n = 0; n < 20; n += 1) {
      await storage.createLink(account, newLink(`new-${n}`, { id: idOf(links + 1 + n) }));
      const { links: found, total } = await storage.links(account, { kind: 'all' }, 1, 150_000);
      assert.equal(total, links + 1 + n);
      assert.equal(found[0]?.id, idOf(total - 150_000));
    }
  });

  test('take no more time of the calling thread than the first page', async () => {
    const timeOf = async (offset: number): Promise<number> => {
      const began = process.threadCpuUsage();
      for (let n = 0; n < 30; n += 1) await storage.links(account, { kind: 'all' }, 100, offset);
      const { user, system } = process.threadCpuUsage(began);
      return user + system;
    };
    await timeOf(0);
    await timeOf(links / 2);
    const first = await timeOf(0);
    for (const offset of [links / 4, links / 2, (3 * links) / 4, links - 50, 1e15]) {
      const deep = await timeOf(offset);
      assert.ok(deep < 3 * first, `${deep} µs at ${offset}, ${first} µs at 0`);
    }
  });

  test('yield to the thread that answers visitors', {
    skip: process.platform !== 'linux' && 'only Linux gives each thread a priority of its own',
  }, async () => {
    const threads = '/proc/self/task';
    const reader = readdirSync(threads).find(
      (thread) => readFileSync(join(threads, thread, 'comm'), 'utf8').trim() === 'linkfold-reader',
    );
    assert.equal(getPriority(Number(reader)), Math.min(19, getPriority() + 10));
  });
});

test('start the thread with the first long read', async () => {
  let threads = 0;
  const count = (): void => {
    threads += 1;
  };
  process.on('worker', count);
  const storage = await openSqlite(join(temporaryFolder('sqlite-reader-idle'), 'linkfold.db'), {
    writesLater: true,
  });
  try {
    for (const offset of [0, 4_000, 1e9]) await storage.links(1, { kind: 'all' }, 100, offset);
    assert.equal(threads, 0);
  } finally {
    process.off('worker', count);
    await storage.close();
  }
});
