import { memberFields } from '../../../model/accounts/member-fields.ts';
import type { Credential } from '../../../model/accounts/passkeys.ts';
import { inputsIn } from '../../../model/record-fields.ts';
import type { Db } from '../../db/db.ts';
import { findKey } from '../accounts/keys.ts';
import { findInvitation, member } from '../accounts/members.ts';
import { sparseFields } from '../events/append.ts';
import { changed, type EventRules, eventRule } from './changes.ts';

const accountOfMember = 'SELECT account_id, name, operator_at FROM members WHERE id = ?';
const passkeyOfMember = `
  SELECT m.account_id, p.name FROM passkeys p JOIN members m ON m.id = p.member_id WHERE p.member_id = ? AND p.id = ?`;
interface OwnedRow {
  readonly account_id: number;
  readonly name: string;
}

async function passkeyOf(db: Db, memberId: string, id: string): Promise<OwnedRow | undefined> {
  return db.get<OwnedRow>(passkeyOfMember, [memberId, id]);
}

/** Event rules for writes to members, invitations and passkeys. */
export const memberRules: EventRules = {
  createInvitation: eventRule<'createInvitation'>({
    createEvent: ({ result: { accountId, id, role, email, createdAt } }) => ({
      accountId,
      at: createdAt,
      name: 'invitation.created',
      targetId: id,
      body: sparseFields({ role, email }),
    }),
  }),
  deleteInvitation: eventRule<'deleteInvitation'>({
    createEvent: ({ result }, accountId, id) =>
      result ? { accountId, name: 'invitation.withdrawn', targetId: id } : undefined,
  }),
  acceptInvitation: eventRule<'acceptInvitation', Awaited<ReturnType<typeof findInvitation>>>({
    before: async (db, digest) => findInvitation(db, digest),
    createEvent: ({ before, result }, _, { id, name, createdAt }) =>
      result && {
        accountId: result.accountId,
        at: createdAt,
        name: 'person.joined',
        targetId: id,
        body: sparseFields({ name, role: before?.role, email: before?.email }),
      },
  }),
  updateMember: eventRule<'updateMember', Awaited<ReturnType<typeof member>>>({
    before: async (db, accountId, id) => member(db, accountId, id),
    createEvent: ({ before, result }, accountId, id) =>
      changed(
        { accountId, targetId: id },
        'person.updated',
        before && { ...inputsIn(memberFields, before) },
        { ...inputsIn(memberFields, result) },
      ),
  }),
  setOperator: eventRule<'setOperator', (OwnedRow & { readonly operator_at: number | null }) | undefined>({
    before: async (db, memberId) =>
      db.get<OwnedRow & { operator_at: number | null }>(accountOfMember, [memberId]),
    createEvent: ({ before }, targetId, at) =>
      before &&
      changed(
        { accountId: before.account_id, targetId },
        'person.updated',
        { isOperator: before.operator_at !== null },
        { isOperator: at !== null },
      ),
  }),
  deleteMember: eventRule<'deleteMember', Awaited<ReturnType<typeof member>>>({
    before: async (db, accountId, id) => member(db, accountId, id),
    createEvent: ({ before }, accountId, id, { keys }, at) => ({
      accountId,
      at,
      name: 'person.removed',
      targetId: id,
      body: sparseFields({ name: before?.name, role: before?.role, keys }),
    }),
  }),
  createLoginLink: eventRule<'createLoginLink', Awaited<ReturnType<typeof findKey>>>({
    before: async (db, { keyId }) => findKey(db, keyId),
    createEvent: ({ before }, { keyId, expiresAt }) =>
      before && {
        accountId: before.accountId,
        name: 'session.link-created',
        targetId: keyId,
        body: { expiresAt: new Date(expiresAt).toISOString() },
      },
  }),
  createPasskey: eventRule<'createPasskey', OwnedRow | undefined>({
    before: async (db, { memberId }: Credential) => db.get<OwnedRow>(accountOfMember, [memberId]),
    createEvent: ({ before, result }, { id, name, createdAt }) =>
      result && before !== undefined
        ? {
            accountId: before.account_id,
            at: createdAt,
            name: 'passkey.created',
            targetId: id,
            body: { name },
          }
        : undefined,
  }),
  renamePasskey: eventRule<'renamePasskey', OwnedRow | undefined>({
    before: passkeyOf,
    createEvent: ({ before, result }, _, id, name) =>
      result && before !== undefined
        ? changed(
            { accountId: before.account_id, targetId: id },
            'passkey.renamed',
            { name: before.name },
            { name },
          )
        : undefined,
  }),
  deletePasskey: eventRule<'deletePasskey', OwnedRow | undefined>({
    before: passkeyOf,
    createEvent: ({ before, result }, _, id) =>
      result && before !== undefined
        ? { accountId: before.account_id, name: 'passkey.deleted', targetId: id, body: { name: before.name } }
        : undefined,
  }),
  joinByGroup: eventRule<'joinByGroup'>({
    createEvent: ({ result: { accountId } }, { email }, { id, name, role, createdAt }) => ({
      accountId,
      at: createdAt,
      name: 'person.joined',
      targetId: id,
      body: sparseFields({ name, role, email }),
    }),
  }),
  useIdentity: eventRule<'useIdentity'>({
    createEvent: ({ result }, _, { at }, { accountId, id, keyId, agent }) =>
      result && {
        accountId,
        at,
        name: 'session.created',
        targetId: id,
        body: sparseFields({ keyId, agent }),
      },
  }),
  connectIdentity: eventRule<'connectIdentity'>({
    createEvent: ({ result }, { issuer }, { accountId, memberId, at }) =>
      result
        ? { accountId, at, name: 'identity.connected', targetId: memberId, body: { issuer } }
        : undefined,
  }),
  disconnectIdentities: eventRule<'disconnectIdentities'>({
    createEvent: ({ result }, accountId, memberId) =>
      result ? { accountId, name: 'identity.disconnected', targetId: memberId } : undefined,
  }),
  usePasskey: eventRule<'usePasskey'>({
    createEvent: ({ result }, passkey, { at }, { accountId, id, keyId, agent }) =>
      result
        ? {
            accountId,
            at,
            name: 'session.created',
            targetId: id,
            body: sparseFields({ keyId, agent, passkey }),
          }
        : undefined,
  }),
};
