import { Failure, type Problem } from './failures.ts';
import { isId } from './ids.ts';
import type { Folder } from './storage.ts';
import type { World } from './world.ts';

export const longestFolderName = 50;

const visible = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;
// Letters, marks and symbols by class, yet blank on paper: fillers, variation selectors, the empty Braille cell.
const blank = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Checks that a name, once trimmed, shows something (CONTRACT §5). Its length is checked as sent. */
export const folderNameProblem = (name: string): Problem | undefined =>
  visible.test(name.replace(blank, ''))
    ? undefined
    : {
        field: 'name',
        reason: 'too_short',
        message: 'name must hold at least one visible character.',
        code: 'VALIDATION_ERROR',
      };

export const folderNotFound = (): Failure => new Failure('FOLDER_NOT_FOUND', 'There is no such folder.');

export const listFolders = async (world: World, accountId: number): Promise<readonly Folder[]> =>
  world.storage.folders(accountId);

export const createFolder = async (world: World, accountId: number, name: string): Promise<Folder> =>
  world.writes.createFolder(accountId, { id: world.nextId(), name: name.trim(), createdAt: world.now() });

/** @throws Failure FOLDER_NOT_FOUND */
export const renameFolder = async (
  world: World,
  accountId: number,
  id: string,
  name: string,
): Promise<Folder> => {
  const folder = isId(id)
    ? await world.writes.renameFolder(accountId, id, name.trim(), world.now())
    : undefined;
  if (folder === undefined) throw folderNotFound();
  return folder;
};

/** Its links become uncategorized at the same moment, however many they are. @throws Failure FOLDER_NOT_FOUND */
export const deleteFolder = async (world: World, accountId: number, id: string): Promise<void> => {
  if (!isId(id) || !(await world.writes.deleteFolder(accountId, id))) throw folderNotFound();
};
