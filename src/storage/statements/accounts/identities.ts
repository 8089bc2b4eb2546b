import type { Identity, IdentityWrites } from '../../../model/accounts/identity-storage.ts';
import type { ApiKey } from '../../../model/accounts/keys.ts';
import type { NewMember } from '../../../model/accounts/members.ts';
import type { MemberIdentity } from '../../../model/accounts/own-identities.ts';
import type { Role } from '../../../model/accounts/roles.ts';
import type { NewSession } from '../../../model/accounts/sessions.ts';
import type { Subject } from '../../../model/accounts/single-sign-on.ts';
import { Failure } from '../../../model/failures.ts';
import type { Db } from '../../db/db.ts';
import { findKey } from './keys.ts';
import { insertIdentity, makeMember, updateMember } from './members.ts';
import { createSession, requireSession } from './sessions.ts';

const ofSubject = `
  SELECT m.key_id, i.by_group, i.helped FROM identities i JOIN members m ON m.id = i.member_id
  WHERE i.issuer = ? AND i.subject = ? ORDER BY i.last_used_at DESC, i.account_id`;

/** Somebody at a provider in every account, the one last used first. */
export async function identities(db: Db, { issuer, subject }: Subject): Promise<readonly Identity[]> {
  const rows = await db.all<{ key_id: string; by_group: number; helped: number }>(ofSubject, [
    issuer,
    subject,
  ]);
  const found: Identity[] = [];
  for (const row of rows) {
    const key = await findKey(db, row.key_id);
    if (key !== undefined) found.push({ key, isByGroup: row.by_group === 1, isHelped: row.helped === 1 });
  }
  return found;
}

const byName = 'SELECT id, suspended_at FROM accounts WHERE name = ?';

export async function accountByName(
  db: Db,
  name: string,
): Promise<{ id: number; suspendedAt: number | null } | undefined> {
  const row = await db.get<{ id: number; suspended_at: number | null }>(byName, [name]);
  return row && { id: row.id, suspendedAt: row.suspended_at };
}

/** @throws Failure OIDC_REFUSED when they are a member meanwhile */
export async function joinByGroup(
  db: Db,
  { issuer, subject, email }: Subject & { readonly email: string | null },
  member: NewMember & { readonly role: Role },
  session: NewSession,
): Promise<ApiKey> {
  await makeMember(db, {
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
}

const toUse = `
  SELECT i.member_id, m.key_id FROM identities i JOIN members m ON m.id = i.member_id
  WHERE i.issuer = ? AND i.subject = ? AND i.account_id = ?`;
const use = `
  UPDATE identities SET last_used_at = ?, by_group = CASE WHEN ? = 1 THEN 1 ELSE by_group END
  WHERE issuer = ? AND subject = ? AND account_id = ?`;
const setEmail = 'UPDATE members SET email = ? WHERE id = ?';

/** Begins a session of a member. @returns undefined when they are gone */
export async function useIdentity(
  db: Db,
  { issuer, subject, accountId }: Subject & { readonly accountId: number },
  {
    role,
    email,
    at,
  }: { readonly role: Role | undefined; readonly email: string | null; readonly at: number },
  session: NewSession,
): Promise<ApiKey | undefined> {
  const of = [issuer, subject, accountId] as const;
  const found = await db.get<{ member_id: string; key_id: string }>(toUse, of);
  if (found === undefined) return undefined;
  if (role !== undefined) await giveRole(db, accountId, found.member_id, role);
  if ((await db.run(use, [at, role === undefined ? 0 : 1, ...of])) === 0) return undefined;
  if (email !== null) await db.run(setEmail, [email, found.member_id]);
  await createSession(db, session);
  return findKey(db, found.key_id);
}

async function giveRole(db: Db, accountId: number, memberId: string, role: Role): Promise<void> {
  try {
    await updateMember(db, accountId, memberId, { role });
  } catch (error) {
    // An account without an owner could be mended by nobody in it, and who is bound cannot manage one.
    if (!(error instanceof Failure && /^(?:LAST_OWNER|VALIDATION_ERROR)$/.test(error.code))) throw error;
  }
}

const ofMember = `
  SELECT issuer, subject, by_group, created_at, last_used_at FROM identities WHERE member_id = ?
  ORDER BY last_used_at DESC, issuer, subject`;

/** Who a person is at providers, the one last used first. */
export async function identitiesOf(db: Db, memberId: string): Promise<readonly MemberIdentity[]> {
  const rows = await db.all<{
    issuer: string;
    subject: string;
    by_group: number;
    created_at: number;
    last_used_at: number;
  }>(ofMember, [memberId]);
  return rows.map((row) => ({
    issuer: row.issuer,
    subject: row.subject,
    isByGroup: row.by_group === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** @returns false when the person is gone, has one of the issuer, or somebody in the account is this already */
export async function connectIdentity(
  db: Db,
  subject: Subject,
  { memberId, accountId, at, isHelped, sessionId }: Parameters<IdentityWrites['connectIdentity']>[1],
): Promise<boolean> {
  await requireSession(db, memberId, sessionId);
  if ((await identitiesOf(db, memberId)).some(({ issuer }) => issuer === subject.issuer)) return false;
  return insertIdentity(db, subject, { id: memberId, accountId, createdAt: at }, { isHelped });
}

const disconnect = 'DELETE FROM identities WHERE account_id = ? AND member_id = ?';

/** @returns whether there was any */
export async function disconnectIdentities(db: Db, accountId: number, memberId: string): Promise<boolean> {
  return (await db.run(disconnect, [accountId, memberId])) > 0;
}
