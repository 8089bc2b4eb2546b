import type { Fields } from '../../../model/history/events.ts';
import { accountLike, accountSettings } from '../accounts/accounts.ts';
import { branding } from '../accounts/branding.ts';
import { findKey } from '../accounts/keys.ts';
import { preferences } from '../accounts/preferences.ts';
import { sparseFields } from '../events/append.ts';
import { changed, type NotedWrites, noted } from './changes.ts';

/** A picture would fill the log. */
const ofBranding = (value: object | undefined): Fields => {
  const { updatedAt: _, logo, ...rest } = { logo: null, updatedAt: 0, ...value };
  return { ...rest, logo: logo === null ? null : `${String(logo).length} characters` };
};
const ofKey = ({ name, plan, scopes, expiresAt }: Fields): Fields => ({
  name,
  plan,
  scopes,
  expiresAt: typeof expiresAt === 'number' ? new Date(expiresAt).toISOString() : null,
});

/** Writes of an account, its keys and its sessions. */
export const ofAccounts: NotedWrites = {
  createKey: noted<'createKey'>({
    told: ({ result }) => {
      const { accountId, id: targetId, createdAt: at } = result;
      return { accountId, at, name: 'key.created', targetId, body: sparseFields(ofKey({ ...result })) };
    },
  }),
  createFirstKey: noted<'createFirstKey'>({
    told: ({ result }) =>
      result && {
        accountId: result.accountId,
        at: result.createdAt,
        name: 'key.created',
        targetId: result.id,
        body: sparseFields(ofKey({ ...result })),
      },
  }),
  rotateKey: noted<'rotateKey'>({
    told: ({ result }, id, { createdAt: at }) => {
      const body = {
        name: result.name,
        successor: result.id,
        expiresAt: new Date(result.oldExpiresAt).toISOString(),
      };
      return { accountId: result.accountId, at, name: 'key.rotated', targetId: id, body };
    },
  }),
  revokeKey: noted<'revokeKey', Awaited<ReturnType<typeof findKey>>>({
    before: async (db, id) => findKey(db, id),
    told: ({ before, result }, id, at) =>
      result && before !== undefined
        ? { accountId: before.accountId, at, name: 'key.revoked', targetId: id, body: { name: before.name } }
        : undefined,
  }),
  createSession: noted<'createSession'>({
    told: ({ result }, { accountId, id, keyId, agent, createdAt: at }) =>
      result && {
        accountId,
        at,
        name: 'session.created',
        targetId: id,
        body: sparseFields({ keyId, agent }),
      },
  }),
  endSession: noted<'endSession'>({
    told: ({ result }, accountId, id) =>
      result ? { accountId, name: 'session.ended', targetId: id } : undefined,
  }),
  endSessions: noted<'endSessions'>({
    told: ({ result }, accountId) =>
      result > 0 ? { accountId, name: 'session.ended', body: { sessions: result } } : undefined,
  }),
  putBranding: noted<'putBranding', Fields>({
    before: async (db, accountId) => ofBranding(await branding(db, accountId)),
    told: ({ before }, accountId, given) =>
      changed({ accountId, at: given.updatedAt }, 'branding.updated', before, ofBranding(given)),
  }),
  deleteBranding: noted<'deleteBranding', boolean>({
    before: async (db, accountId) => (await branding(db, accountId)) !== undefined,
    told: ({ before }, accountId) => (before ? { accountId, name: 'branding.deleted' } : undefined),
  }),
  putPreferences: noted<'putPreferences', string | undefined>({
    before: async (db, accountId, _value, _at, memberId) =>
      (await preferences(db, accountId, memberId))?.value,
    told: ({ before }, accountId, value, at) =>
      before === value ? undefined : { accountId, at, name: 'preferences.updated' },
  }),
  createAccount: noted<'createAccount'>({
    told: ({ result }, name, at) =>
      result && { accountId: result.id, at, name: 'account.created', body: { name } },
  }),
  setAccount: noted<'setAccount', Fields>({
    before: async (db, accountId) => ({ ...(await accountSettings(db, accountId)) }),
    told: ({ before }, accountId, given, at) =>
      changed({ accountId, at }, 'account.updated', before, { ...given }),
  }),
  suspendAccount: noted<'suspendAccount', number | undefined>({
    before: async (db, name) => (await accountLike(db, name))?.id,
    told: ({ before, result }, _, at) =>
      result && before !== undefined
        ? { accountId: before, name: at === null ? 'account.resumed' : 'account.suspended' }
        : undefined,
  }),
};
