import type { Report } from '../../runtime/report.ts';
import { type Db, one } from '../db/db.ts';

/** What a database that holds a copy says of itself. */
interface Mark {
  /** The identity of the database it is a copy of. */
  readonly source: string;
  /** Which run of the command wrote to it last: one that was overtaken must not go on. */
  readonly run: string;
  readonly isWhole: boolean;
  /** The moment that it is a copy of, ms since the epoch; null while it is of none. */
  readonly asOf: number | null;
}

const valueAt = 'SELECT value FROM meta WHERE key = ?';
const keepValue = 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING';
const setValue = 'UPDATE meta SET value = ? WHERE key = ? AND value = ?';
const removeValue = 'DELETE FROM meta WHERE key = ? AND value = ?';

const identityKey = 'identity';
const markKey = 'copy';

async function read(db: Db, key: string): Promise<string | undefined> {
  return (await db.get<{ value: string }>(valueAt, [key]))?.value;
}

/** What tells this database from every other; undefined when nobody asked for it yet. */
export function identityOf(db: Db): Promise<string | undefined> {
  return read(db, identityKey);
}

/** Gives a database an identity, unless it has one. */
export async function giveIdentity(db: Db, identity: string): Promise<string> {
  await db.run(keepValue, [identityKey, identity]);
  return (await one<{ value: string }>(db, valueAt, [identityKey])).value;
}

export async function markOf(db: Db): Promise<Mark | undefined> {
  const text = await read(db, markKey);
  return text === undefined ? undefined : (JSON.parse(text) as Mark);
}

/** The mark of one run on its target; each of its transactions asks whether it still is there. */
export interface RunMark {
  /** @throws Error when another run has taken the target over */
  keep(db: Db): Promise<void>;
  /** Says that the copy is whole. @throws Error like `keep` */
  complete(db: Db, asOf: number): Promise<void>;
}

/**
 * Marks a database as a copy under way. Its own mark, if it has one, must be that of a copy of the same source.
 * @throws Error when somebody else wrote the mark, or took the database into use, in this moment
 */
export async function begin(db: Db, source: string, run: string): Promise<RunMark> {
  const mine = JSON.stringify({ source, run, isWhole: false, asOf: null } satisfies Mark);
  const before = await read(db, markKey);
  const marked =
    before === undefined
      ? await db.run(keepValue, [markKey, mine])
      : await db.run(setValue, [mine, markKey, before]);
  if (marked === 0) throw overtaken();
  const change = async (to: string, within: Db): Promise<void> => {
    if ((await within.run(setValue, [to, markKey, mine])) === 0) throw overtaken();
  };
  return {
    keep: (within) => change(mine, within),
    complete: (within, asOf) =>
      change(JSON.stringify({ source, run, isWhole: true, asOf } satisfies Mark), within),
  };
}

function overtaken(): Error {
  return new Error('Another copy to TO was begun, or TO was taken into use, meanwhile.');
}

/**
 * Makes a whole copy into a database of its own: from now on it is written to, and no later copy may undo that.
 * @returns the moment that it was a copy of; undefined when it is no copy
 * @throws Error when the copy is not whole
 */
export async function takeIntoUse(db: Db): Promise<number | undefined> {
  const text = await read(db, markKey);
  if (text === undefined) return undefined;
  const { isWhole, asOf } = JSON.parse(text) as Mark;
  if (isWhole && asOf !== null && (await db.run(removeValue, [markKey, text])) > 0) return asOf;
  throw new Error(
    'The database is a copy that is not finished. Finish it with the same linkfold db copy FROM TO again.',
  );
}

/** Says that a copy was taken into use, if it was one. */
export function tellUse(asOf: number | undefined, onInfo: Report | undefined): void {
  if (asOf === undefined) return;
  const facts = { asOf: new Date(asOf).toISOString() };
  onInfo?.('The database was a copy. It is in use now, so nothing more is copied to it.', facts);
}

/** Whether a database is a copy, whole or not. */
export async function isCopy(db: Db): Promise<boolean> {
  return (await read(db, markKey)) !== undefined;
}
