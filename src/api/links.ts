import { apiPrefix, type QueryOf } from '../contract/endpoint.ts';
import { type Included, includable } from '../contract/links/link-answers.ts';
import { defaultPageSize, type linkEndpoints } from '../contract/links/links.ts';
import { invalidCursor, type Problem, problem } from '../model/failures.ts';
import { recordId } from '../model/ids.ts';
import { shortUrlOf } from '../model/links/codes/codes.ts';
import { findLinks, searchProblems } from '../model/links/find-links.ts';
import { apiValueOf, fieldsWith } from '../model/links/link-field-values.ts';
import type { BriefLink, Link } from '../model/links/link-records.ts';
import * as links from '../model/links/links.ts';
import { decodeCursor, listDeletedLinks, listLinks } from '../model/links/lists.ts';
import { formatOptionalTime, formatTimestamp, msPerHour } from '../model/timestamps.ts';
import { stateOf } from '../rules/outcome.ts';
import { withDays, zoneProblems } from './clicks-by-day.ts';
import { withStates } from './link-states.ts';
import { type ApiContext, type Call, callerOf, Existing, type Handlers } from './request/handler.ts';
import { completeEdit, editProblems, linkProblems } from './rules/link-problems.ts';

/** Returns a link with the fields that the create response contains. */
export function created(context: Pick<ApiContext, 'baseUrl'>, link: BriefLink) {
  return {
    id: link.id,
    shortCode: link.code,
    shortUrl: shortUrlOf(context.baseUrl(), link.code, link.host),
    destinationUrl: link.destination,
    createdAt: formatTimestamp(link.createdAt),
  };
}

function everyIncluded(context: Pick<ApiContext, 'now' | 'sharedHost'>, link: Link): Included {
  const fields = Object.fromEntries(
    fieldsWith('includable').map((name) => [name, apiValueOf(name, link[name])]),
  );
  const status = stateOf(link, context.now());
  const lastClickAt = formatOptionalTime(lastClickOf(link));
  const hasPassword = link.password !== null;
  const domain = link.host ?? context.sharedHost();
  const more = { tags: link.tags, status, lastClickAt, clicksLeft: clicksLeftOf(link), hasPassword, domain };
  return { ...fields, ...more } as Included;
}

/**
 * Returns the start of the hour in which the last click occurred. If the link was created later in that hour, returns
 * the creation time instead. If clicks were imported, the result may be earlier than the link's creation.
 */
function lastClickOf({ lastClickAt, createdAt }: Link): number | null {
  const isCreatedThen =
    lastClickAt !== null && lastClickAt < createdAt && createdAt - lastClickAt < msPerHour;
  return isCreatedThen ? createdAt : lastClickAt;
}

function clicksLeftOf({ maxClicks, usedClicks }: Link): number | null {
  return maxClicks === null ? null : Math.max(0, maxClicks - usedClicks);
}

/** Returns the fields requested by `?include=`, in the documented order (CONTRACT §1.1). */
function included(context: ApiContext, link: Link, wanted: readonly string[] | undefined) {
  if (wanted === undefined) return {};
  const all = everyIncluded(context, link);
  return Object.fromEntries(
    includable.filter((name) => wanted.includes(name)).map((name) => [name, all[name]]),
  );
}

function listed(context: ApiContext, link: Link, include: readonly string[] | undefined) {
  const { createdAt, ...rest } = created(context, link);
  return { ...rest, clicks: link.clicks, createdAt, ...included(context, link, include) };
}

/** Returns a link with all fields that `include` can add, in the order of `GET /links/:id`. */
export function fullLink(context: Pick<ApiContext, 'baseUrl' | 'now' | 'sharedHost'>, link: Link) {
  const { createdAt, ...rest } = created(context, link);
  const { title, ...more } = everyIncluded(context, link);
  return { ...rest, title, clicks: link.clicks, createdAt, ...more };
}

type ListQuery = QueryOf<typeof linkEndpoints.listLinks>;
type ListCall = Pick<Call<typeof linkEndpoints.listLinks>, 'context' | 'key' | 'query'>;

const ofSearch = [
  ...(['search', 'sort', 'order', 'createdAfter', 'createdBefore'] as const),
  ...(['destinationHost', 'destination', 'tag', 'tagMatch', 'archived', 'managedBy'] as const),
] as const;
const ofLive = ['page', 'folderId', ...ofSearch] as const;
const ofDeleted = ['code'] as const;

