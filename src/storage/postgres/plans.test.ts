// PostgreSQL's planner decides how a statement finds its rows, and may decide differently as tables grow. Frequent
// statements must never scan a whole table, which takes minutes with a hundred million links.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  dropPostgresDatabase,
  newPostgresDatabase,
  noPostgres,
} from '../../../test/support/postgres/databases.ts';
import type { NewLink } from '../../model/links/link-records.ts';
import type { Storage } from '../../model/storage.ts';
import { idOf, newLink } from '../storage.fixtures.ts';
import { type Connection, connect } from './connections/connection.ts';
import { postgresAddressIn } from './connections/url.ts';
import { openPostgres } from './engine.ts';

/** A time later than every deletion. */
const farFuture = Number.MAX_SAFE_INTEGER;

const missing = await noPostgres();

const links = 20_000;
const deleted = 5_000;
/** From the sixth execution of a statement, the planner may switch to a generic plan. */
const times = 8;

function idIn(n: string): string {
  return `decode('0190000000007000' || '8000' || lpad(to_hex(${n}), 12, '0'), 'hex')`;
}
function earlierIdIn(n: string): string {
  return idIn(n).replace('0190', '0180');
}
function folder(n: number): string {
  return idOf(1_000_000 + n);
}
function draft(n: number): NewLink {
  return newLink(`new${n}`, { id: idOf(2_000_000 + n), folderId: folder(1) });
}

// In the first account, one folder contains a third of the links, a hundred other folders contain about 67 links each,
// and the remaining links are in no folder. In the third account, only the newer links are in a folder.
const fill = `
  INSERT INTO accounts (id, name, created_at) VALUES (1, 'mine', 1);
  INSERT INTO folders SELECT ${idIn('1000000 + n')}, 1, 'f', 1, 1 FROM generate_series(0, 100) n;
  INSERT INTO links (link_row, id, account_id, code, destination, folder_id, created_at, updated_at)
    SELECT n, ${idIn('n')}, 1, 'c' || n, 'https://example.com/' || n,
      CASE WHEN n % 3 = 0 THEN ${idIn('1000000')} WHEN n % 3 = 1 THEN ${idIn('1000001 + n % 100')} END, 1, 1
    FROM generate_series(1, ${links}) n;
  INSERT INTO accounts (id, name, created_at) VALUES (3, 'third', 1);
  INSERT INTO folders VALUES (${idIn('2000000')}, 3, 'f', 1, 1);
  INSERT INTO links (link_row, id, account_id, code, destination, folder_id, created_at, updated_at)
    SELECT n, ${idIn('n')}, 3, 'c' || n, 'https://example.com/' || n,
      CASE WHEN n > ${links + deleted + 3_000} THEN ${idIn('2000000')} END, 1, 1
    FROM generate_series(${links + deleted + 1}, ${links + deleted + 9_000}) n;
  SELECT setval(pg_get_serial_sequence('links', 'link_row'), ${links + deleted + 9_000});
  INSERT INTO codes SELECT code, account_id, link_row, 1 FROM links;
  INSERT INTO link_counts SELECT account_id, COALESCE(folder_id, '\\x01'), 0, COUNT(*) FROM links GROUP BY 1, 2;
  INSERT INTO link_counts SELECT account_id, '\\x00', 0, COUNT(*) FROM links GROUP BY 1;
  INSERT INTO link_clicks SELECT link_row, 1, account_id, 0 FROM links;
  INSERT INTO recent_clicks (link_row, hour, class, source, clicks)
    SELECT link_row, 500001, 0, source, 1 FROM links, generate_series(1, 2) source WHERE link_row % 2 = 0;
  INSERT INTO accounts (id, name, created_at) VALUES (2, 'other', 1);
  INSERT INTO links (link_row, id, account_id, code, destination, created_at, updated_at, deleted_at)
    SELECT ${links} + n, ${earlierIdIn('n')}, 2, 'd' || n, 'https://example.com/', 1, 1, n % 50
    FROM generate_series(1, ${deleted}) n;
  INSERT INTO codes SELECT code, 2, link_row, 0 FROM links WHERE account_id = 2;
  INSERT INTO once SELECT 1, 'key' || n, 'f', '{}', 1000 + n FROM generate_series(1, ${links}) n`;

const rowsRead = `
  SELECT relname AS name, seq_tup_read + COALESCE(idx_tup_fetch, 0) AS rows FROM pg_stat_user_tables
  WHERE relname IN ('links', 'codes', 'link_clicks', 'recent_clicks', 'once')
  UNION ALL SELECT indexrelname, idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname LIKE 'links_live%'`;
