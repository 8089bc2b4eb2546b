import type { Context } from '../context.ts';
import { Failure, type Problem } from '../failures.ts';
import { isId } from '../ids.ts';
import { inPieces, type Piece } from './pieces.ts';

export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly linkCount: number;
  /** Where visitors go of its links that have ended and say nothing of that, as the `Location` header carries it. */
  readonly expiredUrl: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What to change; an absent field stays as it is. */
export interface FolderChange {
  readonly name?: string | undefined;
  readonly expiredUrl?: string | null | undefined;
}

export interface NewFolder {
  readonly id: string;
  readonly name: string;
  readonly expiredUrl?: string | null | undefined;
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
        message: 'name must contain at least one visible character.',
        code: 'VALIDATION_ERROR',
      };
}

export function folderNotFound(): Failure {
  return new Failure('FOLDER_NOT_FOUND');
}

/** An account's folders, oldest first. */
export function listFolders({ storage }: Context, accountId: number): AsyncGenerator<Piece<Folder>, void> {
  return inPieces(
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
  const folder = isId(id)
    ? await context.writes.updateFolder(accountId, id, change, context.now())
    : undefined;
  if (folder === undefined) throw folderNotFound();
  return folder;
}

/** Its links become uncategorized at the same moment, however many they are. @throws Failure FOLDER_NOT_FOUND */
export async function deleteFolder(context: Context, accountId: number, id: string): Promise<void> {
  if (!isId(id) || !(await context.writes.deleteFolder(accountId, id, context.now()))) throw folderNotFound();
}

/** For so long a deleted folder can be restored, ms; a little longer until the work in the background comes to it. */
export const folderComesBackMs = 3_600_000;

/** Undoes a delete, with the links that were put nowhere else since. @throws Failure FOLDER_NOT_FOUND, LIMIT_REACHED */
export async function restoreFolder(context: Context, accountId: number, id: string): Promise<Folder> {
  const folder = isId(id)
    ? await context.writes.restoreFolder(accountId, id, context.folderLimit)
    : undefined;
  if (folder === undefined) throw folderNotFound();
  return folder;
}
