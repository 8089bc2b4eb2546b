import type { BulkInput, Value } from '../db/db.ts';
import type { Key, Range } from './side.ts';

type Kind = 'integer' | 'text' | 'bytes';

/** A table that a copy carries over. */
export interface CopiedTable {
  readonly name: string;
  /** The primary key: in its order the table is walked, which is the same on every engine. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Kind>>;
  /** Whether rows of other tables refer to its rows: one that is to go waits until those have gone. */
  readonly isReferred: boolean;
  /** The column that the engine numbers. */
  readonly numbered?: string;
  /**
   * A column that divides rows among writers where many write, and is part of the primary key there. What is copied is
   * their sums.
   */
  readonly dividedBy?: string;
}

/** Every table of the service's own data, each after those that it refers to. */
export const copiedTables: readonly CopiedTable[] = [
  {
    name: 'accounts',
    key: ['id'],
    columns: { id: 'integer', name: 'text', created_at: 'integer', suspended_at: 'integer' },
    isReferred: true,
    numbered: 'id',
  },
  {
    name: 'api_keys',
    key: ['id'],
    columns: {
      ...{ id: 'text', account_id: 'integer', digest: 'bytes', name: 'text', plan: 'text', scopes: 'text' },
      ...{ created_at: 'integer', expires_at: 'integer', revoked_at: 'integer', last_used_at: 'integer' },
      replaced_by: 'text',
    },
    isReferred: false,
  },
  {
    name: 'folders',
    key: ['account_id', 'id'],
    columns: {
      ...{ account_id: 'integer', id: 'bytes', name: 'text', created_at: 'integer', updated_at: 'integer' },
    },
    isReferred: true,
  },
  {
    name: 'folder_removals',
    key: ['account_id', 'slot'],
    columns: { account_id: 'integer', slot: 'integer', folder_id: 'bytes' },
    isReferred: false,
  },
  {
    name: 'links',
    key: ['link_row'],
    columns: {
      ...{ link_row: 'integer', id: 'bytes', account_id: 'integer', code: 'text', destination: 'text' },
      ...{ location: 'text', title: 'text', description: 'text', expires_at: 'integer', folder_id: 'bytes' },
      ...{ created_at: 'integer', updated_at: 'integer', deleted_at: 'integer' },
      external_id: 'text',
    },
    isReferred: true,
    numbered: 'link_row',
  },
  {
    name: 'codes',
    key: ['key'],
    columns: { key: 'text', account_id: 'integer', link_row: 'integer', live: 'integer' },
    isReferred: false,
  },
  {
    name: 'link_counts',
    key: ['account_id', 'scope', 'slot'],
    columns: { account_id: 'integer', scope: 'bytes', slot: 'integer', links: 'integer' },
    isReferred: false,
  },
  {
    name: 'link_clicks',
    key: ['link_row'],
    columns: { link_row: 'integer', total: 'integer' },
    isReferred: false,
  },
  {
    name: 'link_clicks_hourly',
    key: ['link_row', 'hour', 'class'],
    columns: { link_row: 'integer', hour: 'integer', class: 'integer', clicks: 'integer' },
    isReferred: false,
  },
  {
    name: 'recent_clicks',
    key: ['link_row', 'hour', 'class'],
    columns: { link_row: 'integer', hour: 'integer', class: 'integer', clicks: 'integer' },
    isReferred: false,
    dividedBy: 'source',
  },
  // With the clicks, of the same moment: what journals hold beyond these positions is in no table yet.
  {
    name: 'click_journals',
    key: ['id'],
    columns: { id: 'text', applied_to: 'integer' },
    isReferred: false,
  },
  {
    name: 'once',
    key: ['account_id', 'key'],
    columns: {
      ...{ account_id: 'integer', key: 'text', fingerprint: 'text', result: 'text', created_at: 'integer' },
    },
    isReferred: false,
  },
];

/**
 * Tables that a copy leaves alone: they speak of the database itself (its schema, its identity), or to processes that
 * have it open (whose turn it is; what counts against limits; the log of changes, which those with nothing in memory need not read).
 */
export const tablesLeftAlone = [
  ...['migrations', 'migration_progress', 'migration_turn', 'meta', 'change_log', 'turns', 'limit_uses'],
] as const;

function columnsOf(table: CopiedTable): string[] {
  return Object.keys(table.columns);
}
function listOf(names: readonly string[]): string {
  return names.join(', ');
}

/** What is read of a table: itself, or its sums. */
function readOf({ name, key, columns, dividedBy }: CopiedTable): string {
  if (dividedBy === undefined) return name;
  const sums = Object.keys(columns).map((column) =>
    key.includes(column) ? column : `CAST(SUM(${column}) AS BIGINT) AS ${column}`,
  );
  return `(SELECT ${listOf(sums)} FROM ${name} GROUP BY ${listOf(key)}) AS ${name}`;
}

