import type { AppFiles, Findings } from '../../../model/domains/domains.ts';
import {
  type CodeMode,
  type Domain,
  type DomainStatus,
  domainInUse,
  domainNotActive,
  domainNotFound,
  domainTaken,
} from '../../../model/domains/domains.ts';
import { limitReached } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import { endOfSpace, isExact, spaceOfDomain } from '../../../model/links/codes/codes.ts';
import { recordAccountKeyChanges, recordChange } from '../../db/change-log.ts';
import { type Db, getLocked, one, type Value, whenKnown } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { flag, json, plain, type Row as StoredRow, stored, uuid } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { linksInSpaces, lockAccount } from '../groups/link-counts.ts';
import { requireGolinks } from './golinks.ts';

const storedDomain = stored('', {
  id: uuid(),
  accountId: plain<number>(),
  host: plain<string>(),
  space: plain<string>(),
  status: plain<DomainStatus>(),
  codes: { column: 'space', read: (space) => codeModeOf(space as string) },
  isDefault: flag(),
  rootUrl: plain<string | null>(),
  unknownUrl: plain<string | null>(),
  expiredUrl: plain<string | null>(),
  indexed: flag(),
  golinks: flag(),
  token: plain<string>(),
  found: json<Findings>(),
  createdAt: plain<number>(),
  verifiedAt: plain<number | null>(),
  checkedAt: plain<number | null>(),
  failingSince: plain<number | null>(),
  nextCheckAt: plain<number | null>(),
});
type Row = StoredRow & {
  readonly domain_row: number;
  readonly id: Uint8Array;
  readonly account_id: number;
  readonly host: string;
  readonly space: string;
  readonly golinks: number;
  readonly token: string;
  readonly deleted_at: number | null;
};

const columns = `domain_row, deleted_at, ${storedDomain.columns}`;
const live = `SELECT ${columns} FROM domains WHERE deleted_at IS NULL`;
const domainsOfAccount = `${live} AND account_id = ? ORDER BY host`;
const byId = `${live} AND account_id = ? AND id = ?`;
const byHost = `${live} AND account_id = ? AND host = ?`;
const toCheck = `${live} AND next_check_at <= ? ORDER BY next_check_at, domain_row LIMIT ?`;

function codeModeOf(space: string): CodeMode {
  return isExact(space) ? 'exact' : 'folded';
}

function domainOf(row: Row, linkCount: number): Domain {
  return { ...storedDomain.of(row), linkCount };
}

async function withCounts(db: Db, rows: readonly Row[]): Promise<readonly Domain[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const counts = await linksInSpaces(
    db,
    first.account_id,
    rows.map(({ space }) => space),
  );
  return rows.map((row) => domainOf(row, counts.get(row.space) ?? 0));
}

const { accountId, host, space, rootUrl, unknownUrl, expiredUrl, indexed, golinks } = storedDomain.fields;
const servedDomain = stored('d', {
  ...{ accountId, host, space, rootUrl, unknownUrl, expiredUrl, indexed, golinks },
  hasAppFiles: flag({
    column: 'has_app_files',
    from: 'CASE WHEN d.apple_app_site_association IS NULL AND d.asset_links IS NULL THEN 0 ELSE 1 END',
  }),
});
const servedDomainByHost = `
  SELECT ${servedDomain.columns} FROM hosts h JOIN domains d ON d.domain_row = h.domain_row WHERE h.host = ?`;

/** Finds the verified domain of a host. Synchronous on an embedded engine, because every visit needs this lookup. */
export const findHost: Read<'findHost'> = (db, host) =>
  whenKnown(db.get<StoredRow>(servedDomainByHost, [host]), (row) => row && servedDomain.of(row));

const columnOfFile = {
  appleAppSiteAssociation: 'apple_app_site_association',
  assetLinks: 'asset_links',
} as const;