const others = `
  SELECT COUNT(*) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;

describe('how PostgreSQL finds rows', { skip: missing ?? false }, () => {
  let url = '';
  let other: Connection;
  before(async () => {
    url = await newPostgresDatabase();
    await (await openPostgres(url)).close();
    other = await connect(postgresAddressIn(url), { statementMs: 0 });
    await other.command(fill);
    await other.command('VACUUM ANALYZE');
  });
  after(async () => {
    await other.end();
    await dropPostgresDatabase(url);
  });

  const readSoFar = async (): Promise<Map<string, number>> => {
    // Other server processes report their reads when they end.
    while (((await other.get<{ count: number }>(others, []))?.count ?? 0) > 0) await pause(20);
    // This connection's server process reports its reads (mostly from `fill`) at most once a second unless asked.
    await other.command('SELECT pg_stat_force_next_flush()');
    await other.command('SELECT pg_stat_clear_snapshot()');
    const found = await other.all<{ name: string; rows: number }>(rowsRead, []);
    return new Map(found.map(({ name, rows }) => [name, rows]));
  };

  /** @param most maximum number of rows that one run may read from any table */
  const reads = async (most: number, work: (storage: Storage, n: number) => Promise<unknown> | unknown) => {
    const earlier = await readSoFar();
    const storage = await openPostgres(url, { connections: 3 });
    for (let n = 0; n < times; n += 1) await work(storage, n);
    await storage.close();
    for (const [name, rows] of await readSoFar()) {
      const each = (rows - (earlier.get(name) ?? 0)) / times;
      assert.ok(each <= most, `${each} rows of ${name}`);
    }
  };

  test('a link by its code, its ID, or for update', () =>
    reads(60, async (storage, n) => {
      await storage.findTarget(`c${n + 1}`);
      await storage.link(1, idOf(n + 1));
      await storage.linkByCode(1, `c${n + 1}`);
      await storage.deletedLinkByCode(2, `d${n + 1}`);
      const once = { accountId: 1, key: `mine${n}`, fingerprint: 'f', at: 1_000 };
      await storage.idempotent(once, (writes) => writes.createLink(1, draft(n)));
      const there = { ifExists: 'reuse', now: 1_000 } as const;
      const same = { destination: 'https://example.com/777', location: 'https://example.com/777' };
      const found = await storage.createUnlessExists(1, { ...draft(100 + n), ...same }, there);
      assert.ok(!found.isNew);
      await storage.updateLink(1, idOf(n + 1), { destination: 'https://a.example/' }, 2);
      await storage.moveLink(1, idOf(n + 1), folder(2), 3);
      await storage.deleteLink(1, idOf(n + 1), 4);
      await storage.restoreLink(1, idOf(n + 1), 5);
    }));

  test('the first pages of lists', () =>
    reads(1_000, async (storage) => {
      for (const kind of ['all', 'none'] as const) await storage.links(1, { kind }, 100, 0);
      await storage.links(1, { kind: 'folder', id: folder(7) }, 100, 0);
      await storage.links(3, { kind: 'none' }, 100, 0);
    }));

  // If the last pages were read from the start of the list, the whole account would be scanned.
  test('the last pages of lists, and pages past their end', () =>
    reads(1_500, async (storage) => {
      for (const filter of [{ kind: 'all' }, { kind: 'none' }, { kind: 'folder', id: folder(0) }] as const) {
        const { total } = await storage.links(1, filter, 100, 0);
        const last = await storage.links(1, filter, 100, total - 150);
        assert.equal(last.links.length, 100);
        assert.deepEqual((await storage.links(1, filter, 100, total)).links, []);
        assert.deepEqual((await storage.links(1, filter, 100, 1e15)).links, []);
      }
    }));

  test('pages of deleted links, however far back', () =>
    reads(500, async (storage, n) => {
      await storage.deletedLinks(2, 100);
      await storage.deletedLinks(2, 100, { deletedAt: 40 - n, id: idOf(0) });
    }));

  test('a slice of a fold, and the clicks of a second', () =>
    reads(1_600, async (storage, n) => {
      const sums = Array.from({ length: 200 }, (_, at) => [50 * at + 1, 500_002, 0, 1]).flat();
      await storage.applyClicks({ journal: 'j', from: n, to: n + 1, sums: new Float64Array(sums) });
      await storage.rollUpClicks(300 * n, 250);
    }));

  // Empties a folder down to its last link. The planner still assumes that the folder contains a third of all links.
  test('a slice of a large deleted folder, and a small one at once', () =>
    reads(5_500, async (storage, n) => {
      await storage.deleteFolder(1, folder(10 + n), 1);
      if (n === 0) await storage.deleteFolder(1, folder(0), 1);
      await storage.emptyFolders(farFuture, 1_000);
    }));

  test('whether there is work to do', () =>
    reads(10, async (storage, n) => {
      for (const work of [
        'rollUpClicks',
        'emptyFolders',
        'deleteOldIdempotencyKeys',
        'deleteOldUses',
      ] as const)
        await storage.hasWork(work, 1_000 + 50 * n);
    }));

  test('deleted old rows', () =>
    reads(100, (storage, n) => storage.deleteOldIdempotencyKeys(1_000 + 50 * n, 50)));
});
