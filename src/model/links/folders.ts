import type { Context } from '../context.ts';
import { Failure, type Problem, problem } from '../failures.ts';
import { type Chunk, readInChunks } from './chunks.ts';

export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly linkCount: number;
  /**
   * URL to which an expired link in the folder redirects if it has no `expiredUrl` of its own, encoded for the
   * `Location` header.
   */
  readonly expiredUrl: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The fields to change. Omitted fields stay unchanged. */
export interface FolderChange {
  readonly name?: string | undefined;
  readonly expiredUrl?: string | null | undefined;
}

export interface NewFolder {
  readonly id: string;
  readonly name: string;
  readonly expiredUrl?: string | null | undefined;
  readonly createdAt: number;
  /** Maximum number of folders in the account, including the new folder; undefined for no limit. */
  readonly limit?: number | undefined;
}

export const longestFolderName = 50;

const visible = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;
// Matches invisible characters that Unicode classifies as letters, marks or symbols: fillers, variation selectors and
// the empty Braille cell.
const blank = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Checks that a trimmed name has a visible character (CONTRACT §5). Schema validation checks the untrimmed length. */
export function folderNameProblem(name: string): Problem | undefined {
  if (visible.test(name.replace(blank, ''))) return undefined;
  return problem('name', 'too_short', 'name must contain at least one visible character.');
}

export function folderNotFound(): Failure {
  return new Failure('FOLDER_NOT_FOUND');
}

/** Lists an account's folders, oldest first. */
export function listFolders({ storage }: Context, accountId: number): AsyncGenerator<Chunk<Folder>, void> {
  return readInChunks(
    (limit, after) => storage.folders(accountId, limit, after),
    ({ id }) => id,
  );
}

/** @throws Failure LIMIT_REACHED */
export async function createFolder(
  context: Context,
  accountId: number,
  { name, expiredUrl }: FolderChange & { readonly name: string },
): Promise<Folder> {
  return context.writes.createFolder(accountId, {
    ...context.stamp(),
    name: name.trim(),
    expiredUrl,
    limit: context.folderLimit,
  });
}

/** @throws Failure FOLDER_NOT_FOUND */
export async function updateFolder(
  context: Context,
  accountId: number,
  id: string,
  { name, expiredUrl }: FolderChange,
): Promise<Folder> {
  const change = { name: name?.trim(), expiredUrl };
  const folder = await context.writes.updateFolder(accountId, id, change, context.now());
  if (folder === undefined) throw folderNotFound();
  return folder;
}

/** Deletes a folder. All of its links become uncategorized in the same transaction. @throws Failure FOLDER_NOT_FOUND */
export async function deleteFolder(context: Context, accountId: number, id: string): Promise<void> {
  if (!(await context.writes.deleteFolder(accountId, id, context.now()))) throw folderNotFound();
}

/** Minimum time for which a deleted folder can be restored, in ms. A background job removes the folder afterwards. */
export const folderRestoreMs = 3_600_000;

/**
 * Restores a deleted folder with its links, except links that have since been moved to another folder.
 * @throws Failure FOLDER_NOT_FOUND, LIMIT_REACHED
 */
export async function restoreFolder(context: Context, accountId: number, id: string): Promise<Folder> {
  const folder = await context.writes.restoreFolder(accountId, id, context.folderLimit);
  if (folder === undefined) throw folderNotFound();
  return folder;
}
