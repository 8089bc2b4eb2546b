import type { AccountSettings } from '../../../model/accounts/accounts.ts';
import { foldAccountName } from '../../../model/accounts/accounts.ts';
import { Failure } from '../../../model/failures.ts';
import { recordAccountKeyChanges, recordChange, recordKeyChanges, targetsOf } from '../../db/change-log.ts';
import { type Db, one } from '../../db/db.ts';
import { plain, type Row, stored } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { scopeOf, sumOfLinks } from '../groups/link-counts.ts';

const storedAccount = stored('a', {
  id: plain<number>(),
  name: plain<string>(),
  createdAt: plain<number>(),
  suspendedAt: plain<number | null>(),
});

const allAccounts = `
  SELECT ${storedAccount.columns}, ${sumOfLinks('a.id', '?')} AS links
  FROM accounts a ORDER BY a.id`;

/** Returns all accounts with their number of live links, oldest first. */
export const accounts: Read<'accounts'> = async (db) => {
  const rows = await db.all<Row & { readonly links: number }>(allAccounts, [scopeOf({ kind: 'all' })]);
  return rows.map((row) => ({ ...storedAccount.of(row), links: row.links }));
};

const insertAccount = `
  INSERT INTO accounts (name, created_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING
  RETURNING id, name, created_at, suspended_at`;

/** Query for a row that always exists and never changes. Transactions that must wait for each other lock this row. */
export const rowOfAll = 'SELECT number FROM migrations WHERE number = 1';

export const createAccount: Write<'createAccount'> = async (db, name, now) => {
  // Makes concurrent requests wait for each other, so that "Acme" and "acme" cannot both be created.
  await db.lockRows('no key update', rowOfAll, []);
  if ((await accountLike(db, name)) !== undefined) return undefined;
  const row = await db.get<Row>(insertAccount, [name, now]);
  return row && storedAccount.of(row);
};

const allNames = 'SELECT id, name FROM accounts ORDER BY id';

/** Finds an account by name, ignoring case; an exact match is preferred. */
export async function accountLike(db: Db, name: string): Promise<{ id: number; name: string } | undefined> {
  const folded = foldAccountName(name);
  const names = await db.all<{ id: number; name: string }>(allNames, []);
  const alike = names.filter((account) => foldAccountName(account.name) === folded);
  return alike.find((account) => account.name === name) ?? alike[0];
}

const accountByName = 'SELECT id FROM accounts WHERE name = ?';

/**
 * Returns the id of the account with exactly this name, and creates the account if it is new.
 * @throws Failure VALIDATION_ERROR when an account has the name in a different case
 */
export async function accountNamed(db: Db, name: string, now: number): Promise<number> {
  const known = await db.get<{ id: number }>(accountByName, [name]);
  if (known !== undefined) return known.id;
  const made = await createAccount(db, name, now);
  if (made !== undefined) return made.id;
  const found = await accountLike(db, name);
  if (found?.name === name) return found.id;
  throw new Failure(
    'VALIDATION_ERROR',
    `There is already an account "${found?.name}", which differs from "${name}" only in case.`,
  );
}

interface SettingsRow {
  readonly unwatched: number;
  readonly excluded_networks: string;
  readonly app_schemes: string;
}

function settingsOf({ unwatched, excluded_networks, app_schemes }: SettingsRow): AccountSettings {
  return {
    watchDestinations: unwatched === 0,
    excludedNetworks: wordsIn(excluded_networks),
    appSchemes: wordsIn(app_schemes),
  };
}

function wordsIn(stored: string): readonly string[] {
  return stored === '' ? [] : stored.split(' ');
}

const settings = 'SELECT unwatched, excluded_networks, app_schemes FROM accounts WHERE id = ?';
const setSettings = `
  UPDATE accounts SET unwatched = COALESCE(?, unwatched), excluded_networks = COALESCE(?, excluded_networks),
    app_schemes = COALESCE(?, app_schemes)
  WHERE id = ? RETURNING unwatched, excluded_networks, app_schemes`;

export const accountSettings: Read<'accountSettings'> = async (db, accountId) =>
  settingsOf(await one<SettingsRow>(db, settings, [accountId]));

export const setAccount: Write<'setAccount'> = async (
  db,
  accountId,
  { watchDestinations, excludedNetworks, appSchemes },
) => {
  const before = await accountSettings(db, accountId);
  const unwatched = watchDestinations === undefined ? null : Number(!watchDestinations);
  const networks = excludedNetworks?.join(' ') ?? null;
  const schemes = appSchemes?.join(' ') ?? null;
  const row = await one<SettingsRow>(db, setSettings, [unwatched, networks, schemes, accountId]);
  const changesSchemes = row.app_schemes !== before.appSchemes.join(' ');
  // Invalidates caches: cached targets contain the excluded networks and the app schemes, and cached keys contain the
  // schemes.
  if (changesSchemes || row.excluded_networks !== before.excludedNetworks.join(' '))
    await recordChange(db, 'target', targetsOf(accountId));
  if (changesSchemes) await recordAccountKeyChanges(db, accountId);
  return settingsOf(row);
};

const deleteSessions = 'DELETE FROM sessions WHERE account_id = (SELECT id FROM accounts WHERE name = ?)';
const setSuspended = 'UPDATE accounts SET suspended_at = ? WHERE name = ?';

/** Suspends an account at the given time. If `at` is null, lifts the suspension. */
export const suspendAccount: Write<'suspendAccount'> = async (db, name, at) => {
  const found = (await db.run(setSuspended, [at, name])) > 0;
  if (!found) return false;
  await recordKeyChanges(db, name);
  if (at !== null) await db.run(deleteSessions, [name]);
  return true;
};

export const accountReads = { accounts, accountSettings };

export const accountWrites = { createAccount, setAccount, suspendAccount };