function listProblems({ context, key, query }: ListCall): Problem[] {
  const isDeleted = query.status === 'deleted';
  const wrong = (isDeleted ? ofLive : ofDeleted).filter((field) => query[field] !== undefined);
  const problems = wrong.map((field) =>
    problem(
      field,
      'not_allowed',
      `${field} ${isDeleted ? 'cannot be combined with' : 'requires'} status=deleted.`,
    ),
  );
  if (isDeleted && query.domain !== undefined && query.code === undefined)
    problems.push(problem('domain', 'not_allowed', 'domain requires code with status=deleted.'));
  if (!isDeleted) return [...problems, ...searchProblems(context, key.accountId, searchIn(query))];
  if (query.cursor === undefined || decodeCursor(query.cursor) !== undefined) return problems;
  return [...problems, invalidCursor];
}

function searchIn(query: ListQuery) {
  const { limit = defaultPageSize, status, ...rest } = query;
  return { ...rest, limit, status: status === 'deleted' ? undefined : status };
}

/** Returns true if the query needs a search, because it has more than the basic list parameters. */
function isSearch(query: ListQuery): boolean {
  const { search, cursor, status } = query;
  const others = ofSearch.filter((field) => field !== 'search' && query[field] !== undefined);
  return (
    (search ?? '').trim() !== '' ||
    query.domain !== undefined ||
    cursor !== undefined ||
    status !== undefined ||
    others.length > 0
  );
}

/** Returns links in the format of list responses, with the details that `include` requests. */
async function withDetails(
  context: ApiContext,
  accountId: number,
  found: readonly Link[],
  query: Pick<ListQuery, 'include' | 'timezone'>,
) {
  const shown = found.map((link) => listed(context, link, query.include));
  const withClicks = await withDays(context, accountId, shown, query);
  return withStates(context, accountId, withClicks, query.include);
}

async function listFound(context: ApiContext, accountId: number, query: ListQuery) {
  const { page = 1, limit = defaultPageSize, cursor } = query;
  const found = await findLinks(context, accountId, searchIn(query));
  const data = await withDetails(context, accountId, found.links, query);
  const { total, nextCursor } = found;
  const success = true as const;
  if (cursor !== undefined) return { success, data, pagination: { limit, total, nextCursor } };
  // Responses to requests with `page` always include the total.
  return { success, data, pagination: { page, limit, total: total ?? 0 } };
}

async function listDeleted({ context, key, query }: ListCall) {
  const { limit = defaultPageSize, cursor, code, domain, externalId } = query;
  const found = await listDeletedLinks(context, callerOf(key), {
    limit,
    cursor,
    code,
    domain,
    externalId,
  });
  const data = found.links.map((link) => ({
    ...fullLink(context, link),
    status: 'deleted' as const,
    deletedAt: formatTimestamp(link.deletedAt),
  }));
  return { success: true as const, data, pagination: { limit, nextCursor: found.nextCursor } };
}

function updated({ id, code, title, expiresAt, updatedAt }: Link) {
  const times = { expiresAt: formatOptionalTime(expiresAt), updatedAt: formatTimestamp(updatedAt) };
  return { success: true as const, data: { id, shortCode: code, title, ...times } };
}

function locationOf(body: { data: { id: string } }): string {
  return `${apiPrefix}/links/${body.data.id}`;
}

