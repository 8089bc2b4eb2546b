import { DatabaseSync } from 'node:sqlite';
import type { BulkInput, Value } from '../db/db.ts';
import { migrate } from '../migrations/migrate.ts';
import { connectionOn, sqliteDialect } from '../sqlite/connection.ts';
import { exclusivelyOn } from '../sqlite/migration.ts';

/** A table that a copy carries over. */
export interface CopiedTable {
  readonly name: string;
  /** The primary key. Both engines order rows by it alike. */
  readonly key: readonly string[];
  readonly columns: BulkInput<Value>['columns'];
}

/**
 * Tables that a copy leaves alone: they speak of the database itself, or to processes that have it open; the secrets by
 * which visitors are told apart live for two days at most, so that no copy may hold them longer. Every other table of the
 * schema is copied.
 */
export const tablesLeftAlone: ReadonlySet<string> = new Set([
  'migrations',
  'migration_progress',
  'meta',
  'change_log',
  'turns',
  'limit_uses',
  'folder_removals',
  'visitor_salts',
  // Kept for minutes: what somebody is asked to prove.
  'challenges',
  // Kept for minutes, for clients that read along.
  'event_window',
  'link_events',
  // What helps to find links is made anew from the links.
  'link_index',
  'link_text_changes',
  'link_texts',
  'link_texts_config',
  'link_texts_data',
  'link_texts_docsize',
  'link_texts_idx',
]);

/** On PostgreSQL each journal adds to rows of its own. A copy carries their sums. */
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
  /** In the primary key, from 1; 0 when the column is not part of it. */
  readonly place: number;
}

/** What is copied, each table after those that it refers to. Read from the schema that the migrations make. */
export async function copiedTables(): Promise<readonly CopiedTable[]> {
  const connection = connectionOn(new DatabaseSync(':memory:'));
  try {
    await migrate(connection, sqliteDialect, exclusivelyOn(connection));
    const columns = connection.all<Column>(everyColumn, []);
    const references = connection.all<{ table: string; target: string }>(everyReference, []);
    const names = new Set(columns.map(({ table }) => table)).difference(tablesLeftAlone);
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
    if (next === undefined) throw new Error('Tables refer to each other in a circle.');
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

/** What is read of a table: itself, or its sums. */
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

/** A batch of rows in the order of their keys. Its parameters: the key before it unless it is the first, how many rows. */
export function batchOf(table: CopiedTable, isFirst: boolean): string {
  const keys = listOf(table.key);
  const behind = isFirst ? '' : `WHERE (${keys}) > (${listOf(table.key.map(() => '?'))})`;
  return `SELECT ${listOf(Object.keys(table.columns))} FROM ${readOf(table)} ${behind} ORDER BY ${keys} LIMIT ?`;
}

/** Inserts one row, whose values are the parameters, and all rows of the table `input`. */
export function insertsOf({ name, columns }: CopiedTable): { readonly one: string; readonly bulk: string } {
  const names = listOf(Object.keys(columns));
  const marks = listOf(Object.keys(columns).map(() => '?'));
  return {
    one: `INSERT INTO ${name} (${names}) VALUES (${marks})`,
    bulk: `INSERT INTO ${name} (${names}) SELECT ${names} FROM input`,
  };
}
