import { apiPrefix, type QueryOf } from '../../contract/endpoint.ts';
import type { shareEndpoints } from '../../contract/statistics/shares.ts';
import * as shares from '../../model/clicks/shares.ts';
import type { Problem } from '../../model/failures.ts';
import { shortUrlOf } from '../../model/links/codes/codes.ts';
import { expiryProblem, formatTimestamp, parseTimestamp } from '../../model/timestamps.ts';
import type { ApiContext, Handlers } from '../request/handler.ts';
import { pageProblems, statisticsOf } from './statistics.ts';

function shown({ id, createdAt, expiresAt }: shares.Share) {
  return {
    id,
    createdAt: formatTimestamp(createdAt),
    expiresAt: expiresAt === null ? null : formatTimestamp(expiresAt),
  };
}

function expiryProblems({
  context,
  body,
}: {
  context: ApiContext;
  body: { expiresAt?: string | null | undefined };
}): Problem[] {
  const { expiresAt } = body;
  const problem = typeof expiresAt === 'string' ? expiryProblem(expiresAt, context.now()) : undefined;
  return problem === undefined ? [] : [problem];
}

type SharedQuery = QueryOf<typeof shareEndpoints.sharedStatistics>;

/** Readers of a share learn nothing about other records of the account. */
function sharedProblems({
  context,
  params,
  query,
}: {
  context: ApiContext;
  params: { token: string };
  query: SharedQuery;
}): Problem[] {
  const foreign = (query.filter ?? []).filter((text) => /^(?:link|folder):/.test(text));
  const problems = foreign.map((): Problem => {
    const message = 'filter may not be of link or folder in shared statistics.';
    return { field: 'filter', reason: 'not_allowed', message, code: 'VALIDATION_ERROR' };
  });
  return [...problems, ...pageProblems(context, [params.token], query)];
}

async function brandingOf({ storage }: ApiContext, accountId: number) {
  const { name = null, accent = null, logo = null } = (await storage.branding(accountId)) ?? {};
  return { name, accent, logo };
}

export const shareHandlers: Handlers<typeof shareEndpoints> = {
  shareLink: {
    rules: expiryProblems,
    async run({ context, key, params, body }) {
      const expiresAt = typeof body.expiresAt === 'string' ? (parseTimestamp(body.expiresAt) ?? null) : null;
      const { share, secret } = await shares.shareLink(context, key.accountId, params.id, expiresAt);
      const url = `${context.baseUrl()}${apiPrefix}/shared/${secret}/stats`;
      return { success: true, data: { ...shown(share), token: secret, url } };
    },
    location: (body) => `${apiPrefix}/shares/${body.data.id}`,
  },

  listShares: {
    async run({ context, key, params }) {
      const found = await shares.listShares(context, key.accountId, params.id);
      return { success: true, data: found.map(shown) };
    },
  },

  revokeShare: {
    async run({ context, key, params }) {
      await shares.revokeShare(context, key.accountId, params.id);
      return undefined;
    },
  },

  sharedStatistics: {
    rules: sharedProblems,
    async run({ context, params, query }) {
      const shared = await shares.findShared(context, params.token);
      const { accountId, linkId, code, host, title, destination } = shared;
      const link = {
        shortCode: code,
        shortUrl: shortUrlOf(context.baseUrl(), code, host),
        title,
        destinationHost: new URL(destination).host,
      };
      const answer = await statisticsOf(context, accountId, { kind: 'link', id: linkId }, query, [
        params.token,
      ]);
      const branding = query.include?.includes('branding')
        ? { branding: await brandingOf(context, accountId) }
        : {};
      return { success: true, data: { link, ...branding, ...answer } };
    },
  },
};
