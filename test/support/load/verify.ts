import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Answer } from '../http/ask.ts';
import {
  askPatiently,
  type Ledger,
  type LedgerLink,
  type LinkState,
  possibleClicks,
  possibleStates,
  type Target,
} from './load.ts';

interface Listed {
  readonly id: string;
  readonly shortCode: string;
  readonly destinationUrl: string;
  readonly clicks: number;
  readonly title: string | null;
  readonly folderId: string | null;
}

/**
 * Reads all data through the public API and compares it with the ledger. The data shows the results of requests without
 * a response, so the next load starts from a known state.
 */
export async function verify(ledger: Ledger, target: Target): Promise<void> {
  assert.deepEqual(ledger.problems, []);
  const agent = new Agent({ keepAlive: true });
  const read = async (method: string, path: string): Promise<Answer> =>
    askPatiently(
      { port: target.port, agent },
      { method, path, key: path.startsWith('/api/') ? target.token : undefined },
    );
  const readJson = async (path: string) => JSON.parse((await read('GET', `/api/v1${path}`)).text);

  const listed: Listed[] = [];
  let total = 0;
  for (let page = 1; page === 1 || listed.length < total; page += 1) {
    const { data, pagination } = await readJson(`/links?limit=100&page=${page}&include=title,folderId`);
    listed.push(...data);
    total = pagination.total;
    assert.ok(data.length > 0 || total === 0, `Page ${page} of ${total} links is empty.`);
  }
  const byId = new Map(listed.map((link) => [link.id, link]));
  const byDestination = new Map(listed.map((link) => [link.destinationUrl, link]));
  assert.equal(byId.size, total, 'the total is the number of links');

  for (const link of ledger.links) {
    const first = link.changes[0]?.after.destination ?? '';
    const found = link.id === undefined ? byDestination.get(first) : byId.get(link.id);
    const changed = link.changes.length > 1 || link.id === undefined;
    settle(link, found);
    byId.delete(found?.id ?? '');
    if (!changed || link.code === undefined) continue;
    const { status, headers } = await read('HEAD', `/${link.code}`);
    const wanted = found === undefined ? [404, undefined] : [302, new URL(found.destinationUrl).href];
    assert.deepEqual([status, headers['location']], wanted, `HEAD /${link.code}`);
  }
  assert.deepEqual([...byId.values()], [], 'every link is in the ledger');

  const codes = new Set(listed.map(({ shortCode }) => shortCode.toLowerCase()));
  assert.equal(codes.size, total, 'no two live links share a code');
  const { folders } = await readJson('/folders');
  const counted = folders.map(({ id, linkCount }: { id: string; linkCount: number }) => [id, linkCount]);
  const inFolder = (id: string) => listed.filter(({ folderId }) => folderId === id).length;
  assert.deepEqual(
    counted,
    ledger.folders.map((id) => [id, inFolder(id)]),
    'linkCount is the number of links',
  );
  assert.deepEqual((await readJson('/me')).data.usage, { links: total, folders: ledger.folders.length });
  agent.destroy();
}

/** Compares a link with the ledger, and updates the ledger with the result. */
function settle(link: LedgerLink, found: Listed | undefined): void {
  const possible = possibleStates(link);
  const seen = found && {
    destination: found.destinationUrl,
    title: found.title,
    folderId: found.folderId,
    deleted: false,
  };
  const known = possible.find((state) => isSame(state, seen)) ?? null;
  const facts = () => JSON.stringify({ link, found }, null, 1);
  assert.ok(
    known !== null || possible.includes(undefined),
    `A change was lost, or was never requested: ${facts()}`,
  );
  if (found !== undefined) {
    const [least, most] = possibleClicks(link);
    assert.ok(
      least <= found.clicks && found.clicks <= most,
      `${found.clicks} clicks, not ${least} to ${most}: ${facts()}`,
    );
    assert.ok(link.code === undefined || link.code === found.shortCode, facts());
    link.id = found.id;
    link.code = found.shortCode;
    link.clicks = found.clicks;
  }
  link.visits = [];
  const [first] = link.changes;
  const after = known ?? { destination: '', title: null, folderId: null, ...first?.after, deleted: true };
  link.changes = [{ after, sentAt: 0, ackedAt: 0 }];
}

function isSame(a: LinkState | undefined, b: LinkState | undefined): boolean {
  if (a === undefined || b === undefined || a.deleted || b.deleted)
    return (a === undefined || a.deleted) && (b === undefined || b.deleted);
  return a.destination === b.destination && a.title === b.title && a.folderId === b.folderId;
}

/** Checks the database file: it is valid, and every sum is the sum of its parts (I5, I2, I4). */
export function verifyFile(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'linkfold.db'), { readOnly: true });
  const all = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  try {
    assert.deepEqual(all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    assert.deepEqual(all('PRAGMA foreign_key_check'), []);
    assert.deepEqual(all(wrongCounts), [], 'counters are the numbers of live links');
    assert.deepEqual(all(wrongCodes), [], 'a code is live exactly when its link is');
  } finally {
    database.close();
  }
}

/** Subquery for clicks by link, both folded and not yet folded. */
export const countedClicks =
  '(SELECT link_row, total AS clicks FROM link_clicks UNION ALL SELECT link_row, clicks FROM recent_clicks)';

const scopes = `
  SELECT account_id, X'00' AS scope, COUNT(*) AS links FROM links WHERE deleted_at IS NULL GROUP BY account_id
  UNION ALL
  SELECT l.account_id, COALESCE(f.id, X'01') AS scope, COUNT(*)
  FROM links l LEFT JOIN folders f ON f.id = l.folder_id AND f.deleted = 0
  WHERE l.deleted_at IS NULL GROUP BY l.account_id, f.id`;
const counters =
  'SELECT account_id, scope, SUM(links) AS links FROM link_counts GROUP BY account_id, scope HAVING links <> 0';
const wrongCounts = `
  SELECT * FROM (SELECT * FROM (${scopes}) EXCEPT ${counters})
  UNION ALL SELECT * FROM (${counters} EXCEPT SELECT * FROM (${scopes}))`;

const wrongCodes = `
  SELECT l.code FROM links l LEFT JOIN codes c ON c.key = LOWER(l.code)
  WHERE c.key IS NULL OR (l.deleted_at IS NULL AND (c.live = 0 OR c.link_row <> l.link_row))
    OR (l.deleted_at IS NOT NULL AND c.live = 1 AND c.link_row = l.link_row)`;
