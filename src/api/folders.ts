import { apiPrefix } from '../contract/endpoint.ts';
import type { folderEndpoints } from '../contract/folders.ts';
import type { Context } from '../domain/context.ts';
import type { Problem } from '../domain/failures.ts';
import type { Folder } from '../domain/folders.ts';
import * as folders from '../domain/folders.ts';
import { formatTimestamp } from '../domain/timestamps.ts';
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

async function* piecesOf(context: Context, accountId: number, first: Piece) {
  for (let piece = first; ; piece = await folders.listFolders(context, accountId, piece.next)) {
    yield piece.folders.map(listed);
    if (piece.next === undefined) return;
  }
}

export const folderHandlers: Handlers<typeof folderEndpoints> = {
  listFolders: {
    async run({ context, key }) {
      const first = await folders.listFolders(context, key.accountId);
      if (first.next !== undefined) return writeList('folders', piecesOf(context, key.accountId, first));
      return { success: true, folders: first.folders.map(listed) };
    },
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
