import {
  isPromotion,
  isUnrestrictedOwner,
  managesAccount,
  mayInvite,
} from '../../../model/accounts/authority.ts';
import {
  type Invitation,
  invitationFields,
  type Member,
  memberFields,
} from '../../../model/accounts/member-fields.ts';
import {
  lastOwner,
  maxInvitations,
  memberNotFound,
  type NewMember,
  restrictedRoleProblems,
} from '../../../model/accounts/members.ts';
import type { Subject } from '../../../model/accounts/single-sign-on.ts';
import { Failure, limitReached, refused } from '../../../model/failures.ts';
import { inputsIn } from '../../../model/record-fields.ts';
import { recordChange } from '../../db/change-log.ts';
import { type Db, one } from '../../db/db.ts';
import { insertRow, isSet, plain, type Row, stored, storedFields, updateRows } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { lockAccount } from '../groups/link-counts.ts';
import {
  boundsIn,
  findKey,
  handOverKeys,
  requireRestrictionTargets,
  revokeKey,
  scopesAndBounds,
} from './keys.ts';
import { deleteHelpedPasskeys, deletePasskeysOf } from './passkeys.ts';
import { createSession } from './sessions.ts';

const storedMember = stored('m', {
  ...storedFields(memberFields),
  id: plain<string>(),
  isOperator: isSet({ column: 'operator_at' }),
  bounds: { from: 'k.bounds', read: (value) => boundsIn(value as string | null) },
  lastSeenAt: plain<number | null>({ column: 'last_used_at', from: 'k.last_used_at' }),
});

interface CreatedKeyRow {
  id: string;
  name: string;
  member_id: string;
}

function memberOf(row: Row, created: readonly CreatedKeyRow[]): Member {
  const member = storedMember.of(row);
  const keys = created.filter((key) => key.member_id === member.id).map(({ id, name }) => ({ id, name }));
  return { ...member, keys };
}

const memberRows = `SELECT ${storedMember.columns} FROM members m JOIN api_keys k ON k.id = m.key_id`;
const membersOfAccount = `${memberRows} WHERE m.account_id = ? ORDER BY m.created_at, m.id`;
const byId = `${memberRows} WHERE m.account_id = ? AND m.id = ?`;
const createdKeys = `
  SELECT k.id, k.name, k.member_id FROM members m JOIN api_keys k ON k.member_id = m.id
  WHERE m.account_id = ? AND k.id <> m.key_id AND k.revoked_at IS NULL ORDER BY k.created_at, k.id`;

export const members: Read<'members'> = async (db, accountId) => {
  const rows = await db.all<Row>(membersOfAccount, [accountId]);
  if (rows.length === 0) return [];
  const created = await db.all<CreatedKeyRow>(createdKeys, [accountId]);
  return rows.map((row) => memberOf(row, created));
};

export const member: Read<'member'> = async (db, accountId, id) => {
  const row = await db.get<Row>(byId, [accountId, id]);
  return row && memberOf(row, await db.all<CreatedKeyRow>(createdKeys, [accountId]));
};

const storedInvitation = stored('i', {
  ...storedFields(invitationFields),
  id: plain<string>(),
  account: plain<string>({ from: 'a.name' }),
  accountSuspended: isSet({ column: 'suspended_at', from: 'a.suspended_at' }),
  bounds: { read: (value) => boundsIn(value as string | null) },
  invitedBy: plain<string | null>({ from: 'COALESCE(m.name, k.name)' }),
});

const invitationRows = `
  SELECT ${storedInvitation.columns} FROM invitations i JOIN accounts a ON a.id = i.account_id
    LEFT JOIN api_keys k ON k.id = i.inviter LEFT JOIN members m ON m.id = k.member_id`;
const invitationsOfAccount = `
  ${invitationRows} WHERE i.account_id = ? AND i.expires_at > ? ORDER BY i.created_at DESC, i.id`;
const invitationByDigest = `${invitationRows} WHERE i.digest = ?`;

export const invitations: Read<'invitations'> = async (db, accountId, now) =>
  (await db.all<Row>(invitationsOfAccount, [accountId, now])).map(storedInvitation.of);

export const findInvitation: Read<'findInvitation'> = async (db, digest) => {
  const row = await db.get<Row>(invitationByDigest, [digest]);
  return row && storedInvitation.of(row);
};