/** The condition on keys beyond one and up to another; either may be open. */
function within({ key }: CopiedTable, { after, upto }: Range): string {
  const marks = key.map(() => '?').join(', ');
  const bounds = [
    ...(after === undefined ? [] : [`(${listOf(key)}) > (${marks})`]),
    ...(upto === undefined ? [] : [`(${listOf(key)}) <= (${marks})`]),
  ];
  return bounds.length === 0 ? '' : ` WHERE ${bounds.join(' AND ')}`;
}

export function boundsOf({ after = [], upto = [] }: Range): Value[] {
  return [...after, ...upto];
}

/** The key that stands last of so many in a range. */
export function keyAtEnd(table: CopiedTable, range: Range): string {
  return `SELECT ${listOf(table.key)} FROM ${readOf(table)}${within(table, range)} ORDER BY ${listOf(table.key)} LIMIT 1 OFFSET ?`;
}

export function rowsIn(table: CopiedTable, range: Range): string {
  return `SELECT ${listOf(columnsOf(table))} FROM ${readOf(table)}${within(table, range)} ORDER BY ${listOf(table.key)} LIMIT ?`;
}

export function keysIn(table: CopiedTable, range: Range): string {
  return `SELECT ${listOf(table.key)} FROM ${readOf(table)}${within(table, range)} ORDER BY ${listOf(table.key)} LIMIT ?`;
}

export function countIn(table: CopiedTable, range: Range = {}): string {
  return `SELECT COUNT(*) AS count FROM ${readOf(table)}${within(table, range)}`;
}

export function anyIn(table: CopiedTable, range: Range = {}): string {
  return `SELECT 1 AS found FROM ${readOf(table)}${within(table, range)} LIMIT 1`;
}

/** The next number that the engine gives, on an engine that keeps it by itself. */
export function setNumber({ name, numbered }: CopiedTable): string {
  return `SELECT setval(pg_get_serial_sequence('${name}', '${numbered}'),
     (SELECT COALESCE(MAX(${numbered}), 0) + 1 FROM ${name}), false) AS next`;
}

/** Whole numbers and bytes end with a comma, texts begin with their length: no two rows have the same text. */
function textOf(column: string, kind: Kind, hex: (column: string) => string): string {
  if (kind === 'integer') return `COALESCE(CAST(${column} AS TEXT), '~') || ','`;
  if (kind === 'bytes') return `COALESCE(${hex(column)}, '~') || ','`;
  return `COALESCE(CAST(octet_length(${column}) AS TEXT) || ':' || ${column}, '~') || ','`;
}

/** All rows of a slice as one text, the same on every engine, and how many they are. At most so many are read. */
export function textIn(
  table: CopiedTable,
  range: Range,
  hex: (column: string) => string,
  form: (text: string) => string,
): string {
  const row = Object.entries(table.columns).map(([column, kind]) => textOf(column, kind, hex));
  const text = `string_agg(${row.join(' || ')}, '' ORDER BY ${listOf(table.key)})`;
  return `SELECT COUNT(*) AS count, ${form(text)} AS text FROM (${rowsIn(table, range)}) AS slice`;
}

export interface Change {
  readonly given: BulkInput<Value>;
  /** For one row. */
  readonly one: string;
  /** For all that are given. */
  readonly bulkSql: string;
}

export type Row = Readonly<Record<string, Value>>;

/** Inserts rows, and makes those that are there the same; one that is the same already is not written. */
export function putting(table: CopiedTable, rows: readonly Row[]): Change {
  const { name, key, dividedBy } = table;
  const columns = columnsOf(table);
  const others = columns.filter((column) => !key.includes(column));
  const update = (unique: readonly string[]): string => `
    ON CONFLICT (${listOf(unique)}) DO UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE ${others.map((column) => `${name}.${column} IS DISTINCT FROM excluded.${column}`).join(' OR ')}`;
  const insert = `INSERT INTO ${name} (${listOf(columns)})`;
  return {
    given: given(table, columns, rows),
    one: `${insert} VALUES (${columns.map(() => '?').join(', ')}) ${update(key)}`,
    bulkSql: `${insert} SELECT ${listOf(columns)} FROM given ${update(dividedBy === undefined ? key : [...key, dividedBy])}`,
  };
}

/** Removes rows by their keys. */
export function removing(table: CopiedTable, keys: readonly Row[]): Change {
  const { name, key } = table;
  const isOptions = key.map((column) => `g.${column} = ${name}.${column}`).join(' AND ');
  return {
    given: given(table, key, keys),
    one: `DELETE FROM ${name} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`,
    bulkSql: `DELETE FROM ${name} WHERE EXISTS (SELECT 1 FROM given g WHERE ${isOptions})`,
  };
}

function given(table: CopiedTable, columns: readonly string[], rows: readonly Row[]): BulkInput<Value> {
  return {
    columns: Object.fromEntries(columns.map((column) => [column, table.columns[column] ?? 'text'])),
    values: rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
  };
}

export function keyOf(table: CopiedTable, row: Row): Key {
  return table.key.map((column) => row[column] ?? null);
}

/** A key for people: bytes as hex. */
export function sayKey(key: Key): string {
  return key.map((value) => (value instanceof Uint8Array ? value.toHex() : JSON.stringify(value))).join(', ');
}
