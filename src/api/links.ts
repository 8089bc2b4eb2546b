import { apiPrefix } from '../contract/endpoint.ts';
import { defaultPageSize, type Includable, includable, type linkEndpoints } from '../contract/links.ts';
import type { Problem } from '../domain/failures.ts';
import type { Link } from '../domain/link-records.ts';
import * as links from '../domain/links.ts';
import { formatTimestamp } from '../domain/timestamps.ts';
import { type ApiWorld, callerOf, type Handlers } from './handler.ts';

function shortUrl(world: ApiWorld, link: Link): string {
  return `${world.baseUrl()}/${link.code}`;
}
function timeOrNull(at: number | null): string | null {
  return at === null ? null : formatTimestamp(at);
}

function created(world: ApiWorld, link: Link) {
  return {
    id: link.id,
    shortCode: link.code,
    shortUrl: shortUrl(world, link),
    destinationUrl: link.destination,
    createdAt: formatTimestamp(link.createdAt),
  };
}

function everyIncluded(world: ApiWorld, link: Link) {
  return {
    title: link.title,
    description: link.description,
    expiresAt: timeOrNull(link.expiresAt),
    folderId: link.folderId,
    updatedAt: formatTimestamp(link.updatedAt),
    status:
      link.expiresAt !== null && link.expiresAt <= world.now() ? ('expired' as const) : ('active' as const),
  };
}

/** What `?include=` asked for, in the documented order (CONTRACT §1.1). */
function included(world: ApiWorld, link: Link, wanted: readonly Includable[] | undefined) {
  if (wanted === undefined) return {};
  const all = everyIncluded(world, link);
  return Object.fromEntries(
    includable.filter((name) => wanted.includes(name)).map((name) => [name, all[name]]),
  );
}

/** Everything about a link, in the order of `GET /links/:id` with all that can be included. */
function whole(world: ApiWorld, link: Link) {
  const { createdAt, ...rest } = created(world, link);
  const { title, ...more } = everyIncluded(world, link);
  return { ...rest, title, clicks: link.clicks, createdAt, ...more };
}

function cursorProblems({ query }: { query: { cursor?: string | undefined } }): Problem[] {
  if (query.cursor === undefined || links.placeIn(query.cursor) !== undefined) return [];
  const message = 'cursor must be the nextCursor of an earlier answer.';
  return [{ field: 'cursor', reason: 'invalid_format', message, code: 'VALIDATION_ERROR' }];
}

function locationOf(body: { data: { id: string } }): string {
  return `${apiPrefix}/links/${body.data.id}`;
}

export const linkHandlers: Handlers<typeof linkEndpoints> = {
  shorten: {
    rules: ({ world, body }) => links.draftProblems(world, body),
    async run({ world, key, body }) {
      const link = await links.shorten(world, callerOf(key), {
        url: body.url,
        customCode: body.customCode ?? undefined,
        title: body.title ?? undefined,
        description: body.description ?? undefined,
        expiresAt: body.expiresAt ?? undefined,
        folderId: body.folderId ?? undefined,
      });
      return { success: true, data: created(world, link) };
    },
    location: locationOf,
  },

  listLinks: {
    async run({ world, key, query }) {
      const { page = 1, limit = defaultPageSize, folderId, include } = query;
      const found = await links.listLinks(world, key.accountId, { page, limit, folderId });
      const data = found.links.map((link) => {
        const { createdAt, ...rest } = created(world, link);
        return { ...rest, clicks: link.clicks, createdAt, ...included(world, link, include) };
      });
      return { success: true, data, pagination: { page, limit, total: found.total } };
    },
  },

  getLink: {
    async run({ world, key, params, query }) {
      const link = await links.getLink(world, key.accountId, params.id);
      const { createdAt, ...rest } = created(world, link);
      const extra = included(world, link, query.include);
      return {
        success: true,
        data: { ...rest, title: link.title, clicks: link.clicks, createdAt, ...extra },
      };
    },
  },

  getLinkByCode: {
    async run({ world, key, params }) {
      const link = await links.getLinkByCode(world, key.accountId, params.code);
      return { success: true, data: whole(world, link) };
    },
  },

  listDeletedLinks: {
    rules: cursorProblems,
    async run({ world, key, query }) {
      const { limit = defaultPageSize, cursor, code } = query;
      const found = await links.listDeletedLinks(world, key.accountId, { limit, cursor, code });
      const data = found.links.map((link) => ({
        ...whole(world, link),
        status: 'deleted' as const,
        deletedAt: formatTimestamp(link.deletedAt),
      }));
      return { success: true, data, pagination: { limit, nextCursor: found.nextCursor } };
    },
  },

  updateLink: {
    rules: ({ world, body }) => links.draftProblems(world, { expiresAt: body.expiresAt }),
    async run({ world, key, params, body, sent }) {
      const link = await links.updateLink(world, callerOf(key), params.id, { ...body, immutable: sent });
      return {
        success: true,
        data: {
          id: link.id,
          shortCode: link.code,
          title: link.title,
          expiresAt: timeOrNull(link.expiresAt),
          updatedAt: formatTimestamp(link.updatedAt),
        },
      };
    },
  },

  repointLink: {
    rules: ({ world, body }) => links.draftProblems(world, { url: body.url }),
    async run({ world, key, params, body }) {
      const link = await links.repointLink(world, callerOf(key), params.id, body.url);
      const updatedAt = formatTimestamp(link.updatedAt);
      return { success: true, data: { id: link.id, destinationUrl: link.destination, updatedAt } };
    },
  },

  moveLink: {
    async run({ world, key, params, body }) {
      const link = await links.moveLink(world, callerOf(key), params.id, body.folderId);
      return { success: true, data: { id: link.id, folderId: link.folderId } };
    },
  },

  deleteLink: {
    async run({ world, key, params }) {
      await links.deleteLink(world, key.accountId, params.id);
      return undefined;
    },
  },

  restoreLink: {
    async run({ world, key, params }) {
      const link = await links.restoreLink(world, callerOf(key), params.id);
      return { success: true, data: created(world, link) };
    },
  },
};
