import { apiPrefix } from '../contract/endpoint.ts';
import type { folderEndpoints } from '../contract/links/folders.ts';
import type { Problem } from '../domain/failures.ts';
import type { Folder } from '../domain/links/folders.ts';
import * as folders from '../domain/links/folders.ts';
import { formatTimestamp } from '../domain/timestamps.ts';
import type { Handlers } from './request/handler.ts';
import { answerList } from './request/long-work.ts';

function nameProblems({ body }: { body: { name?: string } }): Problem[] {
  const problem = body.name === undefined ? undefined : folders.folderNameProblem(body.name);
  return problem === undefined ? [] : [problem];
}

function listed({ id, name, linkCount, createdAt }: Folder) {
  return {
    id,
    name,
    linkCount,
    createdAt: formatTimestamp(createdAt),
  };
}

export const folderHandlers: Handlers<typeof folderEndpoints> = {
  listFolders: {
    run: ({ context, key }) => answerList('folders', folders.listFolders(context, key.accountId), listed),
  },

  createFolder: {
    rules: nameProblems,
    async run({ context, key, body }) {
      const { id, name, createdAt } = await folders.createFolder(context, key.accountId, body.name);
      return { success: true, folder: { id, name, createdAt: formatTimestamp(createdAt) } };
    },
    location: (body) => `${apiPrefix}/folders/${body.folder.id}`,
  },

  renameFolder: {
    rules: nameProblems,
    async run({ context, key, params, body }) {
      const folder = await folders.renameFolder(context, key.accountId, params.id, body.name);
      return {
        success: true,
        folder: { id: folder.id, name: folder.name, updatedAt: formatTimestamp(folder.updatedAt) },
      };
    },
  },

  deleteFolder: {
    async run({ context, key, params }) {
      await folders.deleteFolder(context, key.accountId, params.id);
      return undefined;
    },
  },
};
