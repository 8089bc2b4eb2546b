import { DatabaseSync } from 'node:sqlite';
import type { BulkInput, Value } from '../db/db.ts';
import { migrate } from '../migrations/migrate.ts';
import { connectionOn, sqliteDialect } from '../sqlite/connection.ts';
import { exclusivelyOn } from '../sqlite/migration.ts';

/** A table to copy. */
export interface CopiedTable {
  readonly name: string;
  /** The primary key. Both engines order it the same way. */
  readonly key: readonly string[];
  readonly columns: BulkInput<Value>['columns'];
}

/**
 * Tables that are not copied, because they describe the database itself, only matter to running processes, or contain
 * visitor salts, which must not outlive two days.
 */
export const skippedTables: ReadonlySet<string> = new Set([
  'migrations',
  'migration_progress',
  'meta',
  'change_log',
  'turns',
  'limit_uses',
  'visitor_salts',
  // WebAuthn challenges, valid for minutes.
  'challenges',
  // Retention window of the event stream, which covers only minutes.
  'event_window',
  // Search indexes are rebuilt from the links.
  'link_index',
  'link_text_changes',
  'link_texts',
  'link_texts_config',
  'link_texts_data',
  'link_texts_docsize',
  'link_texts_idx',
]);

/**
 * Tables in which PostgreSQL keeps separate counter rows per journal, and the column that identifies the journal. The
 * copy stores the sums of those rows.
 */
const dividedBy: Readonly<Record<string, string>> = { recent_clicks: 'source' };

const everyColumn = `
  SELECT t.name AS "table", c.name AS "column", c.type, c.pk AS place
  FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.cid`;
const everyReference = `
  SELECT t.name AS "table", r."table" AS target FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) r`;
const kinds = { INTEGER: 'integer', TEXT: 'text', BLOB: 'bytes' } as const;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: keyof typeof kinds;
  /** Position in the primary key, from 1; 0 for other columns. */
  readonly place: number;
}

/** Returns the tables to copy, each after the tables that it references. Derived from the migrated schema. */
export async function copiedTables(): Promise<readonly CopiedTable[]> {
  const connection = connectionOn(new DatabaseSync(':memory:'));
  try {
    await migrate(connection, sqliteDialect, exclusivelyOn(connection));
    const columns = connection.all<Column>(everyColumn, []);
    const references = connection.all<{ table: string; target: string }>(everyReference, []);
    const names = new Set(columns.map(({ table }) => table)).difference(skippedTables);
    const ordered = inOrderOf(references, names);
    return ordered.map((name) =>
      tableOf(
        name,
        columns.filter(({ table, column }) => table === name && column !== dividedBy[name]),
      ),
    );
  } finally {
    connection.close();
  }
}

function inOrderOf(
  references: readonly { table: string; target: string }[],
  names: ReadonlySet<string>,
): string[] {
  const ordered = new Set<string>();
  while (ordered.size < names.size) {
    const next = [...names.difference(ordered)].find((name) =>
      references.every(({ table, target }) => table !== name || ordered.has(target)),
    );
    if (next === undefined) throw new Error('Tables have circular references.');
    ordered.add(next);
  }
  return [...ordered];
}

function tableOf(name: string, columns: readonly Column[]): CopiedTable {
  const key = columns.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place);
  return {
    name,
    key: key.map(({ column }) => column),
    columns: Object.fromEntries(columns.map(({ column, type }) => [column, kinds[type]])),
  };
}

function listOf(names: Iterable<string>): string {
  return [...names].join(', ');
}

/** Returns the FROM item to read: the table itself, or a subquery that sums its rows. */
function readOf({ name, key, columns }: CopiedTable): string {
  if (dividedBy[name] === undefined) return name;
  const sums = Object.keys(columns).map((column) =>
    key.includes(column) ? column : `CAST(SUM(${column}) AS BIGINT) AS ${column}`,
  );
  return `(SELECT ${listOf(sums)} FROM ${name} GROUP BY ${listOf(key)}) AS ${name}`;
}

export function countOf(table: CopiedTable): string {
  return `SELECT COUNT(*) AS count FROM ${readOf(table)}`;
}

/**
 * Returns the query for a batch of rows in key order. Parameters: the previous key (except for the first batch), and
 * the number of rows.
 */
export function batchOf(table: CopiedTable, isFirst: boolean): string {
  const keys = listOf(table.key);
  const behind = isFirst ? '' : `WHERE (${keys}) > (${listOf(table.key.map(() => '?'))})`;
  return `SELECT ${listOf(Object.keys(table.columns))} FROM ${readOf(table)} ${behind} ORDER BY ${keys} LIMIT ?`;
}

/** Returns two INSERT statements: for one row, given as parameters, and for all rows of the table `input`. */
export function insertsOf({ name, columns }: CopiedTable): { readonly one: string; readonly bulk: string } {
  const names = listOf(Object.keys(columns));
  const marks = listOf(Object.keys(columns).map(() => '?'));
  return {
    one: `INSERT INTO ${name} (${names}) VALUES (${marks})`,
    bulk: `INSERT INTO ${name} (${names}) SELECT ${names} FROM input`,
  };
}
