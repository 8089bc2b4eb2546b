import type { accountEndpoints } from '../contract/account.ts';
import { choosesExpiry, freeLinkLifetimeMs } from '../domain/plans.ts';
import { formatTimestamp } from '../domain/timestamps.ts';
import type { Handlers } from './handler.ts';

const msPerDay = 86_400_000;

export const accountHandlers: Handlers<typeof accountEndpoints> = {
  me: {
    async run({ context, key }) {
      const usage = await context.storage.usage(key.accountId);
      return {
        success: true,
        data: {
          account: key.account,
          key: {
            id: key.id,
            name: key.name,
            expiresAt: key.expiresAt === null ? null : formatTimestamp(key.expiresAt),
          },
          scopes: [...key.scopes],
          plan: key.plan,
          limits: {
            links: context.linkQuotas[key.plan] ?? null,
            folders: context.folderLimit,
            requestsPerMinute: context.requestsPerMinute(key) ?? null,
            linkLifetimeDays: choosesExpiry(key.plan) ? null : freeLinkLifetimeMs / msPerDay,
          },
          usage: { links: usage.links, folders: usage.folders },
        },
      };
    },
  },
};
