import type { Context } from './context.ts';
import { Failure, type Problem } from './failures.ts';
import { isId } from './ids.ts';

export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly linkCount: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NewFolder {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** The limit of the account's folders, this one included; undefined for none. */
  readonly limit?: number | undefined;
}

export const longestFolderName = 50;

const visible = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;
// Letters, marks and symbols by class, yet blank on paper: fillers, variation selectors, the empty Braille cell.
const blank = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Checks that a name, once trimmed, shows something (CONTRACT §5). Its length is checked as sent. */
export function folderNameProblem(name: string): Problem | undefined {
  return visible.test(name.replace(blank, ''))
    ? undefined
    : {
        field: 'name',
        reason: 'too_short',
        message: 'name must hold at least one visible character.',
        code: 'VALIDATION_ERROR',
      };
}

export function folderNotFound(): Failure {
  return new Failure('FOLDER_NOT_FOUND', 'There is no such folder.');
}

/** Folders read in one snapshot: two milliseconds of work. */
const firstFolders = 1_000;
/** Folders read at a time where there are more: half a millisecond of work. */
const nextFolders = 250;

/**
 * A piece of an account's folders, oldest first. It holds all of them unless the operator's limit is, or once was, above
 * what is read at once.
 * @param after the `next` of the piece before
 * @returns the folders, and `after` for the next piece; undefined when this is the last one
 */
export async function listFolders(
  context: Context,
  accountId: number,
  after?: string,
): Promise<{ folders: readonly Folder[]; next: string | undefined }> {
  const limit = after === undefined ? firstFolders : nextFolders;
  const folders = await context.storage.folders(accountId, limit, after);
  return { folders, next: folders.length < limit ? undefined : folders.at(-1)?.id };
}

/** @throws Failure LIMIT_REACHED */
export async function createFolder(context: Context, accountId: number, name: string): Promise<Folder> {
  return context.writes.createFolder(accountId, {
    ...context.stamp(),
    name: name.trim(),
    limit: context.folderLimit,
  });
}

/** @throws Failure FOLDER_NOT_FOUND */
export async function renameFolder(
  context: Context,
  accountId: number,
  id: string,
  name: string,
): Promise<Folder> {
  const folder = isId(id)
    ? await context.writes.renameFolder(accountId, id, name.trim(), context.now())
    : undefined;
  if (folder === undefined) throw folderNotFound();
  return folder;
}

/** Its links become uncategorized at the same moment, however many they are. @throws Failure FOLDER_NOT_FOUND */
export async function deleteFolder(context: Context, accountId: number, id: string): Promise<void> {
  if (!isId(id) || !(await context.writes.deleteFolder(accountId, id))) throw folderNotFound();
}
