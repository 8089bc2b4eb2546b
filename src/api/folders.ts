import { apiPrefix } from '../contract/endpoint.ts';
import type { folderEndpoints } from '../contract/folders.ts';
import type { Problem } from '../domain/failures.ts';
import type { Folder } from '../domain/folders.ts';
import * as folders from '../domain/folders.ts';
import { formatTimestamp } from '../domain/timestamps.ts';
import type { World } from '../domain/world.ts';
import type { Handlers } from './handler.ts';
import { writeList } from './long-work.ts';

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

type Piece = Awaited<ReturnType<typeof folders.listFolders>>;

async function* piecesOf(world: World, accountId: number, first: Piece) {
  for (let piece = first; ; piece = await folders.listFolders(world, accountId, piece.next)) {
    yield piece.folders.map(listed);
    if (piece.next === undefined) return;
  }
}

export const folderHandlers: Handlers<typeof folderEndpoints> = {
  listFolders: {
    async run({ world, key }) {
      const first = await folders.listFolders(world, key.accountId);
      if (first.next !== undefined) return writeList('folders', piecesOf(world, key.accountId, first));
      return { success: true, folders: first.folders.map(listed) };
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
