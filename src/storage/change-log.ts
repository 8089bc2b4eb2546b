import type { Db } from './db.ts';

/** A code that leads elsewhere, or nowhere, or until another time; a key that is no longer what it was. */
export type ChangeKind = 'target' | 'key';

export interface Change {
  readonly seq: number;
  readonly kind: ChangeKind;
  readonly name: string;
}

const append = 'INSERT INTO change_log (kind, name) VALUES (?, ?)';
// Never the newest: SQLite would give its number again.
const trim = 'DELETE FROM change_log WHERE seq <= ?';
const kept = 10_000;
const trimEvery = 1_000;

/** Notes a change, in the transaction that makes it. */
export const noteChange = async (db: Db, kind: ChangeKind, name: string): Promise<void> => {
  const seq = await db.insert(append, 'seq', [kind, name]);
  if (seq % trimEvery === 0) await db.run(trim, [seq - kept]);
};

const everyKeyOf = `
  INSERT INTO change_log (kind, name)
  SELECT 'key', k.id FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE a.name = ?`;

/** Notes that all keys of an account changed. */
export const noteKeysOf = async (db: Db, account: string): Promise<void> => {
  await db.run(everyKeyOf, [account]);
};

export const newestChange = 'SELECT COALESCE(MAX(seq), 0) AS seq FROM change_log';
export const changesAfter = 'SELECT seq, kind, name FROM change_log WHERE seq > ? ORDER BY seq LIMIT ?';
