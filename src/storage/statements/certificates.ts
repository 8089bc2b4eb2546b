import type {
  CertificateCounts,
  CertificateState,
  ListedCertificate,
  StoredAcmeAccount,
  StoredCertificate,
} from '../../model/certificates.ts';
import { longestBackOffMs, requestedByOperator } from '../../model/certificates.ts';
import { one, whenKnown } from '../db/db.ts';
import type { Read, Write } from '../db/statements.ts';

/**
 * Maximum remaining time of a claim, in ms. Claims last only seconds. A claim with more time left was made while the
 * clock was wrong, and is ignored.
 */
const maxClaimMs = 600_000;

const certificateByHost = `
  SELECT chain, private_key AS "key", issued_at AS "issuedAt", due_at AS "dueAt", failures, problem,
    claimed_until AS "claimedUntil", token, proof
  FROM certificates WHERE host = ?`;

export const certificate: Read<'certificate'> = (db, host) =>
  db.get<StoredCertificate>(certificateByHost, [host]);

type Row<T> = Omit<T, 'hasCertificate'> & { readonly hasCertificate: number };

const selectStates = `
  SELECT c.host, CASE WHEN c.chain IS NULL THEN 0 ELSE 1 END AS "hasCertificate", c.expires_at AS "expiresAt", c.failures, c.problem,
    c.due_at AS "dueAt"
  FROM certificates c`;
const statesOfAccount = `${selectStates} JOIN hosts h ON h.host = c.host JOIN domains d ON d.domain_row = h.domain_row WHERE d.account_id = ?`;

// The JSON in the `found` column always starts with `ownership`, followed by `traffic`, so LIKE can match it.
const hasTraffic = `d.found LIKE '{"ownership":%,"traffic":true,%'`;
const allCertificates = `${selectStates}
  UNION ALL SELECT h.host, 0, NULL, 0, 'Waiting for its first visit.', NULL
  FROM hosts h JOIN domains d ON d.domain_row = h.domain_row
  WHERE ${hasTraffic} AND EXISTS (SELECT 1 FROM acme_accounts) AND NOT EXISTS (SELECT 1 FROM certificates c WHERE c.host = h.host)
  ORDER BY 1`;

export const certificates: Read<'certificates'> = async (db) => {
  const rows = await db.all<Row<ListedCertificate>>(allCertificates, []);
  return rows.map((row) => ({ ...row, hasCertificate: row.hasCertificate === 1 }));
};

export const certificatesOf: Read<'certificatesOf'> = async (db, accountId) => {
  const rows = await db.all<Row<CertificateState>>(statesOfAccount, [accountId]);
  return rows.map((row) => ({ ...row, hasCertificate: row.hasCertificate === 1 }));
};

const countCertificates = `
  SELECT COUNT(expires_at) AS held, COALESCE(SUM(CASE WHEN failures > 0 THEN 1 ELSE 0 END), 0) AS failing,
    COALESCE(SUM(CASE WHEN expires_at IS NULL AND failures = 0 THEN 1 ELSE 0 END), 0) AS waiting,
    MIN(expires_at) AS "firstExpiresAt" FROM certificates`;

/** Counts certificates by reading only an index, because the rows with the certificates themselves are long. */
export const certificateCounts: Read<'certificateCounts'> = (db) =>
  one<CertificateCounts>(db, countCertificates, []);

const isDue = '(due_at <= ? OR ((failures > 0 OR chain IS NULL) AND due_at > ?))';
const isFree = '(claimed_until <= ? OR claimed_until > ?)';
const due = `SELECT host FROM certificates WHERE ${isDue} AND ${isFree}
  ORDER BY CASE WHEN chain IS NULL THEN 1 ELSE 0 END, due_at LIMIT ?`;

/**
 * Returns hosts with due certificates. A failed or missing certificate whose due date is further away than the longest
 * back-off counts as due, because the date was set while the clock was wrong.
 */
export const dueCertificates: Read<'dueCertificates'> = (db, now, max) => {
  const params = [now, now + longestBackOffMs, now, now + maxClaimMs, max];
  return whenKnown(db.all<{ host: string }>(due, params), (rows) => rows.map(({ host }) => host));
};

const claim = `
  INSERT INTO certificates (host, due_at, failures, claimed_by, claimed_until) VALUES (?, ?, 0, ?, ?)
  ON CONFLICT (host) DO UPDATE SET claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
  WHERE (certificates.claimed_by = excluded.claimed_by OR certificates.claimed_until <= ? OR certificates.claimed_until > ?)
    AND (certificates.due_at <= ? OR ((certificates.failures > 0 OR certificates.chain IS NULL) AND certificates.due_at > ?)
      OR (certificates.failures = 0 AND 1 = ?))`;

/** Claims a certificate with a single statement, so that only one of several competing processes succeeds. */
export const claimCertificate: Write<'claimCertificate'> = async (db, host, by, now, until, isLost) => {
  const free = [now, now + maxClaimMs];
  const reasons = [now, now + longestBackOffMs, isLost ? 1 : 0];
  return (await db.run(claim, [host, now, by, until, ...free, ...reasons])) > 0;
};

const extendClaim = `
  UPDATE certificates SET claimed_until = ?, token = COALESCE(?, token), proof = COALESCE(?, proof)
  WHERE host = ? AND claimed_by = ?`;

