import type { ApiKey } from '../../../model/accounts/keys.ts';
import { type Challenge, type Credential, maxPasskeys } from '../../../model/accounts/passkeys.ts';
import type { NewSession } from '../../../model/accounts/sessions.ts';
import { limitReached } from '../../../model/failures.ts';
import type { Db } from '../../db/db.ts';
import { flag, plain, type Row, stored } from '../../db/records.ts';
import { findKey } from './keys.ts';
import { createSession, requireSession } from './sessions.ts';

const storedPasskey = stored('p', {
  id: plain<string>(),
  memberId: plain<string>(),
  credential: plain<string>(),
  publicKey: plain<Uint8Array>(),
  counter: plain<number>(),
  name: plain<string>(),
  isSynced: flag(),
  createdAt: plain<number>(),
  lastUsedAt: plain<number | null>(),
  isHelped: flag({ column: 'helped' }),
});

const ofMember = `SELECT ${storedPasskey.columns} FROM passkeys p WHERE p.member_id = ? ORDER BY p.created_at, p.id`;
const byCredential = `
  SELECT ${storedPasskey.columns}, m.key_id FROM passkeys p JOIN members m ON m.id = p.member_id WHERE p.credential = ?`;

/** The passkeys of a person, the oldest first. */
export async function credentials(db: Db, memberId: string): Promise<readonly Credential[]> {
  return (await db.all<Row>(ofMember, [memberId])).map(storedPasskey.of);
}

export async function findCredential(
  db: Db,
  credential: string,
): Promise<{ credential: Credential; key: ApiKey } | undefined> {
  const row = await db.get<Row & { readonly key_id: string }>(byCredential, [credential]);
  const key = row && (await findKey(db, row.key_id));
  return row && key && { credential: storedPasskey.of(row), key };
}

const insertChallenge = 'INSERT INTO challenges (digest, member_id, data, expires_at) VALUES (?, ?, ?, ?)';
const take =
  'DELETE FROM challenges WHERE digest = ? AND expires_at > ? RETURNING member_id, data, expires_at';

export async function createChallenge(
  db: Db,
  { digest, memberId, data, expiresAt }: Challenge,
  sessionId?: string,
): Promise<void> {
  if (memberId !== null && sessionId !== undefined) await requireSession(db, memberId, sessionId);
  await db.run(insertChallenge, [digest, memberId, data, expiresAt]);
}

const challengeByDigest = 'SELECT member_id, data, expires_at FROM challenges WHERE digest = ?';

export async function findChallenge(db: Db, digest: Uint8Array): Promise<Challenge | undefined> {
  return challengeOf(digest, await db.get<ChallengeRow>(challengeByDigest, [digest]));
}

/** Uses a challenge up, in one statement: of two answers to one, one counts. */
export async function deleteChallenge(
  db: Db,
  digest: Uint8Array,
  now: number,
): Promise<Challenge | undefined> {
  return challengeOf(digest, await db.get<ChallengeRow>(take, [digest, now]));
}

interface ChallengeRow {
  member_id: string | null;
  data: string;
  expires_at: number;
}

function challengeOf(digest: Uint8Array, row: ChallengeRow | undefined): Challenge | undefined {
  return row && { digest, memberId: row.member_id, data: row.data, expiresAt: row.expires_at };
}

const insertPasskey = `
  INSERT INTO passkeys (id, member_id, credential, public_key, counter, name, is_synced, created_at, helped)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (credential) DO NOTHING`;

/** @returns false when the credential is somebody's already @throws Failure INVALID_SESSION, LIMIT_REACHED */
export async function createPasskey(
  db: Db,
  passkey: Credential,
  sessionId: string | undefined,
): Promise<boolean> {
  const { id, memberId, credential, publicKey, counter, name, isSynced, createdAt, isHelped } = passkey;
  await requireSession(db, memberId, sessionId);
  if ((await credentials(db, memberId)).length >= maxPasskeys) throw limitReached('passkeys', maxPasskeys);
  const facts = [id, memberId, credential, publicKey, counter, name, isSynced ? 1 : 0] as const;
  return (await db.run(insertPasskey, [...facts, createdAt, isHelped ? 1 : 0])) > 0;
}

const rename = 'UPDATE passkeys SET name = ? WHERE member_id = ? AND id = ?';
const remove = 'DELETE FROM passkeys WHERE member_id = ? AND id = ?';

export async function renamePasskey(db: Db, memberId: string, id: string, name: string): Promise<boolean> {
  return (await db.run(rename, [name, memberId, id])) > 0;
}

export async function deletePasskey(db: Db, memberId: string, id: string): Promise<boolean> {
  return (await db.run(remove, [memberId, id])) > 0;
}

const use = 'UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ?';

/** Begins a session by a passkey. @returns false when it is gone meanwhile */
export async function usePasskey(
  db: Db,
  id: string,
  { counter, at }: { readonly counter: number; readonly at: number },
  session: NewSession,
): Promise<boolean> {
  if ((await db.run(use, [counter, at, id])) === 0) return false;
  await createSession(db, session);
  return true;
}

const ofMemberGone = 'DELETE FROM passkeys WHERE member_id = ?';
// They stay until they are old: the caller that waits for an answer is told that there is none.
const endChallenges = "UPDATE challenges SET data = 'ended' WHERE member_id = ?";

/** Removes what a person could sign in with, and ends what they began or approved and did not finish. */
export async function deletePasskeysOf(db: Db, memberId: string): Promise<void> {
  await db.run(ofMemberGone, [memberId]);
  await db.run(endChallenges, [memberId]);
}

/** Same as above, for what was added in sessions that somebody else may have begun. */
export async function deleteHelpedPasskeys(db: Db, memberId: string): Promise<void> {
  await db.run(`${ofMemberGone} AND helped = 1`, [memberId]);
  await db.run(endChallenges, [memberId]);
}
