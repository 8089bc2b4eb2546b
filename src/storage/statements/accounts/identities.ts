import type { Identity } from '../../../model/accounts/identity-storage.ts';
import { identityFields } from '../../../model/accounts/own-identities.ts';
import type { Role } from '../../../model/accounts/roles.ts';
import { Failure } from '../../../model/failures.ts';
import type { Db } from '../../db/db.ts';
import { flag, type Row, stored, storedFields } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { findKey } from './keys.ts';
import { insertIdentity, insertMemberWithKey, updateMember } from './members.ts';
import { createSession, requireSession } from './sessions.ts';

const identitiesOfSubject = `
  SELECT m.key_id, i.by_group, i.helped FROM identities i JOIN members m ON m.id = i.member_id
  WHERE i.issuer = ? AND i.subject = ? ORDER BY i.last_used_at DESC, i.account_id`;

export const identities: Read<'identities'> = async (db, { issuer, subject }) => {
  const rows = await db.all<{ key_id: string; by_group: number; helped: number }>(identitiesOfSubject, [
    issuer,
    subject,
  ]);
  const found: Identity[] = [];
  for (const row of rows) {
    const key = await findKey(db, row.key_id);
    if (key !== undefined) found.push({ key, isByGroup: row.by_group === 1, isHelped: row.helped === 1 });
  }
  return found;
};

const accountRowByName = 'SELECT id, suspended_at AS "suspendedAt" FROM accounts WHERE name = ?';

export const accountByName: Read<'accountByName'> = async (db, name) => {
  const row = await db.get<{ id: number; suspendedAt: number | null }>(accountRowByName, [name]);
  return row && { ...row };
};

export const joinByGroup: Write<'joinByGroup'> = async (db, { issuer, subject, email }, member, session) => {
  await insertMemberWithKey(db, {
    ...member,
    accountId: session.accountId,
    email,
    plan: 'enterprise',
    bounds: undefined,
  });
  if (
    !(await insertIdentity(
      db,
      { issuer, subject },
      { ...member, accountId: session.accountId },
      { isByGroup: true },
    ))
  )
    throw new Failure('OIDC_REFUSED');
  await createSession(db, session);
  const key = await findKey(db, member.keyId);
  if (key === undefined) throw new Failure('OIDC_REFUSED');
  return key;
};

const memberOfIdentity = `
  SELECT i.member_id, m.key_id FROM identities i JOIN members m ON m.id = i.member_id
  WHERE i.issuer = ? AND i.subject = ? AND i.account_id = ?`;
const updateIdentity = `
  UPDATE identities SET last_used_at = ?, by_group = CASE WHEN ? = 1 THEN 1 ELSE by_group END
  WHERE issuer = ? AND subject = ? AND account_id = ?`;
const setEmail = 'UPDATE members SET email = ? WHERE id = ?';

export const useIdentity: Write<'useIdentity'> = async (
  db,
  { issuer, subject, accountId },
  { role, email, at },
  session,
) => {
  const identity = [issuer, subject, accountId] as const;
  const found = await db.get<{ member_id: string; key_id: string }>(memberOfIdentity, identity);
  if (found === undefined) return undefined;
  if (role !== undefined) await updateRole(db, accountId, found.member_id, role);
  if ((await db.run(updateIdentity, [at, role === undefined ? 0 : 1, ...identity])) === 0) return undefined;
  if (email !== null) await db.run(setEmail, [email, found.member_id]);
  await createSession(db, session);
  return findKey(db, found.key_id);
};

async function updateRole(db: Db, accountId: number, memberId: string, role: Role): Promise<void> {
  try {
    await updateMember(db, accountId, memberId, { role });
  } catch (error) {
    // Ignores these rejections. The last owner keeps the owner role, because the members of an account without an owner
    // could not appoint one. A restricted member cannot become an owner.
    if (!(error instanceof Failure && /^(?:LAST_OWNER|VALIDATION_ERROR)$/.test(error.code))) throw error;
  }
}

const storedIdentity = stored('', {
  ...storedFields(identityFields),
  isByGroup: flag({ column: 'by_group' }),
});
const identitiesOfMember = `
  SELECT ${storedIdentity.columns} FROM identities WHERE member_id = ? ORDER BY last_used_at DESC, issuer, subject`;

export const identitiesOf: Read<'identitiesOf'> = async (db, memberId) =>
  (await db.all<Row>(identitiesOfMember, [memberId])).map(storedIdentity.of);

export const connectIdentity: Write<'connectIdentity'> = async (
  db,
  subject,
  { memberId, accountId, at, isHelped, sessionId },
) => {
  await requireSession(db, memberId, sessionId);
  if ((await identitiesOf(db, memberId)).some(({ issuer }) => issuer === subject.issuer)) return false;
  return insertIdentity(db, subject, { id: memberId, accountId, createdAt: at }, { isHelped });
};

const disconnect = 'DELETE FROM identities WHERE account_id = ? AND member_id = ?';

export const disconnectIdentities: Write<'disconnectIdentities'> = async (db, accountId, memberId) => {
  return (await db.run(disconnect, [accountId, memberId])) > 0;
};

export const identityReads = { identities, identitiesOf, accountByName };

export const identityWrites = { joinByGroup, useIdentity, connectIdentity, disconnectIdentities };
