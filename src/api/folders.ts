import { apiPrefix } from '../contract/endpoint.ts';
import type { folderEndpoints } from '../contract/folders.ts';
import type { Problem } from '../domain/failures.ts';
import * as folders from '../domain/folders.ts';
import { formatTimestamp } from '../domain/timestamps.ts';
import type { Handlers } from './handler.ts';

const nameProblems = ({ body }: { body: { name?: string } }): Problem[] => {
  const problem = body.name === undefined ? undefined : folders.folderNameProblem(body.name);
  return problem === undefined ? [] : [problem];
};

export const folderHandlers: Handlers<typeof folderEndpoints> = {
  listFolders: {
    async run({ world, key }) {
      const found = await folders.listFolders(world, key.accountId);
      return {
        success: true,
        folders: found.map(({ id, name, linkCount, createdAt }) => ({
          id,
          name,
          linkCount,
          createdAt: formatTimestamp(createdAt),
        })),
      };
    },
  },

  createFolder: {
    rules: nameProblems,
    async run({ world, key, body }) {
      const { id, name, createdAt } = await folders.createFolder(world, key.accountId, body.name);
      return { success: true, folder: { id, name, createdAt: formatTimestamp(createdAt) } };
    },
    location: (body) => `${apiPrefix}/folders/${body.folder.id}`,
  },

  renameFolder: {
    rules: nameProblems,
    async run({ world, key, params, body }) {
      const folder = await folders.renameFolder(world, key.accountId, params.id, body.name);
      return {
        success: true,
        folder: { id: folder.id, name: folder.name, updatedAt: formatTimestamp(folder.updatedAt) },
      };
    },
  },

  deleteFolder: {
    async run({ world, key, params }) {
      await folders.deleteFolder(world, key.accountId, params.id);
      return undefined;
    },
  },
};
