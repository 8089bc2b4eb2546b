import { createHash, randomFillSync } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createProgress } from '../../src/cli/terminal/progress.ts';

/** A database full of links in the cache. */
export interface Dataset {
  readonly path: string;
  readonly links: number;
  /** Total clicks stored for them. */
  readonly clicks: number;
  /** An enterprise key of the only account, with both scopes. */
  readonly key: string;
  /** A folder with every tenth link. */
  readonly folderId: string;
  /** Codes requested by redirects, spread evenly over the table. */
  readonly hotCodes: readonly string[];
}

export const cacheDir = join(import.meta.dirname, '..', '.cache');

// Part of the cache key: increase it when this file creates other rows.
const generation = 3;
const hotCodeCount = 10_000;
const folderCount = 5;
// On average: ten million for a million links.
const clicksPerLink = 10;
const year = 365 * 86_400_000;
const lastCreatedAt = Date.UTC(2026, 10, 1);
const rowsPerStep = 10_000;
const linksPerSlice = 2_000;

/** Loads a file of a version by its path in `src/`, also in older versions. */
export function loaderOf(tree: string) {
  return <M>(...paths: readonly string[]): Promise<M> => {
    const files = paths.map((path) => join(tree, 'src', path));
    return import(pathToFileURL(files.find(existsSync) ?? files[0] ?? '').href);
  };
}

/** Loads the code of a version that creates its database, because schemas differ. */
async function sourceOf(tree: string) {
  const load = loaderOf(tree);
  const { createIds } = await load<typeof import('../../src/model/ids.ts')>('model/ids.ts', 'domain/ids.ts');
  const { createKey, scopes } = await load<typeof import('../../src/model/accounts/keys.ts')>(
    'model/accounts/keys.ts',
    'domain/accounts/keys.ts',
  );
  const { idBytes } = await load<typeof import('../../src/storage/db/ids.ts')>(
    'storage/db/ids.ts',
    'storage/statements/ids.ts',
    'storage/ids.ts',
  );
  const { scopeOf } = await load<typeof import('../../src/storage/statements/groups/link-counts.ts')>(
    'storage/statements/groups/link-counts.ts',
    'storage/statements/links/link-counts.ts',
    'storage/statements/link-counts.ts',
    'storage/link-counts.ts',
  );
  const { migrations } = await load<typeof import('../../src/storage/migrations/list.ts')>(
    'storage/migrations/list.ts',
  );
  const { openStorage } = await load<typeof import('../../src/storage/open.ts')>('storage/open.ts');
  const connection = await load<typeof import('../../src/storage/sqlite/connection.ts')>(
    'storage/sqlite/connection.ts',
    'storage/sqlite-connection.ts',
  );
  const sqliteDialect = connection.sqliteDialect ?? Object(connection).sqliteWords;
  return {
    createIds,
    createKey,
    scopes,
    idBytes,
    scopeOf,
    migrations,
    openStorage,
    sqliteDialect: sqliteDialect,
  };
}

type Source = Awaited<ReturnType<typeof sourceOf>>;

function schemaChecksum({ migrations, sqliteDialect }: Source): string {
  const schema = migrations
    .flatMap(({ statements, ...later }) => [...statements(sqliteDialect), JSON.stringify(later)])
    .join(';\n');
  return createHash('sha256').update(`${generation};${schema}`).digest('hex').slice(0, 12);
}

