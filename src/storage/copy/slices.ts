import { createHash } from 'node:crypto';
import { type Db, one } from '../db/db.ts';
import type { RunMark } from '../statements/copy-mark.ts';
import { digestsOf, type Key, type Range, type Side } from './side.ts';
import {
  anyIn,
  boundsOf,
  type Change,
  type CopiedTable,
  copiedTables,
  countIn,
  keyAtEnd,
  keyOf,
  keysIn,
  putting,
  type Row,
  removing,
  rowsIn,
  sayKey,
} from './tables.ts';

export interface Work {
  readonly source: Side;
  readonly target: Side;
  readonly mark: RunMark;
  /** Rows in a slice. */
  readonly sliceRows: number;
  /** Told how many rows of FROM were gone through since it was told last. */
  readonly onRows: (rows: number) => void;
}

interface Sent {
  /** Rows of slices that were not the same in TO before. */
  sent: number;
  /** Rows of TO that FROM does not have. */
  removed: number;
}

/** Makes every table of TO like that of FROM, and writes only the rows that are not. */
export async function copyAll(work: Work): Promise<readonly Readonly<Sent>[]> {
  const copied = copiedTables.map((table) => ({ table, figures: { sent: 0, removed: 0 } }));
  const crowded: typeof copied = [];
  for (const one of copied) if (await copyTable(work, one.table, one.figures)) crowded.unshift(one);
  // The tables that refer to them have let go of these rows by now.
  for (const { table, figures } of crowded)
    for await (const range of slicesOf(work, table))
      figures.removed += await removeExtras(work, table, range);
  return copied.map(({ figures }) => figures);
}

/** @returns whether rows are left that FROM does not have, because others may still refer to them */
async function copyTable(work: Work, table: CopiedTable, figures: Sent): Promise<boolean> {
  const { source, target, sliceRows, onRows } = work;
  let isCrowded = false;
  let isNew = false;
  for await (const range of slicesOf(work, table)) {
    // Nobody else writes there: what is empty stays so.
    isNew ||=
      (await target.db.get(anyIn(table, { after: range.after }), boundsOf({ after: range.after }))) ===
      undefined;
    if (!isNew) {
      const [theirs, ours] = await digestsOf([source, target], table, range, sliceRows + 1);
      if (theirs.digest === ours.digest) {
        onRows(theirs.rows);
        continue;
      }
    }
    const rows = await source.db.all<Row>(rowsIn(table, range), [...boundsOf(range), sliceRows]);
    await write(work, table, range, putting(table, rows));
    figures.sent += rows.length;
    if (!isNew) {
      const inTarget = await countOf(target.db, table, range);
      if (table.isReferred) isCrowded ||= inTarget > rows.length;
      else if (inTarget > rows.length) figures.removed += await removeExtras(work, table, range);
    }
    onRows(rows.length);
  }
  return isCrowded;
}

/** The slices of a table of FROM, in the order of its keys. Together they leave nothing out: the last one is open. */
async function* slicesOf({ source, sliceRows }: Work, table: CopiedTable): AsyncGenerator<Range> {
  let after: Key | undefined;
  for (;;) {
    const last: Row | undefined = await source.db.get<Row>(keyAtEnd(table, { after }), [
      ...boundsOf({ after }),
      sliceRows - 1,
    ]);
    const upto = last && keyOf(table, last);
    yield { after, upto };
    if (upto === undefined) return;
    after = upto;
  }
}

async function countOf(db: Db, table: CopiedTable, range: Range = {}): Promise<number> {
  return (await one<{ count: number }>(db, countIn(table, range), boundsOf(range))).count;
}

/** @returns how many rows of TO there were that FROM does not have */
async function removeExtras(work: Work, table: CopiedTable, range: Range): Promise<number> {
  const { source, target, sliceRows } = work;
  const wanted = await source.db.all<Row>(keysIn(table, range), [...boundsOf(range), sliceRows]);
  const names = new Set(wanted.map((row) => sayKey(keyOf(table, row))));
  let removed = 0;
  let { after } = range;
  for (;;) {
    const piece: Range = { after, upto: range.upto };
    const there = await target.db.all<Row>(keysIn(table, piece), [...boundsOf(piece), sliceRows]);
    const last = there.at(-1);
    if (last === undefined) return removed;
    const extras = there.filter((row) => !names.has(sayKey(keyOf(table, row))));
    await write(work, table, piece, removing(table, extras));
    removed += extras.length;
    after = keyOf(table, last);
  }
}

async function write(
  { target, mark }: Work,
  table: CopiedTable,
  range: Range,
  { given, one: statement, bulkSql: together }: Change,
): Promise<void> {
  if (given.values.length === 0) return;
  const { db } = target;
  await target.write(async () => {
    await mark.keep(db);
    try {
      await db.bulk(given, (...row) => db.run(statement, row), together);
    } catch (error) {
      throw refused(table, range, error);
    }
  });
}

/** Rows that an engine does not take; whatever else is wrong says so itself. */
function refused(table: CopiedTable, range: Range, error: unknown): unknown {
  const { code = '', errcode = 0 } = error as { readonly code?: string; readonly errcode?: number };
  const where = `${table.name}, keys ${sayRange(range)}`;
  const isConstraint = code.startsWith('23') || errcode % 256 === 19;
  if (isConstraint)
    return new Error(
      `TO does not take rows of FROM beside those that it has (${where}): it is a copy of another past of FROM. Give an empty database.`,
      { cause: error },
    );
  if (code === '22021' || code === '22P05')
    return new Error(`PostgreSQL takes no text with a NUL character or broken UTF-8 (${where}).`, {
      cause: error,
    });
  return error;
}

export function sayRange({ after, upto }: Range): string {
  return `${after === undefined ? 'from the first' : `after (${sayKey(after)})`} ${
    upto === undefined ? 'to the last' : `to (${sayKey(upto)})`
  }`;
}

export interface Verified {
  readonly rows: number;
  /** SHA-256 in hex over the digests of all slices of FROM. */
  readonly checksum: string;
  /** A sentence for each slice that is not the same. */
  readonly differences: readonly string[];
}

/** Reads all rows on both sides, TO as of one moment, and compares how many and what they are. */
export async function verifyAll(work: Work): Promise<readonly Verified[]> {
  await work.target.hold();
  try {
    const verified: Verified[] = [];
    for (const table of copiedTables) verified.push(await verifyTable(work, table));
    return verified;
  } finally {
    await work.target.release();
  }
}

async function verifyTable(work: Work, table: CopiedTable): Promise<Verified> {
  const { source, target, sliceRows, onRows } = work;
  const checksum = createHash('sha256');
  const differences: string[] = [];
  for await (const range of slicesOf(work, table)) {
    const [theirs, ours] = await digestsOf([source, target], table, range, sliceRows + 1);
    checksum.update(theirs.digest);
    if (theirs.digest !== ours.digest)
      differences.push(
        `${table.name} differs in keys ${sayRange(range)}: FROM has ${theirs.rows} rows there.`,
      );
    onRows(theirs.rows);
  }
  // Asked in another way, so that rows which no slice came by would show.
  const [rows, copied] = [await countOf(source.db, table), await countOf(target.db, table)];
  if (rows !== copied) differences.push(`${table.name} has ${rows} rows in FROM, and ${copied} in TO.`);
  return { rows, checksum: checksum.digest('hex'), differences };
}