const deleteExpired = 'DELETE FROM invitations WHERE account_id = ? AND expires_at <= ?';
const countPending = 'SELECT COUNT(*) AS waiting FROM invitations WHERE account_id = ?';

/** @throws Failure LIMIT_REACHED, DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND */
export const createInvitation: Write<'createInvitation'> = async (db, invitation) => {
  const { digest, accountId, bounds, createdAt } = invitation;
  await lockAccount(db, accountId);
  await db.run(deleteExpired, [accountId, createdAt]);
  const { waiting: open } = await one<{ waiting: number }>(db, countPending, [accountId]);
  if (open >= maxInvitations) throw limitReached('invitations', maxInvitations);
  await requireRestrictionTargets(db, accountId, bounds);
  const [, kept] = scopesAndBounds('', bounds);
  await insertRow(db, 'invitations', { ...storedInvitation.values(invitation), digest, bounds: kept });
  return storedInvitation.of(await one<Row>(db, invitationByDigest, [digest]));
};

const removeInvitation = 'DELETE FROM invitations WHERE account_id = ? AND id = ?';

export const deleteInvitation: Write<'deleteInvitation'> = async (db, accountId, id) =>
  (await db.run(removeInvitation, [accountId, id])) > 0;

const useInvitation = 'DELETE FROM invitations WHERE digest = ? AND expires_at > ?';
const insertKey = `
  INSERT INTO api_keys (id, account_id, digest, name, plan, scopes, bounds, created_at, member_id)
  VALUES (?, ?, ?, ?, ?, '', ?, ?, ?)`;

/** Creates a member, and the key that represents them. */
export async function insertMemberWithKey(
  db: Db,
  created: NewMember & Pick<Invitation, 'accountId' | 'email' | 'role' | 'plan' | 'bounds'>,
): Promise<void> {
  const { id, keyId, digest, name, createdAt, accountId, plan } = created;
  const [, bounds] = scopesAndBounds('', created.bounds);
  await lockAccount(db, accountId);
  await db.run(insertKey, [keyId, accountId, digest, name, plan, bounds, createdAt, id]);
  await insertRow(db, 'members', storedMember.values(created));
}

/** Adds an identity to a member. @returns false when a member of the account already uses this identity */
export async function insertIdentity(
  db: Db,
  { issuer, subject }: Subject,
  { id, accountId, createdAt }: Pick<Member, 'id' | 'accountId' | 'createdAt'>,
  { isByGroup = false, isHelped = false } = {},
): Promise<boolean> {
  const flags = { by_group: Number(isByGroup), helped: Number(isHelped) };
  const times = { created_at: createdAt, last_used_at: createdAt };
  const row = { issuer, subject, account_id: accountId, member_id: id, ...flags, ...times };
  return insertRow(db, 'identities', row, 'ON CONFLICT (issuer, subject, account_id) DO NOTHING');
}

export const acceptInvitation: Write<'acceptInvitation'> = async (db, digest, member, session, subject) => {
  const found = await findInvitation(db, digest);
  if (found !== undefined) await lockAccount(db, found.accountId);
  // Looks up the inviter after acquiring the lock, because the inviter's role may have been lowered in the meantime.
  const inviter = found?.inviter == null ? undefined : await findKey(db, found.inviter);
  if (found?.inviter != null && !mayInvite(inviter, found.role, member.createdAt)) return undefined;
  // Uses a single statement, so that only one browser succeeds if two accept the invitation at the same time.
  if (found === undefined || (await db.run(useInvitation, [digest, member.createdAt])) === 0)
    return undefined;
  const { accountId, email, role, plan, bounds } = found;
  await insertMemberWithKey(db, { ...member, accountId, email, role, plan, bounds });
  if (subject !== undefined && !(await insertIdentity(db, subject, { ...member, accountId })))
    throw new Failure('OIDC_REFUSED');
  await createSession(db, session);
  return findKey(db, member.keyId);
};

/** @throws Failure LAST_OWNER when this member is the only owner without restrictions */
async function requireAnotherOwner(db: Db, leaving: Member): Promise<void> {
  if (!isUnrestrictedOwner(leaving)) return;
  const others = (await members(db, leaving.accountId)).filter(({ id }) => id !== leaving.id);
  if (!others.some(isUnrestrictedOwner)) throw lastOwner();
}