/** Finds a version's database with that many links in the cache, or creates it. @param tree folder of the version */
export async function datasetOf(tree: string, links: number): Promise<Dataset> {
  const source = await sourceOf(tree);
  const dir = join(cacheDir, `links-${links}-${schemaChecksum(source)}`);
  const facts = join(dir, 'dataset.json');
  try {
    return { ...JSON.parse(readFileSync(facts, 'utf8')), path: join(dir, 'linkfold.db') };
  } catch {
    // Does not exist yet.
  }
  const building = `${dir}.${process.pid}`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  try {
    const made = await build(source, join(building, 'linkfold.db'), links);
    writeFileSync(join(building, 'dataset.json'), JSON.stringify(made));
    rmSync(dir, { recursive: true, force: true });
    renameSync(building, dir);
    return { ...made, path: join(dir, 'linkfold.db') };
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/** Copies a dataset's database, by reference if the file system supports it; the cache is not changed. */
export function copyDatabase(dataset: Dataset, path: string): void {
  return copyFileSync(dataset.path, path, constants.COPYFILE_FICLONE);
}

/**
 * The service's code creates account, key and folders. Link rows, which would take minutes one by one, are written here
 * and then verified with the service's code.
 */
async function build(source: Source, path: string, links: number): Promise<Omit<Dataset, 'path'>> {
  const { createIds, createKey, openStorage, scopes } = source;
  const now = Date.now();
  const random = (size: number): Uint8Array => randomFillSync(new Uint8Array(size));
  const storage = await openStorage(`sqlite:${path}`);
  const request = { account: 'default', plan: 'enterprise', scopes, name: 'bench', expiresAt: null } as const;
  const { token, key } = await createKey(storage, request, now, random);
  const nextFolderId = createIds(() => lastCreatedAt - year, random);
  const folders = Array.from({ length: folderCount }, nextFolderId);
  for (const [index, id] of folders.entries()) {
    await storage.createFolder(key.accountId, { id, name: `Folder ${index + 1}`, createdAt: now });
  }
  await storage.close();

  const database = new DatabaseSync(path);
  try {
    // An incomplete database is discarded.
    database.exec(`PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      PRAGMA cache_size = -1048576; PRAGMA foreign_keys = OFF`);
    const hotCodes = insertLinks(source, database, key.accountId, folders, links);
    insertSums(source, database);
    const clicks = verify(database, links);
    database.exec('PRAGMA journal_mode = WAL');
    await verifyByReading(source, path, key.accountId, folders, links);
    return { links, clicks, key: token, folderId: folders[0] ?? '', hotCodes };
  } finally {
    database.close();
  }
}

const insertLink = `
  INSERT INTO links (link_row, id, account_id, code, destination, title, expires_at, folder_id, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const insertCode = 'INSERT INTO codes (key, account_id, link_row, live) VALUES (?, ?, ?, 1)';

/** @returns the hot codes */
function insertLinks(
  { createIds, idBytes }: Source,
  database: DatabaseSync,
  accountId: number,
  folders: readonly string[],
  links: number,
): string[] {
  const link = database.prepare(insertLink);
  const code = database.prepare(insertCode);
  const folderBytes = folders.map(idBytes);
  const step = year / links;
  let createdAt = lastCreatedAt - year;
  const nextId = createIds(
    () => createdAt,
    (size) => randomFillSync(new Uint8Array(size)),
  );
  const hotEvery = Math.max(1, Math.floor(links / hotCodeCount));
  const hotCodes: string[] = [];
  const progress = createProgress(`Making a database of ${links.toLocaleString('en')} links`);

  database.exec('BEGIN');
  for (let row = 1; row <= links; row += 1) {
    createdAt = Math.floor(lastCreatedAt - year + row * step);
    const name = shortCodeOf(row);
    const destination = `https://shop-${row % 97}.example.com/spring/${name}/item-${row}?utm_source=mail&utm_campaign=${row % 1_000}`;
    // Every tenth link in each of the folders, half of them in none; a title for every third, an expiry far away.
    const values: SQLInputValue[] = [
      BigInt(row),
      idBytes(nextId()),
      BigInt(accountId),
      name,
      destination,
      row % 3 === 0 ? `Spring item ${row}` : null,
      row % 10 === 9 ? BigInt(lastCreatedAt + 20 * year) : null,
      folderBytes[row % (2 * folderCount)] ?? null,
      BigInt(createdAt),
      BigInt(createdAt),
    ];
    link.run(...values);
    code.run(name, BigInt(accountId), BigInt(row));
    if (row % hotEvery === 0 && hotCodes.length < hotCodeCount) hotCodes.push(name);
    if (row % rowsPerStep === 0) progress.update(row, links);
  }
  database.exec('COMMIT');
  progress.end();
  process.stderr.write('Counting, and holding the counts against the rows …\n');
  return hotCodes;
}

const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const codeLength = 8;
const codeSpace = alphabet.length ** codeLength;
// Coprime to 28, so that every row has a different code; large, so that neighbours' codes are far apart; exact when
// multiplied by a million.
const stride = 8_600_000_011;

/** Returns the code of a row: unique, and spread over the space like generated ones. */
function shortCodeOf(row: number): string {
  let rest = (row * stride) % codeSpace;
  let code = '';
  for (let place = 0; place < codeLength; place += 1) {
    code = alphabet[rest % alphabet.length] + code;
    rest = Math.floor(rest / alphabet.length);
  }
  return code;
}

