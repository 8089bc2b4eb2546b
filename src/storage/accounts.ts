import type { Account } from '../domain/storage.ts';
import { noteKeysOf } from './change-log.ts';
import { type Db, one } from './db.ts';
import { scopeOf, sumOfLinks } from './link-counts.ts';

interface AccountRow {
  id: number;
  name: string;
  created_at: number;
  suspended_at: number | null;
}

const accountOf = (row: AccountRow): Account => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
  suspendedAt: row.suspended_at,
});

const everyAccount = `
  SELECT a.id, a.name, a.created_at, a.suspended_at, ${sumOfLinks('a.id', '?')} AS links
  FROM accounts a ORDER BY a.id`;

/** Every account with its number of live links, oldest first. */
export const accounts = async (db: Db): Promise<readonly (Account & { links: number })[]> => {
  const rows = await db.all<AccountRow & { links: number }>(everyAccount, [scopeOf({ kind: 'all' })]);
  return rows.map((row) => ({ ...accountOf(row), links: row.links }));
};

const insertAccount = `
  INSERT INTO accounts (name, created_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING
  RETURNING id, name, created_at, suspended_at`;

/** @returns undefined when the name is in use */
export const createAccount = async (db: Db, name: string, now: number): Promise<Account | undefined> => {
  const row = await db.get<AccountRow>(insertAccount, [name, now]);
  return row && accountOf(row);
};

const accountByName = 'SELECT id FROM accounts WHERE name = ?';

/** The account of that name, made now when it is new. */
export const accountNamed = async (db: Db, name: string, now: number): Promise<number> =>
  (await createAccount(db, name, now))?.id ?? (await one<{ id: number }>(db, accountByName, [name])).id;

const setSuspended = 'UPDATE accounts SET suspended_at = ? WHERE name = ?';

/** Suspends an account from a time on, or with null lifts it. @returns whether there is such an account */
export const suspendAccount = async (db: Db, name: string, at: number | null): Promise<boolean> => {
  const found = (await db.run(setSuspended, [at, name])) > 0;
  if (found) await noteKeysOf(db, name);
  return found;
};
