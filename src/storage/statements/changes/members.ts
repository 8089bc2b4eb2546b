import { memberFields } from '../../../model/accounts/member-fields.ts';
import { inputsIn } from '../../../model/record-fields.ts';
import type { Db } from '../../db/db.ts';
import { findKey } from '../accounts/keys.ts';
import { findInvitation, member } from '../accounts/members.ts';
import { sparseFields } from '../events/append.ts';
import { changed, type EventRules } from './changes.ts';

const memberById =
  'SELECT account_id AS "accountId", name, operator_at AS "operatorAt" FROM members WHERE id = ?';
const passkeyOfMember = `
  SELECT m.account_id AS "accountId", p.name FROM passkeys p JOIN members m ON m.id = p.member_id
  WHERE p.member_id = ? AND p.id = ?`;

interface OwnedRow {
  readonly accountId: number;
  readonly name: string;
}

async function passkeyOf(db: Db, memberId: string, id: string): Promise<OwnedRow | undefined> {
  return db.get<OwnedRow>(passkeyOfMember, [memberId, id]);
}

/** Event rules for writes to members, invitations and passkeys. */
export const memberRules: EventRules = {
  createInvitation:
    () =>
    ({ accountId, id: targetId, role, email, createdAt: at }) => {
      return { accountId, at, name: 'invitation.created', targetId, body: sparseFields({ role, email }) };
    },
  deleteInvitation: (_db, accountId, targetId) => (isDeleted) =>
    isDeleted && { accountId, name: 'invitation.withdrawn', targetId },
  acceptInvitation: async (db, digest, { id: targetId, name, createdAt: at }) => {
    const { role, email } = (await findInvitation(db, digest)) ?? {};
    const body = sparseFields({ name, role, email });
    return (key) => key && { accountId: key.accountId, at, name: 'person.joined', targetId, body };
  },
  updateMember: async (db, accountId, targetId) => {
    const before = await member(db, accountId, targetId);
    const event = { accountId, targetId };
    return (after) =>
      before &&
      changed(
        event,
        'person.updated',
        { ...inputsIn(memberFields, before) },
        { ...inputsIn(memberFields, after) },
      );
  },
  setOperator: async (db, targetId, at) => {
    const before = await db.get<OwnedRow & { operatorAt: number | null }>(memberById, [targetId]);
    return () => {
      if (before === undefined) return undefined;
      const { accountId, operatorAt } = before;
      const [was, is] = [operatorAt, at].map((time) => ({ isOperator: time !== null }));
      return changed({ accountId, targetId }, 'person.updated', was, is);
    };
  },
  deleteMember: async (db, accountId, targetId, { keys }, at) => {
    const { name, role } = (await member(db, accountId, targetId)) ?? {};
    const body = sparseFields({ name, role, keys });
    return () => ({ accountId, at, name: 'person.removed', targetId, body });
  },
  createLoginLink: async (db, { keyId: targetId, expiresAt }) => {
    const key = await findKey(db, targetId);
    const body = { expiresAt: new Date(expiresAt).toISOString() };
    return () => key && { accountId: key.accountId, name: 'session.link-created', targetId, body };
  },
  createPasskey: async (db, { memberId, id: targetId, name, createdAt: at }) => {
    const owner = await db.get<OwnedRow>(memberById, [memberId]);
    return (isCreated) =>
      isCreated &&
      owner && { accountId: owner.accountId, at, name: 'passkey.created', targetId, body: { name } };
  },
  renamePasskey: async (db, memberId, targetId, name) => {
    const before = await passkeyOf(db, memberId, targetId);
    return (isRenamed) =>
      isRenamed &&
      before &&
      changed({ accountId: before.accountId, targetId }, 'passkey.renamed', { name: before.name }, { name });
  },
  deletePasskey: async (db, memberId, targetId) => {
    const before = await passkeyOf(db, memberId, targetId);
    return (isDeleted) =>
      isDeleted &&
      before && {
        accountId: before.accountId,
        name: 'passkey.deleted',
        targetId,
        body: { name: before.name },
      };
  },
  joinByGroup:
    (_db, { email }, { id: targetId, name, role, createdAt: at }) =>
    ({ accountId }) => {
      return { accountId, at, name: 'person.joined', targetId, body: sparseFields({ name, role, email }) };
    },
  useIdentity:
    (_db, _identity, { at }, { accountId, id: targetId, keyId, agent }) =>
    (key) =>
      key && { accountId, at, name: 'session.created', targetId, body: sparseFields({ keyId, agent }) },
  connectIdentity:
    (_db, { issuer }, { accountId, memberId: targetId, at }) =>
    (isConnected) =>
      isConnected && { accountId, at, name: 'identity.connected', targetId, body: { issuer } },
  disconnectIdentities: (_db, accountId, targetId) => (isDisconnected) =>
    isDisconnected && { accountId, name: 'identity.disconnected', targetId },
  usePasskey: (_db, passkey, { at }, { accountId, id: targetId, keyId, agent }) => {
    const body = sparseFields({ keyId, agent, passkey });
    return (isUsed) => isUsed && { accountId, at, name: 'session.created', targetId, body };
  },
};
