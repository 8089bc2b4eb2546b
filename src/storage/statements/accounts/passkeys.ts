import { type Challenge, maxPasskeys, passkeyFields } from '../../../model/accounts/passkeys.ts';
import { limitReached } from '../../../model/failures.ts';
import type { Db } from '../../db/db.ts';
import { flag, insertRow, plain, type Row, stored, storedFields } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { findKey } from './keys.ts';
import { createSession, requireSession } from './sessions.ts';

const storedPasskey = stored('p', {
  ...storedFields(passkeyFields),
  id: plain<string>(),
  credential: plain<string>(),
  publicKey: plain<Uint8Array>(),
  counter: plain<number>(),
  isHelped: flag({ column: 'helped' }),
});

const passkeysOfMember = `SELECT ${storedPasskey.columns} FROM passkeys p WHERE p.member_id = ? ORDER BY p.created_at, p.id`;
const byCredential = `
  SELECT ${storedPasskey.columns}, m.key_id FROM passkeys p JOIN members m ON m.id = p.member_id WHERE p.credential = ?`;

export const credentials: Read<'credentials'> = async (db, memberId) =>
  (await db.all<Row>(passkeysOfMember, [memberId])).map(storedPasskey.of);

export const findCredential: Read<'findCredential'> = async (db, credential) => {
  const row = await db.get<Row & { readonly key_id: string }>(byCredential, [credential]);
  const key = row && (await findKey(db, row.key_id));
  return row && key && { credential: storedPasskey.of(row), key };
};

const insertChallenge = 'INSERT INTO challenges (digest, member_id, data, expires_at) VALUES (?, ?, ?, ?)';
const deleteChallengeRow =
  'DELETE FROM challenges WHERE digest = ? AND expires_at > ? RETURNING member_id, data, expires_at';

export const createChallenge: Write<'createChallenge'> = async (
  db,
  { digest, memberId, data, expiresAt },
  sessionId,
) => {
  if (memberId !== null && sessionId !== undefined) await requireSession(db, memberId, sessionId);
  await db.run(insertChallenge, [digest, memberId, data, expiresAt]);
};

const challengeByDigest = 'SELECT member_id, data, expires_at FROM challenges WHERE digest = ?';

export const findChallenge: Read<'findChallenge'> = async (db, digest) =>
  challengeOf(digest, await db.get<ChallengeRow>(challengeByDigest, [digest]));

/** Deletes and returns a challenge in one statement, so that it can be used only once. */
export const takeChallenge: Write<'takeChallenge'> = async (db, digest, now) =>
  challengeOf(digest, await db.get<ChallengeRow>(deleteChallengeRow, [digest, now]));

interface ChallengeRow {
  member_id: string | null;
  data: string;
  expires_at: number;
}

function challengeOf(digest: Uint8Array, row: ChallengeRow | undefined): Challenge | undefined {
  return row && { digest, memberId: row.member_id, data: row.data, expiresAt: row.expires_at };
}

export const createPasskey: Write<'createPasskey'> = async (db, passkey, sessionId) => {
  const { memberId } = passkey;
  await requireSession(db, memberId, sessionId);
  if ((await credentials(db, memberId)).length >= maxPasskeys) throw limitReached('passkeys', maxPasskeys);
  return insertRow(db, 'passkeys', storedPasskey.values(passkey), 'ON CONFLICT (credential) DO NOTHING');
};

const rename = 'UPDATE passkeys SET name = ? WHERE member_id = ? AND id = ?';
const deleteRow = 'DELETE FROM passkeys WHERE member_id = ? AND id = ?';

export const renamePasskey: Write<'renamePasskey'> = async (db, memberId, id, name) =>
  (await db.run(rename, [name, memberId, id])) > 0;

export const deletePasskey: Write<'deletePasskey'> = async (db, memberId, id) =>
  (await db.run(deleteRow, [memberId, id])) > 0;

const updateUse = 'UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ?';

export const usePasskey: Write<'usePasskey'> = async (db, id, { counter, at }, session) => {
  if ((await db.run(updateUse, [counter, at, id])) === 0) return false;
  await createSession(db, session);
  return true;
};

const deleteAllOfMember = 'DELETE FROM passkeys WHERE member_id = ?';
// Ended challenges stay in the table until they expire, so that a client that polls for the result learns that its
// challenge has ended.
const endChallenges = "UPDATE challenges SET data = 'ended' WHERE member_id = ?";

/** Deletes a member's passkeys, and ends their unfinished challenges. */
export async function deletePasskeysOf(db: Db, memberId: string): Promise<void> {
  await db.run(deleteAllOfMember, [memberId]);
  await db.run(endChallenges, [memberId]);
}

/** Deletes only passkeys that were added in sessions that somebody else may have started. */
export async function deleteHelpedPasskeys(db: Db, memberId: string): Promise<void> {
  await db.run(`${deleteAllOfMember} AND helped = 1`, [memberId]);
  await db.run(endChallenges, [memberId]);
}

export const passkeyReads = { credentials, findCredential, findChallenge };

export const passkeyWrites = {
  createChallenge,
  takeChallenge,
  createPasskey,
  renamePasskey,
  deletePasskey,
  usePasskey,
};
