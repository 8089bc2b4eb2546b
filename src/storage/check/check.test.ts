import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import type { NewLink } from '../../model/links/link-records.ts';
import { openStorage } from '../open.ts';
import { idOf as id, newLink, recordsOf } from '../storage.fixtures.ts';
import { checkDatabase } from './check.ts';

/** A time later than every deletion. */
const farFuture = Number.MAX_SAFE_INTEGER;

const folder = temporaryFolder('check');
const path = join(folder, 'links.db');
const url = `sqlite:${path}`;

function draft(n: number, code: string, folderId: string | null): NewLink {
  return newLink(code, { id: id(n), folderId });
}

before(async () => {
  const storage = await openStorage(url);
  const mine = (await storage.createAccount('mine', 1))?.id ?? 0;
  await storage.createAccount('theirs', 1);
  await storage.createFolder(mine, { id: id(1), name: 'f', createdAt: 1 });
  const tags = { tags: [{ id: id(5), name: 'tag' }], at: 1, limit: 9 };
  await storage.createLink(mine, { ...draft(2, 'Live', id(1)), tags });
  await storage.addAlias(mine, id(2), 'Side', 2);
  await storage.addAlias(mine, id(2), 'Кофе', 2);
  await storage.createLink(mine, draft(6, 'Café☕️', null));
  await storage.createLink(mine, draft(7, 'Über', null));
  await storage.deleteLink(mine, id(7), 2);
  await storage.createLink(mine, draft(3, 'loose', null));
  await storage.createLink(mine, draft(4, 'Gone', id(1)));
  await storage.deleteLink(mine, id(4), 2);
  // The live link has clicks in all tables, including recent ones.
  const apply = (from: number, sums: Float64Array<ArrayBuffer>) =>
    storage.applyClicks({ journal: 'j', from, to: from + 1, sums, records: recordsOf(mine, sums) });
  await apply(0, new Float64Array([1, 5, 0, 3]));
  await storage.rollUpClicks(0, 10);
  await apply(1, new Float64Array([1, 5, 0, 4]));
  await storage.close();
});

/** Damages the database, checks it, and undoes the damage. */
async function checkWithDamage(sql: string): Promise<string[]> {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  const image = database.serialize();
  database.exec(sql);
  database.close();
  try {
    return await checkDatabase(url);
  } finally {
    const target = new DatabaseSync(path);
    target.exec('PRAGMA journal_mode = DELETE');
    target.close();
    await writeFile(path, image);
  }
}

test('finds nothing in a valid database, and reports progress', async () => {
  const reported: number[][] = [];
  assert.deepEqual(
    await checkDatabase(url, { onProgress: (done, total) => reported.push([done, total]) }),
    [],
  );
  assert.deepEqual(reported[0]?.[0], 0);
  assert.deepEqual(reported.at(-1)?.[0], reported.at(-1)?.[1]);
});