export const extendCertificateClaim: Write<'extendCertificateClaim'> = async (
  db,
  host,
  by,
  until,
  challenge,
) => {
  const params = [until, challenge?.token ?? null, challenge?.proof ?? null, host, by];
  return (await db.run(extendClaim, params)) > 0;
};

const recordResult = `
  UPDATE certificates SET chain = COALESCE(?, chain), private_key = COALESCE(?, private_key),
    issued_at = COALESCE(?, issued_at), expires_at = COALESCE(?, expires_at), due_at = ?, failures = ?, problem = ?,
    claimed_by = NULL, claimed_until = 0, token = NULL, proof = NULL
  WHERE host = ? AND claimed_by = ?`;

export const saveCertificateResult: Write<'saveCertificateResult'> = async (
  db,
  host,
  by,
  { issued, expiresAt, dueAt, failures, problem },
) => {
  const certificate = [issued?.chain ?? null, issued?.key ?? null, issued?.at ?? null, expiresAt ?? null];
  return (await db.run(recordResult, [...certificate, dueAt, failures, problem, host, by])) > 0;
};

export const removeCertificate: Write<'removeCertificate'> = async (db, host) => {
  await db.run('DELETE FROM certificates WHERE host = ?', [host]);
};

const [accountWindowMs, totalWindowMs] = [3_600_000, 3 * 3_600_000];
// Also deletes orders dated in the future, which were stored while the clock was wrong.
const deleteOldOrders = 'DELETE FROM certificate_orders WHERE ordered_at <= ? OR ordered_at > ?';
const accountByHost = `
  SELECT d.account_id AS "accountId" FROM hosts h JOIN domains d ON d.domain_row = h.domain_row WHERE h.host = ?`;
const nthNewestOrder =
  'SELECT ordered_at AS at FROM certificate_orders ORDER BY ordered_at DESC LIMIT 1 OFFSET ?';
const nthNewestOrderOfAccount = `
  SELECT ordered_at AS at FROM certificate_orders WHERE account_id = ? AND ordered_at > ?
  ORDER BY ordered_at DESC LIMIT 1 OFFSET ?`;
const addOrder = 'INSERT INTO certificate_orders (account_id, ordered_at) VALUES (?, ?)';

export const recordOrder: Write<'recordOrder'> = async (db, host, isFirst, { ofAccount, ofAll }, now) => {
  // Makes orders from all nodes wait for each other, so that the rate limits count every earlier order.
  await db.lockRows('no key update', 'SELECT directory FROM acme_accounts', []);
  await db.run(deleteOldOrders, [now - totalWindowMs, now + accountWindowMs]);
  const accountId = (await db.get<{ accountId: number }>(accountByHost, [host]))?.accountId ?? null;
  if (isFirst && accountId !== null) {
    const params = [accountId, now - accountWindowMs, ofAccount - 1];
    const own = await db.get<{ at: number }>(nthNewestOrderOfAccount, params);
    if (own !== undefined) return { limit: 'ofAccount', until: own.at + accountWindowMs };
    const any = await db.get<{ at: number }>(nthNewestOrder, [ofAll - 1]);
    if (any !== undefined) return { limit: 'ofAll', until: any.at + totalWindowMs };
  }
  await db.run(addOrder, [accountId, now]);
  return undefined;
};

const markDue = 'UPDATE certificates SET due_at = ? WHERE host = ?';

export const requestCertificate: Write<'requestCertificate'> = async (db, host) =>
  (await db.run(markDue, [requestedByOperator, host])) > 0;

const accountByDirectory = 'SELECT url, private_key AS "key" FROM acme_accounts WHERE directory = ?';
const upsertAccount = `
  INSERT INTO acme_accounts (directory, url, private_key) VALUES (?, ?, ?)
  ON CONFLICT (directory) DO UPDATE SET url = excluded.url, private_key = excluded.private_key
  WHERE acme_accounts.url = ?`;

export const acmeAccount: Read<'acmeAccount'> = (db, directory) =>
  db.get<StoredAcmeAccount>(accountByDirectory, [directory]);

export const storeAcmeAccount: Write<'storeAcmeAccount'> = async (db, directory, { url, key }, instead) => {
  await db.run(upsertAccount, [directory, url, key, instead]);
  return one(db, accountByDirectory, [directory]);
};

// Domains without a token were verified by an operator: this server's resolvers may not see their DNS records.
const verifiedHost = `
  SELECT 1 AS leads FROM hosts h JOIN domains d ON d.domain_row = h.domain_row
  WHERE h.host = ? AND (d.token = '' OR ${hasTraffic})`;

export const isRoutedHere: Read<'isRoutedHere'> = (db, host) =>
  whenKnown(db.get(verifiedHost, [host]), (row) => row !== undefined);

export const certificateReads = {
  certificate,
  certificates,
  certificatesOf,
  certificateCounts,
  dueCertificates,
  isRoutedHere,
  acmeAccount,
};

export const certificateWrites = {
  claimCertificate,
  extendCertificateClaim,
  saveCertificateResult,
  removeCertificate,
  requestCertificate,
  storeAcmeAccount,
  recordOrder,
};