export const linkHandlers: Handlers<typeof linkEndpoints> = {
  shorten: {
    rules: ({ context, key, body }) => linkProblems(context, body, key.domain),
    async run({ context, key, body, tag }) {
      const { link, isNew } = await links.shorten(context, callerOf(key), body);
      tag(link.revision);
      const answer = { success: true as const, data: created(context, link) };
      return isNew ? answer : new Existing(answer);
    },
    location: locationOf,
  },

  upsertLink: {
    rules: ({ context, key, body }) => linkProblems(context, body, key.domain),
    async run({ context, key, params, body, tag }) {
      const { link, isNew } = await links.upsertLink(context, callerOf(key), params.externalId, body);
      tag(link.revision);
      const answer = { success: true as const, data: created(context, link) };
      return isNew ? answer : new Existing(answer);
    },
    location: locationOf,
  },

  getLinkByExternalId: {
    async run({ context, key, params, tag }) {
      const link = await links.getLinkByExternalId(context, key.accountId, params.externalId);
      tag(link.revision);
      return { success: true, data: fullLink(context, link) };
    },
  },

  updateLinkByExternalId: {
    rules: ({ context, body }) => editProblems(context, body),
    async run({ context, key, params, body, sent, ifMatch, tag }) {
      const find = () => links.getLinkByExternalId(context, key.accountId, params.externalId);
      const edit = { body: await completeEdit(context, find, body), sent, ifMatch };
      const link = await links.updateLinkByExternalId(context, callerOf(key), params.externalId, edit);
      tag(link.revision);
      return updated(link);
    },
  },

  deleteLinkByExternalId: {
    async run({ context, key, params, ifMatch }) {
      const { accountId } = key;
      if (!(await context.writes.deleteByExternalId(accountId, params.externalId, context.now(), ifMatch)))
        throw links.linkNotFound();
    },
  },

  listLinks: {
    rules: (call) => [...listProblems(call), ...zoneProblems(call.query)],
    async run({ context, key, query }) {
      if (query.status === 'deleted') return listDeleted({ context, key, query });
      if (isSearch(query)) return listFound(context, key.accountId, query);
      const { page = 1, limit = defaultPageSize, folderId, externalId } = query;
      const found = await listLinks(context, key.accountId, { page, limit, folderId, externalId });
      const data = await withDetails(context, key.accountId, found.links, query);
      return { success: true, data, pagination: { page, limit, total: found.total } };
    },
  },

  getLink: {
    rules: ({ query }) => zoneProblems(query),
    async run({ context, key, params, query, tag }) {
      const link = await links.getLink(context, key.accountId, params.id);
      tag(link.revision);
      const { createdAt, ...rest } = created(context, link);
      const extra = included(context, link, query.include);
      const read = { ...rest, title: link.title, clicks: link.clicks, createdAt, ...extra };
      const withClicks = await withDays(context, key.accountId, [read], query);
      const [data = read] = await withStates(context, key.accountId, withClicks, query.include);
      return { success: true, data };
    },
  },

  getLinkByCode: {
    async run({ context, key, params, query, tag }) {
      const link = await links.getLinkByCode(context, callerOf(key), params.code, query.domain);
      tag(link.revision);
      return { success: true, data: fullLink(context, link) };
    },
  },

  updateLink: {
    rules: ({ context, body }) => editProblems(context, body),
    async run({ context, key, params, body, sent, ifMatch, tag }) {
      const find = () => links.getLink(context, key.accountId, params.id);
      const edit = { body: await completeEdit(context, find, body), sent, ifMatch };
      const link = await links.updateLink(context, callerOf(key), params.id, edit);
      tag(link.revision);
      return updated(link);
    },
  },

  repointLink: {
    rules: ({ context, body }) => editProblems(context, body),
    async run({ context, key, params, body, ifMatch, tag }) {
      const find = () => links.getLink(context, key.accountId, params.id);
      const edit = await completeEdit(context, find, { url: body.url });
      const link = await links.repointLink(context, callerOf(key), params.id, edit, ifMatch);
      tag(link.revision);
      const updatedAt = formatTimestamp(link.updatedAt);
      return { success: true, data: { id: link.id, destinationUrl: link.destination, updatedAt } };
    },
  },

  moveLink: {
    async run({ context, key, params, body, ifMatch, tag }) {
      const link = await context.writes.moveLink(
        key.accountId,
        params.id,
        body.folderId && recordId(body.folderId),
        context.now(),
        ifMatch,
      );
      tag(link.revision);
      return { success: true, data: { id: link.id, folderId: link.folderId } };
    },
  },

  deleteLink: {
    async run({ context, key, params, ifMatch }) {
      if (!(await context.writes.deleteLink(key.accountId, params.id, context.now(), ifMatch)))
        throw links.linkNotFound();
    },
  },

  restoreLink: {
    async run({ context, key, params, ifMatch, tag }) {
      const quota = context.linkQuotas[key.plan];
      const link = await context.writes.restoreLink(key.accountId, params.id, context.now(), quota, ifMatch);
      tag(link.revision);
      return { success: true, data: created(context, link) };
    },
  },
};