const keysOfMember = 'SELECT id FROM api_keys WHERE member_id = ? ORDER BY id';

/** Invalidates caches of a member's keys after their permissions changed. */
export async function recordMemberKeyChanges(db: Db, id: string): Promise<void> {
  for (const key of await db.all<{ id: string }>(keysOfMember, [id])) await recordChange(db, 'key', key.id);
}

const nameKey = 'UPDATE api_keys SET name = ? WHERE id = ?';
const endSessions = 'DELETE FROM sessions WHERE key_id = ?';
const endLogins = 'DELETE FROM login_links WHERE key_id = ?';

/**
 * Updates a member. A new role ends the member's sessions; a higher role also removes sign-in methods that somebody
 * else may have added.
 * @throws Failure MEMBER_NOT_FOUND, LAST_OWNER, VALIDATION_ERROR when a restricted member would become an account
 * manager
 */
export const updateMember: Write<'updateMember'> = async (db, accountId, id, change) => {
  await lockAccount(db, accountId);
  const before = await member(db, accountId, id);
  if (before === undefined) throw memberNotFound();
  const after = { ...before, ...change };
  const settings = inputsIn(memberFields, after);
  if (JSON.stringify(settings) === JSON.stringify(inputsIn(memberFields, before))) return before;
  const { name, role } = after;
  if (role !== before.role) {
    if (before.bounds !== undefined && managesAccount(role))
      throw refused(
        restrictedRoleProblems(role, { domains: before.bounds.hosts, folders: before.bounds.folders }),
      );
    await requireAnotherOwner(db, before);
  }
  await updateRows(db, 'members', storedMember.values(settings), 'id = ?', [id]);
  await db.run(nameKey, [name, before.keyId]);
  await recordMemberKeyChanges(db, id);
  if (isPromotion(before.role, role)) await endForeignSignIns(db, before);
  else if (role !== before.role) await db.run(endSessions, [before.keyId]);
  return after;
};

/** Ends a key's sessions and sign-in links. */
export async function endSignIns(db: Db, keyId: string): Promise<void> {
  await db.run(endSessions, [keyId]);
  await db.run(endLogins, [keyId]);
}

const removeHelpedIdentities = 'DELETE FROM identities WHERE member_id = ? AND helped = 1';

/**
 * Removes every session and sign-in method that somebody else could use to act as a member. Call it before the member
 * gets more permissions. The member must sign in again.
 */
export async function endForeignSignIns(db: Db, { id, keyId }: Pick<Member, 'id' | 'keyId'>): Promise<void> {
  await endSignIns(db, keyId);
  await deleteHelpedPasskeys(db, id);
  await db.run(removeHelpedIdentities, [id]);
}

const deleteInvitationsOf =
  'DELETE FROM invitations WHERE inviter IN (SELECT id FROM api_keys WHERE member_id = ?)';
const removeIdentities = 'DELETE FROM identities WHERE member_id = ?';
const removeMember = 'DELETE FROM members WHERE id = ?';
const removeKey = 'DELETE FROM api_keys WHERE id = ?';

export const deleteMember: Write<'deleteMember'> = async (db, accountId, id, { keys, heir }, now) => {
  await lockAccount(db, accountId);
  const leaving = await member(db, accountId, id);
  if (leaving === undefined) throw memberNotFound();
  await requireAnotherOwner(db, leaving);
  if (leaving.keys.length > 0 && keys === undefined)
    throw new Failure('MEMBER_HAS_KEYS', 'The member has active keys.');
  await db.run(deleteInvitationsOf, [id]);
  await endSignIns(db, leaving.keyId);
  if (keys === 'revoke') for (const key of leaving.keys) await revokeKey(db, key.id, now);
  await recordMemberKeyChanges(db, id);
  await deletePasskeysOf(db, id);
  await db.run(removeIdentities, [id]);
  await handOverKeys(db, id, heir);
  await db.run(removeMember, [id]);
  await db.run(removeKey, [leaving.keyId]);
  return leaving.keys;
};

export const memberReads = { members, member, invitations, findInvitation };

export const memberWrites = {
  createInvitation,
  deleteInvitation,
  acceptInvitation,
  updateMember,
  deleteMember,
};