/** Adds counters and clicks computed from the links. */
function insertSums({ scopeOf }: Source, database: DatabaseSync): void {
  const count = database.prepare(`
    INSERT INTO link_counts (account_id, scope, slot, links)
    SELECT account_id, ?, 0, count(*) FROM links WHERE deleted_at IS NULL GROUP BY account_id`);
  count.run(scopeOf({ kind: 'all' }));
  database
    .prepare(`
      INSERT INTO link_counts (account_id, scope, slot, links)
      SELECT account_id, COALESCE(folder_id, ?), 0, count(*) FROM links WHERE deleted_at IS NULL
      GROUP BY account_id, folder_id`)
    .run(scopeOf({ kind: 'none' }));
  // 1,000 clicks per hundred links: one in a hundred has half of them, over days; one in ten some; the rest a few.
  database.exec(`
    CREATE TEMP TABLE shapes (shape INTEGER, hours INTEGER, clicks INTEGER);
    INSERT INTO shapes VALUES (0, 63, 8), (1, 7, 2), (2, 2, 2);
    CREATE TEMP TABLE shaped AS SELECT link_row, created_at / 3600000 AS hour,
      CASE WHEN link_row % 100 = 0 THEN 0 WHEN link_row % 10 = 1 THEN 1 ELSE 2 END AS shape FROM links;
    INSERT INTO link_clicks (link_row, account_id, total, last_hour)
    SELECT l.link_row, (SELECT id FROM accounts), s.hours * s.clicks, l.hour + 5 * (s.hours - 1) FROM shaped AS l JOIN shapes AS s ON s.shape = l.shape ORDER BY l.link_row`);
}

const facts: Readonly<Record<string, string>> = {
  'live links': 'SELECT count(*) FROM links WHERE deleted_at IS NULL',
  'live codes that lead to their link':
    'SELECT count(*) FROM codes c JOIN links l ON l.link_row = c.link_row AND l.code = c.key WHERE c.live = 1',
  'counted links': "SELECT sum(links) FROM link_counts WHERE scope = x'00'",
  'links counted by folder': "SELECT sum(links) FROM link_counts WHERE scope <> x'00'",
};

/** @returns the number of stored clicks */
function verify(database: DatabaseSync, links: number): number {
  const one = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
  for (const [what, sql] of Object.entries(facts)) {
    const found = one(sql);
    if (found !== links) throw new Error(`The database is not consistent: ${found} ${what}, not ${links}.`);
  }
  const clicks = Number(one('SELECT sum(total) FROM link_clicks'));
  const wrong =
    Number(one('SELECT count(*) FROM pragma_foreign_key_check')) + Number(clicks !== clicksPerLink * links);
  if (wrong > 0)
    throw new Error(`The database is not consistent: ${clicks} clicks, ${wrong} things do not fit.`);
  return clicks;
}

async function verifyByReading(
  { openStorage }: Source,
  path: string,
  accountId: number,
  folders: readonly string[],
  links: number,
): Promise<void> {
  const storage = await openStorage(`sqlite:${path}`);
  // Otherwise the tested server would index a million links during the measurement. Older versions have no index.
  if ('indexLinks' in storage) while (await storage.indexLinks(linksPerSlice));
  const usage = await storage.usage(accountId);
  const counted = (await storage.folders(accountId, 10_000)).map(({ linkCount }) => linkCount);
  const page = await storage.links(accountId, { kind: 'folder', id: folders[0] ?? '' }, 100, 0);
  const target = await storage.findTarget(shortCodeOf(links));
  await storage.close();
  const good =
    usage.links === links &&
    usage.folders === folders.length &&
    counted.every((count) => Math.abs(count - links / 10) < 1) &&
    page.links.length === 100 &&
    target?.row === links;
  if (!good) throw new Error('The service reads something else than was generated.');
}

/** Returns the sum of all clicks in a database. */
export function clicksIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const sumOf = (column: string, table: string): number =>
    Number(database.prepare(`SELECT sum(${column}) AS clicks FROM ${table}`).get()?.['clicks'] ?? 0);
  const hasRecent = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'recent_clicks'");
  try {
    // Older versions store no recent clicks separately.
    return sumOf('total', 'link_clicks') + (hasRecent.get() ? sumOf('clicks', 'recent_clicks') : 0);
  } finally {
    database.close();
  }
}

/** Returns the number of stored clicks that are not in columns yet. */
export function unfoldedClicksIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const sql = 'SELECT sum(clicks) AS clicks FROM click_batches WHERE layout < 100';
  try {
    return Number(database.prepare(sql).get()?.['clicks'] ?? 0);
  } finally {
    database.close();
  }
}

/** Returns the number of live links by counter and by rows. */
export function linksIn(path: string): { counted: number; stored: number } {
  const database = new DatabaseSync(path, { readOnly: true });
  const one = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  try {
    return { counted: one(facts['counted links'] ?? ''), stored: one(facts['live links'] ?? '') };
  } finally {
    database.close();
  }
}