export const appFile: Read<'appFile'> = (db, host, name) => {
  const query = `SELECT d.${columnOfFile[name]} AS file FROM hosts h JOIN domains d ON d.domain_row = h.domain_row WHERE h.host = ?`;
  return whenKnown(db.get<{ file: string | null }>(query, [host]), (row) => row?.file);
};

const filesOfAccount = `
  SELECT id, apple_app_site_association AS "appleAppSiteAssociation", asset_links AS "assetLinks"
  FROM domains WHERE account_id = ? AND deleted_at IS NULL`;

export const appFilesOf: Read<'appFilesOf'> = async (db, accountId) => {
  const rows = await db.all<AppFiles & { id: Uint8Array }>(filesOfAccount, [accountId]);
  return new Map(rows.map(({ id, ...files }) => [idText(id), files]));
};

const tokenByHost = 'SELECT token FROM domains WHERE id = ? AND host = ? AND deleted_at IS NULL';

export const domainToken: Read<'domainToken'> = (db, id, host) =>
  whenKnown(db.get<{ token: string }>(tokenByHost, [idBytes(id), host]), (row) => row?.token);

export const domains: Read<'domains'> = async (db, accountId) =>
  withCounts(db, await db.all<Row>(domainsOfAccount, [accountId]));

export const domain: Read<'domain'> = async (db, accountId, id) => {
  const [found] = await withCounts(db, await db.all<Row>(byId, [accountId, idBytes(id)]));
  return found;
};

export const domainByHost: Read<'domainByHost'> = async (db, accountId, host) => {
  const row = await db.get<Row>(byHost, [accountId, host]);
  return row && domainOf(row, 0);
};

export const domainsToCheck: Read<'domainsToCheck'> = async (db, at, limit) =>
  (await db.all<Row>(toCheck, [at, limit])).map((row) => domainOf(row, 0));

const insert = `
  INSERT INTO domains (id, account_id, host, space, status, is_default, root_url, unknown_url, expired_url, indexed,
    token, found, created_at, next_check_at)
  VALUES (?, ?, ?, ?, 'pending', 0, ?, ?, ?, ?, ?, ?, ?, ?)`;
const restoreDomain = `
  UPDATE domains SET deleted_at = NULL, status = 'pending', is_default = 0, root_url = ?, unknown_url = ?, expired_url = ?,
    indexed = ?, golinks = 0, token = ?, found = ?, created_at = ?, next_check_at = ?, verified_at = NULL, checked_at = NULL,
    failing_since = NULL, apple_app_site_association = NULL, asset_links = NULL
  WHERE domain_row = ?`;
const setSpace = 'UPDATE domains SET space = ? WHERE domain_row = ?';
const deletedByHost = `SELECT ${columns} FROM domains WHERE account_id = ? AND host = ?`;
const count = 'SELECT COUNT(*) AS domains FROM domains WHERE account_id = ? AND deleted_at IS NULL';
const nothingFound = JSON.stringify({ ownership: false, traffic: false, problem: null } satisfies Findings);

/** Creates a domain. If the account had deleted the same domain, restores it with its reserved codes. */
export const createDomain: Write<'createDomain'> = async (db, accountId, draft) => {
  const { id, host, token, createdAt, codes } = draft;
  await lockAccount(db, accountId);
  const before = await db.get<Row>(deletedByHost, [accountId, host]);
  if (before !== undefined && before.deleted_at === null) throw domainTaken(host, true);
  const { domains } = await one<{ domains: number }>(db, count, [accountId]);
  if (domains >= draft.limit) throw limitReached('domains', draft.limit);
  const { rootUrl = null, unknownUrl = null, expiredUrl = null, indexed = false } = draft;
  const rest = [rootUrl, unknownUrl, expiredUrl, Number(indexed), token, nothingFound, createdAt, createdAt];
  let row = before?.domain_row;
  if (row === undefined) {
    // The space contains the row number, which is known only after the insert.
    row = await db.insert(insert, 'domain_row', [idBytes(id), accountId, host, id, ...rest]);
    await db.run(setSpace, [spaceOfDomain(row, codes ?? 'folded'), row]);
  } else await db.run(restoreDomain, [...rest, row]);
  const created = await domainRow(db, accountId, host);
  if (codes !== undefined) await changeCodes(db, created, codes);
  if (draft.proven === true) {
    const seen = { ownership: true, traffic: false, problem: null };
    const check = { token, found: seen, checkedAt: createdAt };
    const proof = { status: 'active', failingSince: null, nextCheckAt: createdAt } as const;
    await checkDomain(db, accountId, idText(created.id), { ...check, ...proof });
  }
  const { appleAppSiteAssociation = null, assetLinks = null } = draft;
  const files = { appleAppSiteAssociation, assetLinks };
  const { isDefault = false, golinks = false } = draft;
  const flags = { ...(isDefault && { isDefault }), ...(golinks && { golinks }) };
  return updateDomain(db, accountId, idText(created.id), { ...files, ...flags });
};

