import type { accountEndpoints } from '../contract/account.ts';
import { choosesExpiry, freeLinkLifetimeMs } from '../domain/plans.ts';
import { formatTimestamp } from '../domain/timestamps.ts';
import type { Handlers } from './handler.ts';

const msPerDay = 86_400_000;

export const accountHandlers: Handlers<typeof accountEndpoints> = {
  me: {
    async run({ world, key }) {
      const usage = await world.storage.usage(key.accountId);
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
            links: world.linkQuotas[key.plan] ?? null,
            folders: world.folderLimit,
            requestsPerMinute: world.requestsPerMinute(key) ?? null,
            linkLifetimeDays: choosesExpiry(key.plan) ? null : freeLinkLifetimeMs / msPerDay,
          },
          usage: { links: usage.links, folders: usage.folders },
        },
      };
    },
  },
};
