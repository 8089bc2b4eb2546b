import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** All rows by table, with plain values: bytes in hexadecimal, and integers as numbers. */
export type Dump = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Tables that a database uses internally. They are not compared. */
const ownTables: ReadonlySet<string> = new Set([
  'migrations',
  'migration_progress',
  'migration_turn',
  'meta',
  'change_log',
  'turns',
  'visitor_salts',
  // The following tables are derived from the links in the background.
  'link_index',
  'link_text_changes',
  'link_texts',
  'link_texts_config',
  'link_texts_data',
  'link_texts_docsize',
  'link_texts_idx',
]);

/** Reads all data in a SQLite or PostgreSQL database, for comparison. */
export function dumpOf(url: string): Promise<Dump> {
  return url.startsWith('sqlite:') ? dumpOfSqlite(url.slice('sqlite:'.length)) : dumpOfPostgres(url);
}

async function dumpOfSqlite(path: string): Promise<Dump> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return sorted(
      tables.map(({ name }) => [String(name), database.prepare(`SELECT * FROM ${String(name)}`).all()]),
    );
  } finally {
    database.close();
  }
}

async function dumpOfPostgres(url: string): Promise<Dump> {
  const client = await clientOf(url);
  try {
    const tables = await client.query(
      'SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()',
    );
    const rows: [string, Record<string, unknown>[]][] = [];
    for (const { table_name } of tables.rows)
      rows.push([table_name, (await client.query(`SELECT * FROM ${table_name}`)).rows]);
    return sorted(rows);
  } finally {
    await client.end();
  }
}

/** Opens a separate database connection for a test. */
export async function clientOf(url: string): Promise<pg.Client> {
  const bare = new URL(url);
  bare.searchParams.delete('durability');
  const client = new pg.Client({ connectionString: bare.href });
  await client.connect();
  return client;
}

/** Runs SQL statements on a separate connection. */
export async function perform(url: string, sql: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    database.exec(sql);
    return database.close();
  }
  const client = await clientOf(url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function sorted(tables: readonly [string, readonly Record<string, unknown>[]][]): Dump {
  return Object.fromEntries(
    tables
      .filter(([name]) => !ownTables.has(name))
      .map(([name, rows]): [string, Record<string, unknown>[]] => [
        name,
        together(name, rows.map(plain)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row)
      .map(([column, value]): [string, unknown] => {
        if (value instanceof Uint8Array) return [column, value.toHex()];
        // The driver returns 64-bit integers as strings.
        return [column, typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Adds up recent clicks, so that they can be compared. One engine splits them by writer. */
function together(name: string, rows: Record<string, unknown>[]): Record<string, unknown>[] {
  if (name !== 'recent_clicks') return rows;
  const sums = new Map<string, Record<string, unknown>>();
  for (const { source: _, clicks, ...key } of rows) {
    const before = sums.get(JSON.stringify(key))?.['clicks'] ?? 0;
    sums.set(JSON.stringify(key), { ...key, clicks: Number(before) + Number(clicks) });
  }
  return [...sums.values()];
}
