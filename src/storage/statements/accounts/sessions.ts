import type { StoredKey } from '../../../model/accounts/keys.ts';
import { memberNotFound } from '../../../model/accounts/members.ts';
import {
  idleLifetimeMs,
  longestLifetimeMs,
  maxSessionsOfKey,
  type Session,
  type SessionStart,
} from '../../../model/accounts/sessions.ts';
import { Failure } from '../../../model/failures.ts';
import type { MaybePromise } from '../../../model/maybe-promise.ts';
import { recordAccountKeyChanges, recordChange } from '../../db/change-log.ts';
import { type Db, whenKnown } from '../../db/db.ts';
import { insertRow, plain, type Row, stored } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { findKey, type KeyRow, keyColumns, keyJoins, keyOf } from './keys.ts';

const storedSession = stored('s', {
  id: plain<string>({ column: 'session_id', from: 's.id' }),
  agent: plain<string>(),
  createdAt: plain<number>({ column: 'began_at', from: 's.created_at' }),
  lastSeenAt: plain<number>(),
  start: plain<SessionStart>(),
  provedAt: plain<number | null>(),
});

function sessionOf(row: KeyRow & Row): Session {
  return { ...storedSession.of(row), key: keyOf(row) };
}

const sessionRows = `
  SELECT ${storedSession.columns}, ${keyColumns} FROM sessions s JOIN api_keys k ON k.id = s.key_id ${keyJoins}`;
const byDigest = `SELECT s.key_id, ${storedSession.columns} FROM sessions s WHERE s.digest = ?`;
const sessionsOfAccount = `${sessionRows} WHERE s.account_id = ? ORDER BY s.last_seen_at DESC, s.id`;
const sessionsOfKey = `${sessionRows} WHERE s.account_id = ? AND s.key_id = ? ORDER BY s.last_seen_at DESC, s.id`;

type KeyedRow = Row & { readonly key_id: string };

/** Looks up the key of a session, with the same freshness guarantee as for API key requests. */
type FindKey = (id: string) => MaybePromise<StoredKey | undefined>;

/**
 * Finds a session, even an expired one. Session rows are never cached, so that an ended session stops working
 * immediately.
 */
export function findSession(
  db: Db,
  digest: Uint8Array,
  keyOfId: FindKey = (id) => findKey(db, id),
): MaybePromise<Session | undefined> {
  return whenKnown(db.get<KeyedRow>(byDigest, [digest]), (row) =>
    row === undefined
      ? undefined
      : whenKnown(keyOfId(row.key_id), (key) => key && { ...storedSession.of(row), key }),
  );
}

export const sessions: Read<'sessions'> = async (db, accountId, keyId) => {
  const rows =
    keyId === undefined
      ? await db.all<KeyRow & Row>(sessionsOfAccount, [accountId])
      : await db.all<KeyRow & Row>(sessionsOfKey, [accountId, keyId]);
  return rows.map(sessionOf);
};

