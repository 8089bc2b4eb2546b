import type { Fields } from '../../../model/history/events.ts';
import { accountLike, accountSettings } from '../accounts/accounts.ts';
import { branding } from '../accounts/branding.ts';
import { findKey } from '../accounts/keys.ts';
import { preferences } from '../accounts/preferences.ts';
import { sparseFields } from '../events/append.ts';
import { changed, type EventRules, eventRule } from './changes.ts';

/** Replaces the logo by its length, because images would fill the log. */
const brandingFields = (value: object | undefined): Fields => {
  const { updatedAt: _, logo, ...rest } = { logo: null, updatedAt: 0, ...value };
  return { ...rest, logo: logo === null ? null : `${String(logo).length} characters` };
};
const keyFields = ({ name, plan, scopes, expiresAt }: Fields): Fields => ({
  name,
  plan,
  scopes,
  expiresAt: typeof expiresAt === 'number' ? new Date(expiresAt).toISOString() : null,
});

/** Event rules for writes to accounts, keys and sessions. */
export const accountRules: EventRules = {
  createKey: eventRule<'createKey'>({
    createEvent: ({ result }) => {
      const { accountId, id: targetId, createdAt: at } = result;
      return { accountId, at, name: 'key.created', targetId, body: sparseFields(keyFields({ ...result })) };
    },
  }),
  createFirstKey: eventRule<'createFirstKey'>({
    createEvent: ({ result }) =>
      result && {
        accountId: result.accountId,
        at: result.createdAt,
        name: 'key.created',
        targetId: result.id,
        body: sparseFields(keyFields({ ...result })),
      },
  }),
  rotateKey: eventRule<'rotateKey'>({
    createEvent: ({ result }, id, { createdAt: at }) => {
      const body = {
        name: result.name,
        successor: result.id,
        expiresAt: new Date(result.oldExpiresAt).toISOString(),
      };
      return { accountId: result.accountId, at, name: 'key.rotated', targetId: id, body };
    },
  }),
  revokeKey: eventRule<'revokeKey', Awaited<ReturnType<typeof findKey>>>({
    before: async (db, id) => findKey(db, id),
    createEvent: ({ before, result }, id, at) =>
      result && before !== undefined
        ? { accountId: before.accountId, at, name: 'key.revoked', targetId: id, body: { name: before.name } }
        : undefined,
  }),
  createSession: eventRule<'createSession'>({
    createEvent: ({ result }, { accountId, id, keyId, agent, createdAt: at }) =>
      result && {
        accountId,
        at,
        name: 'session.created',
        targetId: id,
        body: sparseFields({ keyId, agent }),
      },
  }),
  endSession: eventRule<'endSession'>({
    createEvent: ({ result }, accountId, id) =>
      result ? { accountId, name: 'session.ended', targetId: id } : undefined,
  }),
  endSessions: eventRule<'endSessions'>({
    createEvent: ({ result }, accountId) =>
      result > 0 ? { accountId, name: 'session.ended', body: { sessions: result } } : undefined,
  }),
  putBranding: eventRule<'putBranding', Fields>({
    before: async (db, accountId) => brandingFields(await branding(db, accountId)),
    createEvent: ({ before }, accountId, given) =>
      changed({ accountId, at: given.updatedAt }, 'branding.updated', before, brandingFields(given)),
  }),
  deleteBranding: eventRule<'deleteBranding', boolean>({
    before: async (db, accountId) => (await branding(db, accountId)) !== undefined,
    createEvent: ({ before }, accountId) => (before ? { accountId, name: 'branding.deleted' } : undefined),
  }),
  putPreferences: eventRule<'putPreferences', string | undefined>({
    before: async (db, accountId, _value, _at, memberId) =>
      (await preferences(db, accountId, memberId))?.value,
    createEvent: ({ before }, accountId, value, at) =>
      before === value ? undefined : { accountId, at, name: 'preferences.updated' },
  }),
  createAccount: eventRule<'createAccount'>({
    createEvent: ({ result }, name, at) =>
      result && { accountId: result.id, at, name: 'account.created', body: { name } },
  }),
  setAccount: eventRule<'setAccount', Fields>({
    before: async (db, accountId) => ({ ...(await accountSettings(db, accountId)) }),
    createEvent: ({ before, result }, accountId, _, at) =>
      changed({ accountId, at }, 'account.updated', before, { ...result }),
  }),
  suspendAccount: eventRule<'suspendAccount', number | undefined>({
    before: async (db, name) => (await accountLike(db, name))?.id,
    createEvent: ({ before, result }, _, at) =>
      result && before !== undefined
        ? { accountId: before, name: at === null ? 'account.resumed' : 'account.suspended' }
        : undefined,
  }),
};
