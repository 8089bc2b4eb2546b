import { apiPrefix, type QueryOf } from '../../contract/endpoint.ts';
import type { shareEndpoints } from '../../contract/statistics/shares.ts';
import * as shares from '../../model/clicks/shares.ts';
import { Failure, type Problem, problem } from '../../model/failures.ts';
import { shortUrlOf } from '../../model/links/codes/codes.ts';
import { apiRecord } from '../../model/record-fields.ts';
import { expiryProblem, parseTimestamp } from '../../model/timestamps.ts';
import { countingAttempts } from '../request/attempts.ts';
import type { ApiContext, Handlers } from '../request/handler.ts';
import { pageProblems, statisticsOf } from './statistics.ts';

function shown(share: shares.Share) {
  return apiRecord(shares.shareFields, share);
}

function shownReport({ subjects, hasPassword, ...share }: shares.Report) {
  return { ...shown(share), subjects: [...subjects], hasPassword };
}

function withSecret<Shown>(context: ApiContext, data: Shown, secret: string) {
  return { ...data, token: secret, url: `${context.baseUrl()}${apiPrefix}/shared/${secret}/stats` };
}

function expiryOf({ expiresAt }: { expiresAt?: string | null | undefined }): number | null {
  return typeof expiresAt === 'string' ? (parseTimestamp(expiresAt) ?? null) : null;
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

/**
 * Returns the validation errors in a query for a shared report. Its readers must not see the account's other records.
 */
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
  const message = 'filter must not use the dimensions link and folder in shared statistics.';
  const problems = foreign.map(() => problem('filter', 'not_allowed', message));
  return [...problems, ...pageProblems(context, [params.token, query.subject ?? 0], query)];
}

async function brandingOf({ storage }: ApiContext, accountId: number) {
  const { name = null, accent = null, logo = null } = (await storage.branding(accountId)) ?? {};
  return { name, accent, logo };
}

export const shareHandlers: Handlers<typeof shareEndpoints> = {
  shareLink: {
    rules: expiryProblems,
    async run({ context, key, params, body }) {
      const { share, secret } = await shares.shareLink(context, key.accountId, params.id, expiryOf(body));
      return { success: true, data: withSecret(context, shown(share), secret) };
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
    },
  },

  createShare: {
    rules: expiryProblems,
    async run({ context, key, body }) {
      const { subjects, password } = body;
      const expiresAt = expiryOf(body);
      const { share, secret } = await shares.createShare(context, key.accountId, {
        subjects,
        password,
        expiresAt,
      });
      return { success: true, data: { ...withSecret(context, shown(share), secret), ...shownReport(share) } };
    },
    location: (body) => `${apiPrefix}/shares/${body.data.id}`,
  },

  listAllShares: {
    async run({ context, key }) {
      const found = await context.storage.accountShares(key.accountId);
      return { success: true, data: found.map(shownReport) };
    },
  },

  openShare: {
    async run({ context, params, body: { password } }) {
      const token =
        typeof password === 'string'
          ? await shares.openShare(context, params.token, password, (id, work) =>
              countingAttempts(context, `share ${id}`, 'WRONG_PASSWORD', work),
            )
          : params.token;
      const { accountId, subjects } = await shares.findShared(context, token);
      const named = subjects.map(async (subject) => {
        const name = await shares.nameOf(context, accountId, subject);
        return { kind: subject.kind, name: name ?? null };
      });
      const branding = await brandingOf(context, accountId);
      return { success: true, data: { token, subjects: await Promise.all(named), branding } };
    },
  },

  sharedStatistics: {
    rules: sharedProblems,
    async run({ context, params, query: { subject: at = 0, ...query } }) {
      const { accountId, subjects, link } = await shares.findShared(context, params.token);
      const subject = subjects[at];
      if (subject === undefined) throw new Failure('SHARE_NOT_FOUND');
      const name = link?.code ?? (await shares.nameOf(context, accountId, subject));
      if (name === undefined) throw new Failure('SHARE_NOT_FOUND');
      const { kind, id } = subject;
      const whose = kind === 'campaign' ? ({ kind: 'account' } as const) : { kind, id };
      const only =
        kind === 'campaign' ? [{ dimension: 'utmCampaign', operator: 'is', values: [id] } as const] : [];
      const answer = await statisticsOf(context, accountId, whose, query, [params.token, at], only);
      const branding = query.include?.includes('branding')
        ? { branding: await brandingOf(context, accountId) }
        : {};
      const head = link && {
        link: {
          shortCode: link.code,
          shortUrl: shortUrlOf(context.baseUrl(), link.code, link.host),
          title: link.title,
          destinationHost: new URL(link.destination).host,
        },
      };
      return { success: true, data: { ...head, ...branding, ...answer } };
    },
  },
};
