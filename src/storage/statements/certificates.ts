import type {
  CertificateChange,
  CertificateCounts,
  CertificateState,
  ListedCertificate,
  OrderDelay,
  OrderLimits,
  StoredAcmeAccount,
  StoredCertificate,
} from '../../model/certificates.ts';
import { asked, longestBackOffMs } from '../../model/certificates.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import { type Db, one, whenKnown } from '../db/db.ts';

/** A claim lasts seconds: one that ends much later was made while a clock was wrong. */
const longestClaimMs = 600_000;

const ofHost = `
  SELECT chain, private_key AS "key", issued_at AS "issuedAt", due_at AS "dueAt", failures, problem,
    claimed_until AS "claimedUntil", token, proof
  FROM certificates WHERE host = ?`;

export function certificate(db: Db, host: string): MaybePromise<StoredCertificate | undefined> {
  return db.get<StoredCertificate>(ofHost, [host]);
}

type Row<T> = Omit<T, 'hasOne'> & { readonly hasOne: number };

const states = `
  SELECT c.host, CASE WHEN c.chain IS NULL THEN 0 ELSE 1 END AS "hasOne", c.expires_at AS "expiresAt", c.failures, c.problem,
    c.due_at AS "dueAt"
  FROM certificates c`;
const statesOfAccount = `${states} JOIN hosts h ON h.host = c.host JOIN domains d ON d.domain_row = h.domain_row WHERE d.account_id = ?`;

// Of what was found `JSON.stringify` writes ownership first, then traffic.
const seesTraffic = `d.found LIKE '{"ownership":%,"traffic":true,%'`;
const listed = `${states}
  UNION ALL SELECT h.host, 0, NULL, 0, 'Waits for its first visit.', NULL
  FROM hosts h JOIN domains d ON d.domain_row = h.domain_row
  WHERE ${seesTraffic} AND EXISTS (SELECT 1 FROM acme_accounts) AND NOT EXISTS (SELECT 1 FROM certificates c WHERE c.host = h.host)
  ORDER BY 1`;

export async function certificates(db: Db): Promise<readonly ListedCertificate[]> {
  const rows = await db.all<Row<ListedCertificate>>(listed, []);
  return rows.map((row) => ({ ...row, hasOne: row.hasOne === 1 }));
}

export async function certificatesOf(db: Db, accountId: number): Promise<readonly CertificateState[]> {
  const rows = await db.all<Row<CertificateState>>(statesOfAccount, [accountId]);
  return rows.map((row) => ({ ...row, hasOne: row.hasOne === 1 }));
}

const figures = `
  SELECT COUNT(expires_at) AS held, COALESCE(SUM(CASE WHEN failures > 0 THEN 1 ELSE 0 END), 0) AS failing,
    COALESCE(SUM(CASE WHEN expires_at IS NULL AND failures = 0 THEN 1 ELSE 0 END), 0) AS waiting,
    MIN(expires_at) AS "firstExpiresAt" FROM certificates`;

/** From the index alone: the certificates themselves are long. */
export function certificateCounts(db: Db): Promise<CertificateCounts> {
  return one<CertificateCounts>(db, figures, []);
}

const isDue = '(due_at <= ? OR ((failures > 0 OR chain IS NULL) AND due_at > ?))';
const isFree = '(claimed_until <= ? OR claimed_until > ?)';
const due = `SELECT host FROM certificates WHERE ${isDue} AND ${isFree}
  ORDER BY CASE WHEN chain IS NULL THEN 1 ELSE 0 END, due_at LIMIT ?`;

/** Renewals come first. What was put off further than ever was put off by a clock that was wrong, and is due too. */
export function dueCertificates(db: Db, now: number, max: number): MaybePromise<readonly string[]> {
  const params = [now, now + longestBackOffMs, now, now + longestClaimMs, max];
  return whenKnown(db.all<{ host: string }>(due, params), (rows) => rows.map(({ host }) => host));
}

const claim = `
  INSERT INTO certificates (host, due_at, failures, claimed_by, claimed_until) VALUES (?, ?, 0, ?, ?)
  ON CONFLICT (host) DO UPDATE SET claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
  WHERE (certificates.claimed_by = excluded.claimed_by OR certificates.claimed_until <= ? OR certificates.claimed_until > ?)
    AND (certificates.due_at <= ? OR ((certificates.failures > 0 OR certificates.chain IS NULL) AND certificates.due_at > ?)
      OR (certificates.failures = 0 AND 1 = ?))`;

/** One statement decides, so that of any number of processes that ask at once one has the work. */
export async function claimCertificate(
  db: Db,
  host: string,
  by: string,
  now: number,
  until: number,
  isLost: boolean,
): Promise<boolean> {
  const free = [now, now + longestClaimMs];
  const reasons = [now, now + longestBackOffMs, isLost ? 1 : 0];
  return (await db.run(claim, [host, now, by, until, ...free, ...reasons])) > 0;
}