async function domainRow(db: Db, accountId: number, host: string): Promise<Row> {
  return one<Row>(db, byHost, [accountId, host]);
}

async function requireDomain(db: Db, accountId: number, id: Uint8Array): Promise<Domain> {
  const [domain] = await withCounts(db, await db.all<Row>(byId, [accountId, id]));
  if (domain === undefined) throw domainNotFound();
  return domain;
}

/** Locks a domain, so that no link is created on it until the transaction ends. */
async function lockDomain(db: Db, accountId: number, id: string): Promise<Row> {
  const row = await getLocked<Row>(db, 'update', byId, [accountId, idBytes(id)]);
  if (row === undefined) throw domainNotFound();
  return row;
}

const anyCode = 'SELECT 1 AS found FROM codes WHERE key >= ? AND key < ? LIMIT 1';

/** @throws Failure DOMAIN_IN_USE */
async function changeCodes(db: Db, { host, domain_row: row, space }: Row, codes: CodeMode): Promise<void> {
  if (codeModeOf(space) === codes) return;
  if ((await db.get(anyCode, [space, endOfSpace(space)])) !== undefined)
    throw domainInUse(host, 'codes can only be changed before the first code is created.');
  await db.run(setSpace, [spaceOfDomain(row, codes), row]);
}

const columnOf = {
  rootUrl: 'root_url',
  unknownUrl: 'unknown_url',
  expiredUrl: 'expired_url',
  indexed: 'indexed',
  golinks: 'golinks',
  ...columnOfFile,
} as const;
const unsetDefault = 'UPDATE domains SET is_default = 0 WHERE account_id = ? AND is_default = 1';
const setDefault = 'UPDATE domains SET is_default = 1 WHERE domain_row = ?';

export const updateDomain: Write<'updateDomain'> = async (db, accountId, id, change) => {
  const row = await lockDomain(db, accountId, id);
  if (change.codes !== undefined) await changeCodes(db, row, change.codes);
  await requireGolinks(db, row, change);
  for (const [name, column] of Object.entries(columnOf)) {
    const value = change[name as keyof typeof columnOf];
    if (value === undefined) continue;
    const stored: Value = typeof value === 'boolean' ? Number(value) : value;
    await db.run(`UPDATE domains SET ${column} = ? WHERE domain_row = ?`, [stored, row.domain_row]);
  }
  const { isDefault } = change;
  if (isDefault === true && row.status === 'pending') throw domainNotActive(row.host);
  if (isDefault !== undefined && isDefault !== (row.is_default === 1)) {
    // Locks the account after the domain, in the same order as the writes that create links, to avoid deadlocks.
    await lockAccount(db, accountId);
    await db.run(unsetDefault, [accountId]);
    if (isDefault) await db.run(setDefault, [row.domain_row]);
  }
  await recordDomainChange(db, row);
  return requireDomain(db, accountId, row.id);
};

/**
 * Invalidates caches in every process: visits look up the domain by host, and keys include their account's default
 * domain.
 */
