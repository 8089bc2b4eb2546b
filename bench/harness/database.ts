import { execFileSync } from 'node:child_process';
import { createHash, randomFillSync } from 'node:crypto';
import {
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createIds } from '../../src/model/ids.ts';

/** A cached database with generated links. */
export interface Dataset {
  readonly path: string;
  readonly links: number;
  /** API key with all scopes. It belongs to the database's only account, which has the enterprise plan. */
  readonly key: string;
  /** Codes to request in redirect benchmarks. Their links are spread evenly over the table. */
  readonly hotCodes: readonly string[];
}

export const cacheDir = join(import.meta.dirname, '..', '.cache');

// Part of the cache key. Increase it when this file generates different rows.
const generation = 5;
const maxHotCodes = 10_000;
const clicksPerLink = 10;
const linksPerSlice = 2_000;

/** Returns the cached database for a version's schema, or creates it. @param tree the version's folder */
export async function datasetOf(tree: string, links: number): Promise<Dataset> {
  mkdirSync(cacheDir, { recursive: true });
  const building = mkdtempSync(join(cacheDir, 'building-'));
  try {
    const runCommand = (...args: readonly string[]): string =>
      execFileSync(join(tree, 'bin', 'linkfold'), args, {
        env: { PATH: process.env['PATH'] ?? '', DATA_DIR: building },
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
      }).trim();
    runCommand('db', 'migrate');
    const path = join(building, 'linkfold.db');
    const dir = join(cacheDir, `links-${links}-${generation}-${schemaDigest(path)}`);
    const read = (): Dataset => ({
      ...JSON.parse(readFileSync(join(dir, 'dataset.json'), 'utf8')),
      path: join(dir, 'linkfold.db'),
    });
    try {
      return read();
    } catch {
      // The database is not in the cache yet, so it is created below.
    }
    const key = runCommand('keys', 'create', '--account', 'bench');
    const hotCodes = fill(path, links);
    await verify(tree, path, links);
    writeFileSync(join(building, 'dataset.json'), JSON.stringify({ links, key, hotCodes }));
    rmSync(dir, { recursive: true, force: true });
    renameSync(building, dir);
    return read();
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/** Copies a dataset's database, as a reflink if the file system supports it. The cached database is not changed. */
export function copyDatabase(dataset: Dataset, path: string): void {
  copyFileSync(dataset.path, path, constants.COPYFILE_FICLONE);
}

function schemaDigest(path: string): string {
  const schema = JSON.stringify(query(path, 'SELECT sql FROM sqlite_schema ORDER BY name'));
  return createHash('sha256').update(schema).digest('hex').slice(0, 12);
}

const year = 365 * 86_400_000;
const lastCreatedAt = Date.UTC(2026, 10, 1);

/**
 * Inserts the rows directly, because the service would take minutes to create them one by one.
 * @returns the hot codes
 */
function fill(path: string, links: number): string[] {
  const database = new DatabaseSync(path);
  // Durability is not needed, because a database whose creation is interrupted is discarded.
  database.exec(`PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    PRAGMA cache_size = -1048576; PRAGMA foreign_keys = OFF; BEGIN`);
  database.exec(`INSERT INTO folders (id, account_id, name, created_at, updated_at)
    SELECT randomblob(16), (SELECT id FROM accounts), 'Folder ' || column1, 1, 1
    FROM (VALUES (0), (1), (2), (3), (4))`);
  const insert = database.prepare(`
    INSERT INTO links (link_row, id, account_id, code, destination, title, expires_at, folder_id, created_at, updated_at)
    VALUES (?1, ?2, (SELECT id FROM accounts), ?3, ?4, ?5, ?6,
      (SELECT id FROM folders WHERE name = 'Folder ' || (?1 % 10)), ?7, ?7)`);
  let createdAt = 0;
  const nextId = createIds(
    () => createdAt,
    (size) => randomFillSync(new Uint8Array(size)),
  );
  const hotEvery = Math.max(1, Math.floor(links / maxHotCodes));
  const hotCodes: string[] = [];
  process.stderr.write(`Creating a database of ${links.toLocaleString('en')} links …\n`);
  for (let row = 1; row <= links; row += 1) {
    createdAt = Math.floor(lastCreatedAt - year + (row * year) / links);
    const code = codeOf(row);
    const shop = `https://shop-${row % 97}.example.com/spring/${code}/item-${row}`;
    // Half of the links are in folders, a third have a title, and a tenth have an expiry far in the future.
    insert.run(
      row,
      Buffer.from(nextId().replaceAll('-', ''), 'hex'),
      code,
      `${shop}?utm_source=mail&utm_campaign=${row % 1_000}`,
      row % 3 === 0 ? `Spring item ${row}` : null,
      row % 10 === 9 ? lastCreatedAt + 20 * year : null,
      createdAt,
    );
    if (row % hotEvery === 0 && hotCodes.length < maxHotCodes) hotCodes.push(code);
  }
  database.exec(derived);
  database.exec('COMMIT; PRAGMA journal_mode = WAL');
  database.close();
  return hotCodes;
}

// Each hundred links get 1,000 clicks: one link gets half of them, ten links get 14 each, and the rest get 4 each.
const derived = `
  INSERT INTO codes (key, account_id, link_row, live) SELECT code, account_id, link_row, 1 FROM links ORDER BY link_row;
  INSERT INTO link_counts (account_id, scope, slot, links) SELECT account_id, x'00', 0, count(*) FROM links;
  INSERT INTO link_counts (account_id, scope, slot, links)
    SELECT account_id, coalesce(folder_id, x'01'), 0, count(*) FROM links GROUP BY account_id, folder_id;
  INSERT INTO link_clicks (link_row, account_id, total, last_hour)
    SELECT link_row, account_id,
      CASE WHEN link_row % 100 = 0 THEN 504 WHEN link_row % 10 = 1 THEN 14 ELSE 4 END, created_at / 3600000 FROM links;
`;

// The stride is coprime to 28, so every row has a different code. It is large, so the codes of adjacent rows are far
// apart, but small enough that a million times the stride is still exactly representable as a double.
const stride = 8_600_000_011;

/** Returns a unique code for a row. The codes are spread over the code space, as generated codes are. */
function codeOf(row: number): string {
  return ((row * stride) % 28 ** 8).toString(28).padStart(8, '0');
}

/**
 * Indexes the links for search, using the version's own storage code. Then checks that the last link can be found, and
 * that the numbers of links and clicks are correct.
 * @throws Error if the database does not contain the generated links and clicks
 */
async function verify(tree: string, path: string, links: number): Promise<void> {
  const source = pathToFileURL(join(tree, 'src', 'storage', 'open.ts')).href;
  const { openStorage } = (await import(source)) as typeof import('../../src/storage/open.ts');
  const storage = await openStorage(`sqlite:${path}`);
  // Indexes all links now; otherwise the server would index them while it is being measured. Older versions have no
  // search index.
  if ('indexLinks' in storage) while (await storage.indexLinks(linksPerSlice));
  const target = await storage.findTarget(codeOf(links));
  await storage.close();
  const isConsistent =
    target?.row === links && linksIn(path) === links && clicksIn(path).all === clicksPerLink * links;
  if (!isConsistent) throw new Error('The server does not find the generated links and clicks.');
}

function query(path: string, sql: string): Readonly<Record<string, SQLOutputValue>>[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** Returns the number of stored clicks, and how many of them have not been moved to columns yet. */
export function clicksIn(path: string): { readonly all: number; readonly unfolded: number } {
  const sql = `SELECT (SELECT coalesce(sum(total), 0) FROM link_clicks)
      + (SELECT coalesce(sum(clicks), 0) FROM recent_clicks) AS "all",
    (SELECT coalesce(sum(clicks), 0) FROM click_batches WHERE layout < 100) AS unfolded`;
  return query(path, sql)[0] as ReturnType<typeof clicksIn>;
}

/** Returns the number of live links. @throws Error if the stored counter differs from the number of rows */
export function linksIn(path: string): number {
  const sql = `SELECT (SELECT sum(links) FROM link_counts WHERE scope = x'00') AS counted,
    (SELECT count(*) FROM links WHERE deleted_at IS NULL) AS stored`;
  const [{ counted, stored } = {}] = query(path, sql);
  if (counted !== stored) throw new Error(`The database counts ${counted} links, but contains ${stored}.`);
  return Number(stored);
}