const useLink = 'DELETE FROM login_links WHERE digest = ? AND expires_at > ?';
const insertSession = `
  INSERT INTO sessions (digest, id, account_id, key_id, agent, created_at, last_seen_at, start, proved_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const endOldest = `
  DELETE FROM sessions WHERE key_id = ? AND digest NOT IN (
    SELECT digest FROM sessions WHERE key_id = ? ORDER BY last_seen_at DESC, digest LIMIT ${maxSessionsOfKey})`;

/** Creates a session. If the key then has too many sessions, ends the least recently used one. */
export const createSession: Write<'createSession'> = async (db, session, login) => {
  const { digest, id, accountId, keyId, agent, createdAt, start, provedAt } = session;
  // Uses a single statement, so that only one browser succeeds if two open the link at the same time.
  if (login !== undefined && (await db.run(useLink, [login, createdAt])) === 0) return undefined;
  const values = [digest, id, accountId, keyId, agent, createdAt, createdAt, start, provedAt] as const;
  await db.run(insertSession, values);
  if ((await db.run(endOldest, [keyId, keyId])) > 0) await recordChange(db, 'key', keyId);
  return { id };
};

const keyOfSession = 'SELECT key_id FROM sessions WHERE account_id = ? AND id = ?';
const lockMember = 'SELECT id FROM members WHERE id = ?';
const sessionOfMember = `
  SELECT 1 AS found FROM sessions s JOIN members m ON m.key_id = s.key_id WHERE m.id = ? AND s.id = ?`;

/**
 * Checks that a member's session exists, and locks the member, because a change to the member, such as a new role, may
 * end the session.
 * @throws Failure INVALID_SESSION
 */
export async function requireSession(db: Db, memberId: string, id: string | undefined): Promise<void> {
  await db.lockRows('no key update', lockMember, [memberId]);
  if ((await db.get(sessionOfMember, [memberId, id ?? ''])) === undefined)
    throw new Failure('INVALID_SESSION');
}

const deleteSession = 'DELETE FROM sessions WHERE account_id = ? AND id = ?';

export const endSession: Write<'endSession'> = async (db, accountId, id, keyId) => {
  const found = await db.get<{ key_id: string }>(keyOfSession, [accountId, id]);
  if (found === undefined || (keyId ?? found.key_id) !== found.key_id) return false;
  const ended = await db.run(deleteSession, [accountId, id]);
  await recordChange(db, 'key', found.key_id);
  return ended > 0;
};

const deleteSessions = 'DELETE FROM sessions WHERE account_id = ? AND id <> ?';
const deleteSessionsOfKey = `${deleteSessions} AND key_id = ?`;

export const endSessions: Write<'endSessions'> = async (db, accountId, except, keyId) => {
  if (keyId === undefined) {
    const ended = await db.run(deleteSessions, [accountId, except]);
    await recordAccountKeyChanges(db, accountId);
    return ended;
  }
  const ended = await db.run(deleteSessionsOfKey, [accountId, except, keyId]);
  await recordChange(db, 'key', keyId);
  return ended;
};

const touch = 'UPDATE sessions SET last_seen_at = ? WHERE id = ? AND last_seen_at < ?';
// Locks the rows in a fixed order first, to avoid deadlocks, because PostgreSQL updates rows in no particular order.
const touchBulk = `
  , used AS (SELECT s.digest, g.at FROM input g JOIN sessions s ON s.id = g.id ORDER BY s.digest FOR NO KEY UPDATE OF s)
  UPDATE sessions SET last_seen_at = used.at FROM used
  WHERE sessions.digest = used.digest AND last_seen_at < used.at`;

/** Stores when sessions were last used, unless a later use is already stored. */
export const touchSessions: Write<'touchSessions'> = async (db, uses) => {
  const input = {
    columns: { id: 'text', at: 'integer' },
    values: uses.flatMap(({ id, at }) => [id, at]),
  } as const;
  await db.bulk(input, (id = '', at = 0) => db.run(touch, [at, id, at]), touchBulk);
};

const memberOfKey = 'SELECT id FROM members WHERE key_id = ?';
const storedLink = stored('', {
  digest: plain<Uint8Array>(),
  keyId: plain<string>(),
  expiresAt: plain<number>(),
  start: plain<SessionStart>(),
  provedAt: plain<number | null>(),
});
const linkByDigest = `SELECT ${storedLink.columns} FROM login_links WHERE digest = ?`;

export const createLoginLink: Write<'createLoginLink'> = async (db, link, role) => {
  const { digest, keyId } = link;
  if (role !== undefined) {
    await db.lockRows('no key update', memberOfKey, [keyId]);
    const { member } = (await findKey(db, keyId)) ?? {};
    if (member?.role !== role || member.isOperator) throw memberNotFound();
  }
  await insertRow(db, 'login_links', storedLink.values(link));
  return { id: digest.toHex().slice(0, 8) };
};

export const findLoginLink: Read<'findLoginLink'> = async (db, digest) => {
  const row = await db.get<Row>(linkByDigest, [digest]);
  return row && storedLink.of(row);
};

const deleteIdle = 'DELETE FROM sessions WHERE last_seen_at < ?';
const deleteOld = 'DELETE FROM sessions WHERE created_at < ?';
const deleteExpiredLinks = 'DELETE FROM login_links WHERE expires_at < ?';
const deleteExpiredChallenges = 'DELETE FROM challenges WHERE expires_at < ?';

export const deleteExpiredSessions: Write<'deleteExpiredSessions'> = async (db, now) => {
  await db.run(deleteIdle, [now - idleLifetimeMs]);
  await db.run(deleteOld, [now - longestLifetimeMs]);
  await db.run(deleteExpiredLinks, [now]);
  await db.run(deleteExpiredChallenges, [now]);
};

export const sessionReads = { findSession, sessions, findLoginLink };

export const sessionWrites = {
  createSession,
  endSession,
  endSessions,
  touchSessions,
  createLoginLink,
  deleteExpiredSessions,
};
