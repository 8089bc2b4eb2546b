import { apiPrefix } from '../contract/endpoint.ts';
import type { folderEndpoints } from '../contract/links/folders.ts';
import { type Problem, problem, refused } from '../model/failures.ts';
import type { Folder } from '../model/links/folders.ts';
import * as folders from '../model/links/folders.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import { daysOfGroups, zoneProblems } from './clicks-by-day.ts';
import type { ApiContext, Handlers } from './request/handler.ts';
import { answerList } from './request/long-work.ts';
import { locationOf, urlProblem } from './rules/link-problems.ts';

interface Fields {
  readonly name?: string | undefined;
  readonly expiredUrl?: string | null | undefined;
}

function problemsOf({
  context,
  body: { name, expiredUrl },
}: {
  context: ApiContext;
  body: Fields;
}): Problem[] {
  return [
    name === undefined ? undefined : folders.folderNameProblem(name),
    expiredUrl == null ? undefined : urlProblem(context, 'expiredUrl', expiredUrl),
  ].filter((problem) => problem !== undefined);
}

/** Converts fields to their stored form. Absent fields stay absent. */
function stored(context: ApiContext, { name, expiredUrl }: Fields) {
  return { name, ...(expiredUrl !== undefined && { expiredUrl: locationOf(context, expiredUrl) }) };
}

function listed(
  { id, name, linkCount, createdAt, expiredUrl }: Folder,
  include: readonly string[] | undefined,
) {
  return {
    id,
    name,
    linkCount,
    createdAt: formatTimestamp(createdAt),
    ...(include?.includes('expiredUrl') && { expiredUrl }),
  };
}

export const folderHandlers: Handlers<typeof folderEndpoints> = {
  listFolders: {
    rules: ({ query }) => zoneProblems(query),
    async run({ context, key, query }) {
      const daysOf = await daysOfGroups(context, key.accountId, 'folder', query);
      return answerList(key.accountId, 'folders', folders.listFolders(context, key.accountId), (folder) => ({
        ...listed(folder, query.include),
        ...daysOf(folder.id),
      }));
    },
  },

  createFolder: {
    rules: problemsOf,
    async run({ context, key, body }) {
      const given = { ...stored(context, body), name: body.name };
      const { id, name, createdAt } = await folders.createFolder(context, key.accountId, given);
      return { success: true, folder: { id, name, createdAt: formatTimestamp(createdAt) } };
    },
    location: (body) => `${apiPrefix}/folders/${body.folder.id}`,
  },

  renameFolder: {
    rules: problemsOf,
    async run({ context, key, params, body }) {
      if (body.name === undefined && body.expiredUrl === undefined)
        throw refused([problem('name', 'missing', 'name or expiredUrl is required.')]);
      const folder = await folders.updateFolder(context, key.accountId, params.id, stored(context, body));
      return {
        success: true,
        folder: { id: folder.id, name: folder.name, updatedAt: formatTimestamp(folder.updatedAt) },
      };
    },
  },

  deleteFolder: {
    async run({ context, key, params }) {
      await folders.deleteFolder(context, key.accountId, params.id);
    },
  },

  restoreFolder: {
    async run({ context, key, params }) {
      const folder = await folders.restoreFolder(context, key.accountId, params.id);
      return { success: true, folder: listed(folder, undefined) };
    },
  },
};