const hold = `
  UPDATE certificates SET claimed_until = ?, token = COALESCE(?, token), proof = COALESCE(?, proof)
  WHERE host = ? AND claimed_by = ?`;

export async function extendCertificateClaim(
  db: Db,
  host: string,
  by: string,
  until: number,
  challenge?: { readonly token: string; readonly proof: string },
): Promise<boolean> {
  const params = [until, challenge?.token ?? null, challenge?.proof ?? null, host, by];
  return (await db.run(hold, params)) > 0;
}

const settle = `
  UPDATE certificates SET chain = COALESCE(?, chain), private_key = COALESCE(?, private_key),
    issued_at = COALESCE(?, issued_at), expires_at = COALESCE(?, expires_at), due_at = ?, failures = ?, problem = ?,
    claimed_by = NULL, claimed_until = 0, token = NULL, proof = NULL
  WHERE host = ? AND claimed_by = ?`;

export async function recordCertificate(
  db: Db,
  host: string,
  by: string,
  { issued, expiresAt, dueAt, failures, problem }: CertificateChange,
): Promise<boolean> {
  const certificate = [issued?.chain ?? null, issued?.key ?? null, issued?.at ?? null, expiresAt ?? null];
  return (await db.run(settle, [...certificate, dueAt, failures, problem, host, by])) > 0;
}

export async function removeCertificate(db: Db, host: string): Promise<void> {
  await db.run('DELETE FROM certificates WHERE host = ?', [host]);
}

const [accountWindowMs, totalWindowMs] = [3_600_000, 3 * 3_600_000];
// Also those that a wrong clock dated in the future.
const forgetOrders = 'DELETE FROM certificate_orders WHERE ordered_at <= ? OR ordered_at > ?';
const accountOf = `
  SELECT d.account_id AS "accountId" FROM hosts h JOIN domains d ON d.domain_row = h.domain_row WHERE h.host = ?`;
const nthNewest = 'SELECT ordered_at AS at FROM certificate_orders ORDER BY ordered_at DESC LIMIT 1 OFFSET ?';
const nthNewestOf = `
  SELECT ordered_at AS at FROM certificate_orders WHERE account_id = ? AND ordered_at > ?
  ORDER BY ordered_at DESC LIMIT 1 OFFSET ?`;
const addOrder = 'INSERT INTO certificate_orders (account_id, ordered_at) VALUES (?, ?)';

export async function recordOrder(
  db: Db,
  host: string,
  isFirst: boolean,
  { ofAccount, ofAll }: OrderLimits,
  now: number,
): Promise<OrderDelay | undefined> {
  // Of several nodes that order at the same time, one counts after the other.
  await db.lockRows('no key update', 'SELECT directory FROM acme_accounts', []);
  await db.run(forgetOrders, [now - totalWindowMs, now + accountWindowMs]);
  const accountId = (await db.get<{ accountId: number }>(accountOf, [host]))?.accountId ?? null;
  if (isFirst && accountId !== null) {
    const params = [accountId, now - accountWindowMs, ofAccount - 1];
    const own = await db.get<{ at: number }>(nthNewestOf, params);
    if (own !== undefined) return { limit: 'ofAccount', until: own.at + accountWindowMs };
    const any = await db.get<{ at: number }>(nthNewest, [ofAll - 1]);
    if (any !== undefined) return { limit: 'ofAll', until: any.at + totalWindowMs };
  }
  await db.run(addOrder, [accountId, now]);
  return undefined;
}

const ask = 'UPDATE certificates SET due_at = ? WHERE host = ?';

export async function requestCertificate(db: Db, host: string): Promise<boolean> {
  return (await db.run(ask, [asked, host])) > 0;
}

const accountAt = 'SELECT url, private_key AS "key" FROM acme_accounts WHERE directory = ?';
const keepAccount = `
  INSERT INTO acme_accounts (directory, url, private_key) VALUES (?, ?, ?)
  ON CONFLICT (directory) DO UPDATE SET url = excluded.url, private_key = excluded.private_key
  WHERE acme_accounts.url = ?`;

export function acmeAccount(db: Db, directory: string): MaybePromise<StoredAcmeAccount | undefined> {
  return db.get<StoredAcmeAccount>(accountAt, [directory]);
}

export async function storeAcmeAccount(
  db: Db,
  directory: string,
  { url, key }: StoredAcmeAccount,
  instead: string | null,
): Promise<StoredAcmeAccount> {
  await db.run(keepAccount, [directory, url, key, instead]);
  return one(db, accountAt, [directory]);
}

// What an operator has proven may be where our resolvers see nothing.
const leading = `
  SELECT 1 AS leads FROM hosts h JOIN domains d ON d.domain_row = h.domain_row
  WHERE h.host = ? AND (d.token = '' OR ${seesTraffic})`;

export function isHostVerified(db: Db, host: string): MaybePromise<boolean> {
  return whenKnown(db.get(leading, [host]), (row) => row !== undefined);
}
