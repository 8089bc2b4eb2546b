import { idText } from '../../model/ids.ts';
import type { RecordField, RecordFields, StoredName, ValueOf } from '../../model/record-fields.ts';
import type { Db, Value } from './db.ts';
import { idBytes } from './ids.ts';

/** A row as returned by the engine: values by column name. */
export type Row = Readonly<Record<string, Value>>;

/** Defines how a field of a record is stored. */
export interface StoredField<T> {
  /** Column name; defaults to the field's name in snake case. */
  readonly column?: string;
  /** SQL expression, if the field is not a column of the record's own table. */
  readonly from?: string;
  readonly read: (value: Value) => T;
  /** Converts a value for storage. Fields without `write` are written by their own statements. */
  readonly write?: ((value: unknown) => Value) | undefined;
}

type Options = Omit<StoredField<unknown>, 'read' | 'write'>;

/** Defines a string, number or byte field, stored unchanged. */
export function plain<T extends Value>(options: Options = {}): StoredField<T> {
  return { ...options, read: (value) => value as T, write: (value) => value as Value };
}

/** Defines a UUID, stored as 16 bytes. */
export function uuid(options: Options = {}): StoredField<string> {
  return {
    ...options,
    read: (value) => idText(value as Uint8Array),
    write: (value) => idBytes(value as string),
  };
}

/** Defines a boolean, stored as 0 or 1. */
export function flag(options: Options = {}): StoredField<boolean> {
  return { ...options, read: (value) => value === 1, write: Number };
}

/** Defines a boolean that is true if the column is not NULL. */
export function isSet(options: Options): StoredField<boolean> {
  return { ...options, read: (value) => value !== null };
}

/** Defines a value stored as JSON. */
export function json<T>(options: Options = {}): StoredField<T> {
  return {
    ...options,
    read: (value) => (value === null ? null : JSON.parse(value as string)) as T,
    write: (value) => (value == null ? null : JSON.stringify(value)),
  };
}

/** Defines fields that are stored together as one JSON object. */
export function jsonParts<F extends RecordFields>(column: string, fields: F): DerivedFields<F> {
  return Object.fromEntries(
    Object.keys(fields).map((name) => [
      name,
      { column, read: (value: Value) => JSON.parse(value as string)[name] },
    ]),
  ) as unknown as DerivedFields<F>;
}

type DerivedFields<F> = { readonly [N in StoredName<F>]: StoredField<ValueOf<F[N]>> };

/**
 * Derives the stored fields of a record from its description. To override a field, spread the result of this function
 * and add the field after it.
 */
export function storedFields<F extends RecordFields>(fields: F): DerivedFields<F> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.isComputed ? [] : [[name, storedField(field)]])),
  ) as unknown as DerivedFields<F>;
}

function storedField({ kind }: RecordField): StoredField<unknown> {
  switch (kind) {
    case 'id':
      return uuid();
    case 'flag':
      return flag();
    case 'choices':
    case 'texts':
    case 'record':
    case 'records':
      return json();
    default:
      return plain();
  }
}

type Fields = Readonly<Record<string, StoredField<unknown>>>;

/** The type of a record whose fields were read from a row. */
type RecordFrom<F extends Fields> = { readonly [N in keyof F]: ReturnType<F[N]['read']> };

/**
 * Defines a stored record: the column list for SELECT, and the conversion from rows.
 * @param table table alias in statements; empty to use column names without an alias
 */
export function stored<const F extends Fields>(table: string, fields: F) {
  const described = Object.entries<StoredField<unknown>>(fields).map(
    ([name, { column = snakeCase(name), from, read, write }]) => ({
      name,
      column,
      sql: from === undefined ? `${table && `${table}.`}${column}` : `${from} AS ${column}`,
      read,
      write,
    }),
  );
  return {
    fields,
    /** Column list for SELECT, in the order of the fields. */
    columns: [...new Set(described.map(({ sql }) => sql))].join(', '),
    /** Converts the given fields of a record for storage. @returns values by column */
    values: (record: object): Row =>
      Object.fromEntries(
        described.flatMap(({ name, column, write }) => {
          const value = (record as Readonly<Record<string, unknown>>)[name];
          return write === undefined || value === undefined ? [] : [[column, write(value)]];
        }),
      ),
    of: (row: Row): RecordFrom<F> =>
      Object.fromEntries(
        described.map(({ name, column, read }) => [name, read(row[column] ?? null)]),
      ) as RecordFrom<F>,
  };
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Inserts a row. @param row values by column
 * @param ending end of the statement, such as an ON CONFLICT clause
 * @returns false if there was a conflict
 */
export async function insertRow(db: Db, table: string, row: Row, ending = ''): Promise<boolean> {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ${ending}`;
  return (await db.run(sql, Object.values(row))) > 0;
}

/** Updates rows. @param row values by column @param where condition with `params` @returns number of changed rows */
export async function updateRows(
  db: Db,
  table: string,
  row: Row,
  where: string,
  params: readonly Value[],
): Promise<number> {
  const changes = Object.keys(row).map((column) => `${column} = ?`);
  return db.run(`UPDATE ${table} SET ${changes.join(', ')} WHERE ${where}`, [
    ...Object.values(row),
    ...params,
  ]);
}
