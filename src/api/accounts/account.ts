import type { accountEndpoints } from '../../contract/accounts/account.ts';
import type { AccountSettings } from '../../model/accounts/accounts.ts';
import { allowsSharedDomain, apiRestrictions } from '../../model/accounts/key-restrictions.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import { choosesExpiry, freeLinkLifetimeMs } from '../../model/accounts/plans.ts';
import { originAt } from '../../model/links/codes/codes.ts';
import { formatOptionalTime, formatTimestamp } from '../../model/timestamps.ts';
import type { ApiContext, Handlers } from '../request/handler.ts';

const msPerDay = 86_400_000;

/** Returns the member that a personal key acts for; null if the key belongs to a program. */
export function actingMemberOf({ member }: ApiKey) {
  return member?.isSelf ? { id: member.id, name: member.name, role: member.role } : null;
}

/** Returns a key's account, member, permissions and limits, and the account's usage. */
export async function identityOf(context: ApiContext, key: ApiKey) {
  const usage = await context.storage.usage(key.accountId);
  return {
    account: key.account,
    key: {
      id: key.id,
      name: key.name,
      expiresAt: formatOptionalTime(key.expiresAt),
    },
    person: actingMemberOf(key),
    isOperator: key.member?.isOperator === true,
    scopes: [...key.scopes],
    plan: key.plan,
    ...apiRestrictions(context.sharedHost(), key.restrictions),
    limits: {
      links: context.linkQuotas[key.plan] ?? null,
      folders: context.folderLimit,
      requestsPerMinute: context.requestsPerMinute(key) ?? null,
      linkLifetimeDays: choosesExpiry(key.plan) ? null : freeLinkLifetimeMs / msPerDay,
    },
    usage: { links: usage.links, folders: usage.folders },
  };
}

function accountOf({ account }: ApiKey, settings: AccountSettings) {
  const { watchDestinations, excludedNetworks, appSchemes } = settings;
  return {
    name: account,
    watchDestinations,
    excludedNetworks: [...excludedNetworks],
    appSchemes: [...appSchemes],
  };
}

/** Lifetime in seconds of the URLs that exclude a browser from statistics or include it again. */
const markUrlSeconds = 10 * 60;

export const accountHandlers: Handlers<typeof accountEndpoints> = {
  me: {
    async run({ context, key }) {
      return { success: true, data: await identityOf(context, key) };
    },
  },

  getAccount: {
    async run({ context, key }) {
      const settings = await context.storage.accountSettings(key.accountId);
      return { success: true, data: accountOf(key, settings) };
    },
  },

  updateAccount: {
    async run({ context, key, body }) {
      const settings = await context.writes.setAccount(key.accountId, body, context.now());
      return { success: true, data: accountOf(key, settings) };
    },
  },

  listBrowserExclusions: {
    async run({ context, key: { accountId: account, restrictions } }) {
      const own = await context.storage.domains(account);
      const active = own.filter(({ status }) => status !== 'pending').map(({ host }) => host);
      const hosts = [...(allowsSharedDomain(restrictions) ? [''] : []), ...active];
      const until = Math.floor(context.now() / 1_000) + markUrlSeconds;
      const data = hosts.map((host) => {
        const domain = host === '' ? context.sharedHost() : host;
        const base = host === '' ? context.baseUrl() : originAt(context.baseUrl(), host);
        const urlOf = (excludes: boolean) =>
          base + context.excludedBrowsers.path({ account, host, excludes }, until);
        const expiresAt = formatTimestamp(until * 1_000);
        return { domain, excludeUrl: urlOf(true), countUrl: urlOf(false), expiresAt };
      });
      return { success: true, data };
    },
  },
};
