import type { ApiKey } from '../../../model/accounts/keys.ts';
import type { Fields } from '../../../model/history/events.ts';
import { accountLike, accountSettings } from '../accounts/accounts.ts';
import { branding } from '../accounts/branding.ts';
import { findKey } from '../accounts/keys.ts';
import { preferences } from '../accounts/preferences.ts';
import { sparseFields } from '../events/append.ts';
import { changed, type EventRules } from './changes.ts';

/** Replaces the logo with its length, because images would take up too much space in the event log. */
function brandingFields(value: object | undefined): Fields {
  const { updatedAt: _, logo, ...rest } = { logo: null, updatedAt: 0, ...value };
  return { ...rest, logo: logo === null ? null : `${String(logo).length} characters` };
}

function keyCreated({ accountId, id: targetId, createdAt: at, name, plan, scopes, expiresAt }: ApiKey) {
  const body = sparseFields({
    name,
    plan,
    scopes,
    expiresAt: expiresAt && new Date(expiresAt).toISOString(),
  });
  return { accountId, at, name: 'key.created', targetId, body } as const;
}

/** Event rules for writes to accounts, keys and sessions. */
export const accountRules: EventRules = {
  createKey: () => keyCreated,
  createFirstKey: () => (result) => result && keyCreated(result),
  rotateKey:
    (_db, targetId, { createdAt: at }) =>
    ({ accountId, name, id: successor, oldExpiresAt }) => {
      const body = { name, successor, expiresAt: new Date(oldExpiresAt).toISOString() };
      return { accountId, at, name: 'key.rotated', targetId, body };
    },
  revokeKey: async (db, targetId, at) => {
    const key = await findKey(db, targetId);
    return (isRevoked) =>
      isRevoked &&
      key && { accountId: key.accountId, at, name: 'key.revoked', targetId, body: { name: key.name } };
  },
  createSession:
    (_db, { accountId, id: targetId, keyId, agent, createdAt: at }) =>
    (result) =>
      result && { accountId, at, name: 'session.created', targetId, body: sparseFields({ keyId, agent }) },
  endSession: (_db, accountId, targetId) => (isEnded) =>
    isEnded && { accountId, name: 'session.ended', targetId },
  endSessions: (_db, accountId) => (sessions) =>
    sessions > 0 && { accountId, name: 'session.ended', body: { sessions } },
  putBranding: async (db, accountId, given) => {
    const before = brandingFields(await branding(db, accountId));
    return () =>
      changed({ accountId, at: given.updatedAt }, 'branding.updated', before, brandingFields(given));
  },
  deleteBranding: async (db, accountId) => {
    const before = await branding(db, accountId);
    return () => before && { accountId, name: 'branding.deleted' };
  },
  putPreferences: async (db, accountId, value, at, memberId) => {
    const before = await preferences(db, accountId, memberId);
    return () => before?.value !== value && { accountId, at, name: 'preferences.updated' };
  },
  createAccount: (_db, name, at) => (result) =>
    result && { accountId: result.id, at, name: 'account.created', body: { name } },
  setAccount: async (db, accountId, _, at) => {
    const before = await accountSettings(db, accountId);
    return (after) => changed({ accountId, at }, 'account.updated', { ...before }, { ...after });
  },
  suspendAccount: async (db, name, at) => {
    const account = await accountLike(db, name);
    return (isChanged) =>
      isChanged &&
      account && { accountId: account.id, name: at === null ? 'account.resumed' : 'account.suspended' };
  },
};