async function recordDomainChange(db: Db, { host, account_id: accountId }: Row): Promise<void> {
  await recordChange(db, 'target', `#${host}`);
  await recordAccountKeyChanges(db, accountId);
}

const liveCode = 'SELECT 1 AS found FROM codes WHERE key >= ? AND key < ? AND live = 1 LIMIT 1';
const deleteRow = 'DELETE FROM domains WHERE domain_row = ?';
const markDeleted = `
  UPDATE domains SET deleted_at = ?, status = 'pending', is_default = 0, next_check_at = NULL WHERE domain_row = ?`;
const freeHost = 'DELETE FROM hosts WHERE host = ? AND domain_row = ?';

export const deleteDomain: Write<'deleteDomain'> = async (db, accountId, id, now) => {
  const row = await lockDomain(db, accountId, id);
  const keys = [row.space, endOfSpace(row.space)];
  if ((await db.get(liveCode, keys)) !== undefined)
    throw domainInUse(row.host, 'delete its links or move them to another domain first.');
  await db.run(freeHost, [row.host, row.domain_row]);
  if ((await db.get(anyCode, keys)) === undefined) await db.run(deleteRow, [row.domain_row]);
  else await db.run(markDeleted, [now, row.domain_row]);
  await recordDomainChange(db, row);
};

const domainByClaimedHost = `SELECT ${columns} FROM domains d WHERE domain_row = (SELECT h.domain_row FROM hosts h WHERE h.host = ?)`;
// A released domain is not checked again until its account requests a check, because otherwise the DNS records that
// previously verified it would verify it again.
const release = `
  UPDATE domains SET status = 'pending', is_default = 0, next_check_at = NULL, failing_since = NULL, found = ?,
    token = CASE token WHEN '' THEN ? ELSE token END
  WHERE domain_row = ?`;

export const releaseDomain: Write<'releaseDomain'> = async (db, host, token) => {
  const row = await getLocked<Row>(db, 'update', domainByClaimedHost, [host]);
  if (row === undefined) return false;
  await db.run(freeHost, [host, row.domain_row]);
  await db.run(release, [nothingFound, token, row.domain_row]);
  await recordDomainChange(db, row);
  return true;
};

const claimHost = 'INSERT INTO hosts (host, domain_row) VALUES (?, ?) ON CONFLICT (host) DO NOTHING';
const domainOfHost = 'SELECT domain_row FROM hosts WHERE host = ?';
const storeCheck = `
  UPDATE domains SET found = ?, checked_at = ?, status = ?, failing_since = ?, next_check_at = ?,
    verified_at = CASE WHEN ? = 'active' THEN COALESCE(verified_at, ?) ELSE verified_at END
  WHERE domain_row = ?`;

export const checkDomain: Write<'checkDomain'> = async (
  db,
  accountId,
  id,
  { token, found: findings, checkedAt, status, failingSince, nextCheckAt },
) => {
  const row = await lockDomain(db, accountId, id);
  if (row.token !== token) throw domainNotFound();
  // If several accounts claim the host, the insert decides which account gets it.
  if (status !== 'pending' && (await db.run(claimHost, [row.host, row.domain_row])) === 0) {
    const claimed = await one<{ domain_row: number }>(db, domainOfHost, [row.host]);
    if (claimed.domain_row !== row.domain_row) throw domainTaken(row.host);
  }
  const kept = [JSON.stringify(findings), checkedAt, status, failingSince, nextCheckAt, status, checkedAt];
  await db.run(storeCheck, [...kept, row.domain_row]);
  if (status !== row.status) await recordDomainChange(db, row);
  return requireDomain(db, accountId, row.id);
};

export const domainReads = {
  findHost,
  appFile,
  appFilesOf,
  domains,
  domain,
  domainByHost,
  domainsToCheck,
  domainToken,
};

export const domainWrites = { createDomain, updateDomain, deleteDomain, releaseDomain, checkDomain };