const damages: [sql: string, ...findings: RegExp[]][] = [
  [
    `UPDATE link_counts SET links = 7 WHERE scope = X'00'`,
    /Account 1 has 3 live links, but its counter is 7\./,
  ],
  [
    `DELETE FROM link_counts WHERE length(scope) = 16`,
    /Account 1 has 1 live links in folder or with tag 01900000-.*counter is 0/,
  ],
  [
    `INSERT INTO link_counts VALUES (2, X'01', 0, 1)`,
    /Account 2 has 0 live links in no folder, .*counter is 1/,
  ],
  [`DELETE FROM link_tags`, /Account 1 has 0 live links in folder or with tag 01900000-.*05, .*counter is 1/],
  [`UPDATE tags SET account_id = 2`, /The link in row 1 has a tag that does not exist in the link’s account/],
  [`DELETE FROM codes WHERE key = 'live'`, /"Live" does not resolve to the live link/],
  [`UPDATE codes SET live = 0 WHERE key = 'live'`, /"Live" does not resolve to the live link/],
  [`UPDATE codes SET live = 1 WHERE key = 'gone'`, /"gone" resolves to a link that is deleted/],
  [`UPDATE codes SET account_id = 2 WHERE key = 'live'`, /"live" and its link belong to different accounts/],
  [`UPDATE codes SET alias = 'Live' WHERE key = 'live'`, /The alias "live" .* is the link's own code/],
  [`UPDATE codes SET alias = 'Other' WHERE key = 'side'`, /The alias "side" does not resolve/],
  [`UPDATE codes SET live = 0 WHERE key = 'side'`, /The alias "side" does not resolve/],
  [`DELETE FROM codes WHERE key = 'café☕'`, /"Café☕️" does not resolve to the live link/],
  [`UPDATE codes SET key = 'чай' WHERE key = 'кофе'`, /"чай" resolves to a link with another code/],
  [`DELETE FROM codes WHERE key = 'über'`, /"Über" of a deleted link is not reserved/],
  [`DELETE FROM codes WHERE key = 'gone'`, /"Gone" of a deleted link is not reserved/],
  [
    `UPDATE folders SET account_id = 2`,
    /A row of links refers to a row of folders that does not exist/,
    /"(Live|Gone)" is in a folder that does not exist/,
  ],
  [
    `UPDATE links SET password_hash = 'plain' WHERE code = 'Live'`,
    /password of the link "Live" is not a valid hash/,
  ],
  [`UPDATE link_clicks SET total = 1`, /"Live" has 5 clicks in total, but 7 in statistics/],
  [`UPDATE link_clicks SET total = 4`, /"Live" has 8 clicks in total, but 7 in statistics/],
  [`DELETE FROM click_batches WHERE id = 1`, /"Live" has 7 clicks in total, but 4 in statistics/],
  [
    `INSERT INTO click_columns VALUES (1, 1, 20000, 1, 0, 5, 1, 1, 1, 0, X'00', 0)`,
    /Account 1, 2024-10-04: could not read the clicks in statistics/,
  ],
  [`UPDATE recent_clicks SET clicks = -1`, /"Live" has -1 recent clicks/],
  [
    `UPDATE recent_clicks SET link_row = 99`,
    /A row of recent_clicks refers to a row of links that does not exist/,
  ],
  [
    `INSERT INTO click_columns VALUES (1, 1, 20000, 1, 1, 5, 1, 1, 1, 0, X'00', 0)`,
    /Account 1, 2024-10-04: a statistics segment has missing or extra blocks/,
  ],
  [
    `INSERT INTO click_rollups VALUES (1, 20000, 5, 0, X'00', NULL)`,
    /Account 1, 2024-10-04: the statistics totals do not match/,
  ],
];

for (const [sql, ...findings] of damages) {
  test(`detects: ${sql}`, async () => {
    const messages = await checkWithDamage(sql);
    for (const finding of findings)
      assert.ok(
        messages.some((one) => finding.test(one)),
        messages.join('\n'),
      );
    assert.deepEqual(await checkDatabase(url), [], 'the damage was undone');
  });
}

test('detects a damaged page', async () => {
  const database = new DatabaseSync(path, { defensive: false });
  const image = database.serialize();
  database.exec('PRAGMA journal_mode = DELETE');
  database.close();
  const bytes = await readFile(path);
  // Overwrites the root pages of link indexes. The entries become invalid, but the schema remains readable.
  bytes.fill(0x5a, 8 * 4096, 20 * 4096);
  await writeFile(path, bytes);
  await assert.doesNotReject(async () => {
    const messages = await checkDatabase(url).catch((error: Error) => [error.message]);
    assert.ok(
      messages.some((one) => /damaged|malformed/.test(one)),
      messages.join('\n'),
    );
  });
  await writeFile(path, image);
});

test('does not create a missing database', async () => {
  const nowhere = join(folder, 'nowhere.db');
  await assert.rejects(checkDatabase(`sqlite:${nowhere}`), /no database/);
  assert.ok(!existsSync(nowhere));
});

test('reports nothing about a folder that is being emptied', async (t) => {
  const other = `sqlite:${join(folder, 'emptying.db')}`;
  const storage = await openStorage(other);
  t.after(() => storage.close());
  const mine = (await storage.createAccount('mine', 1))?.id ?? 0;
  await storage.createFolder(mine, { id: id(1), name: 'f', createdAt: 1 });
  for (const [n, folderId] of [id(1), id(1), id(1), null].entries()) {
    await storage.createLink(mine, draft(2 + n, `code-${n}`, folderId));
  }
  await storage.deleteFolder(mine, id(1), 0);
  assert.deepEqual(await checkDatabase(other), []);
  await storage.emptyFolders(farFuture, 2);
  assert.deepEqual(await checkDatabase(other), []);
  while (await storage.emptyFolders(farFuture, 1));
  assert.equal((await storage.links(mine, { kind: 'none' }, 10, 0)).total, 4);
  assert.deepEqual(await checkDatabase(other), []);
});
