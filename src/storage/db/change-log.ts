import type { ChangeKind, Db } from './db.ts';

export interface Change {
  readonly seq: number;
  readonly kind: ChangeKind;
  readonly name: string;
}

const append = 'INSERT INTO change_log (kind, name) VALUES (?, ?)';
// Never deletes the newest row, because SQLite would then reuse its number.
const trim = 'DELETE FROM change_log WHERE seq <= ?';
/** Number of rows to retain. */
export const retainedChanges = 10_000;
const trimEvery = 1_000;

/**
 * Returns true if the name of a changed target refers to a domain: `#` followed by the domain's host. Codes cannot
 * start with `#` (docs/decisions/codes-and-domains.md).
 */
export function isHost(name: string): boolean {
  return name.startsWith('#');
}

/** Returns the name under which a change to all of an account's targets is recorded. */
export function targetsOf(accountId: number): string {
  return `#@${accountId}`;
}

/** Returns the account whose targets may all have changed; undefined if only a single code or host changed. */
export function accountOf(name: string): number | undefined {
  return name.startsWith('#@') ? Number(name.slice(2)) : undefined;
}

/**
 * Records a change. Call it in the same transaction as the change, after the first modifying statement: readers on
 * other nodes rely on that order (`change-follower.ts`).
 */
export async function recordChange(db: Db, kind: ChangeKind, name: string): Promise<void> {
  db.onChange?.(kind, name);
  const seq = await db.insert(append, 'seq', [kind, name]);
  if (seq % trimEvery === 0) await db.run(trim, [seq - retainedChanges]);
}

const insertKeysOf = `
  INSERT INTO change_log (kind, name)
  SELECT 'key', k.id FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE a.name = ?`;

/** Records a change to all keys of the account with this name. */
export async function recordKeyChanges(db: Db, account: string): Promise<void> {
  db.onChange?.('key', undefined);
  await db.run(insertKeysOf, [account]);
}

const insertKeysOfAccount =
  "INSERT INTO change_log (kind, name) SELECT 'key', id FROM api_keys WHERE account_id = ?";

/** Records a change to all keys of the account with this id. */
export async function recordAccountKeyChanges(db: Db, accountId: number): Promise<void> {
  db.onChange?.('key', undefined);
  await db.run(insertKeysOfAccount, [accountId]);
}

/**
 * Removes a key from this process's cache of codes that were not found. Other processes are not notified, because they
 * cache misses for half a second at most.
 */
export function invalidateMiss(db: Db, key: string): void {
  return db.onChange?.('target', key);
}

export const newestChange = 'SELECT COALESCE(MAX(seq), 0) AS seq FROM change_log';
export const changesAfter = 'SELECT seq, kind, name FROM change_log WHERE seq > ? ORDER BY seq LIMIT ?';
