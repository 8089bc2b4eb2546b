import type { keyEndpoints } from '../../contract/accounts/keys.ts';
import {
  createKeyFor,
  newKeyProblems,
  replaceKey,
  revokeKey,
} from '../../model/accounts/api-created-keys.ts';
import { apiRestrictions } from '../../model/accounts/key-restrictions.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import { domainRestrictions } from '../../model/domains/key-restrictions.ts';
import { formatOptionalTime, formatTimestamp } from '../../model/timestamps.ts';
import type { ApiContext, Handlers } from '../request/handler.ts';

const dayMs = 86_400_000;

function shown({ now: clock, sharedHost }: ApiContext, key: ApiKey, ownKey: ApiKey) {
  const now = clock();
  const isExpired = key.expiresAt !== null && key.expiresAt <= now;
  const ended: 'expired' | 'live' = isExpired ? 'expired' : 'live';
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes],
    plan: key.plan,
    ...apiRestrictions(sharedHost(), key.restrictions),
    state: key.revokedAt === null ? ended : ('revoked' as const),
    createdAt: formatTimestamp(key.createdAt),
    expiresAt: formatOptionalTime(key.expiresAt),
    revokedAt: formatOptionalTime(key.revokedAt),
    lastUsedAt: formatOptionalTime(key.lastUsedAt),
    isCurrent: key.id === ownKey.id,
    madeBy: key.member === undefined ? null : { id: key.member.id, name: key.member.name },
  };
}

export const keyHandlers: Handlers<typeof keyEndpoints> = {
  listKeys: {
    async run({ context, key }) {
      const keys = await context.storage.keysOf(key.accountId);
      return { success: true, keys: keys.map((one) => shown(context, one, key)) };
    },
  },

  createKey: {
    rules: ({ context, key, body }) => newKeyProblems(key, body, context.now()),
    async run({ context, key, actor, body }) {
      const made = await createKeyFor(context, actor, body, domainRestrictions(context.sharedHost(), body));
      return { success: true, data: { ...shown(context, made.key, key), key: made.token } };
    },
    location: () => '/api/v1/keys',
  },

  rotateKey: {
    async run({ context, key, actor, params, body }) {
      const graceMs = body.graceSeconds === undefined ? dayMs : body.graceSeconds * 1_000;
      const made = await replaceKey(context, actor, params.keyId, graceMs);
      const data = { ...shown(context, made.key, key), key: made.token };
      const oldExpiresAt = formatTimestamp(made.key.oldExpiresAt);
      return { success: true, data: { ...data, replaces: params.keyId, oldExpiresAt } };
    },
    location: () => '/api/v1/keys',
  },

  revokeKey: {
    async run({ context, actor, params }) {
      await revokeKey(context, actor, params.keyId);
    },
  },
};
