import { signal } from '@preact/signals';
import type { ListFoldersResult } from '../../src/client/client.ts';
import { api } from './client.ts';
import { me } from './session-state.ts';

export type Folder = ListFoldersResult[number];
/** A tag and how many links carry it. */
export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly linkCount: number;
}

/** Undefined until they are read. */
export const folders = signal<readonly Folder[] | undefined>(undefined);
export const tags = signal<readonly Tag[] | undefined>(undefined);

/** Reads what the side shows: folders, tags, and how many links there are. Failures stay where they are: the screens tell. */
export async function loadGroups(): Promise<void> {
  await Promise.all([
    api.listFolders().then(
      (read) => {
        folders.value = read;
      },
      () => {},
    ),
    readTags().then(
      (read) => {
        tags.value = read;
      },
      () => {},
    ),
    api.me().then(
      (read) => {
        me.value = read;
      },
      () => {},
    ),
  ]);
}

/** An API that has no tags yet has none. */
function readTags(): Promise<readonly Tag[]> {
  const { listTags } = api as { readonly listTags?: () => Promise<readonly Tag[]> };
  return listTags?.() ?? Promise.resolve([]);
}

export function folderName(id: string | null | undefined): string | undefined {
  return id === null || id === undefined
    ? undefined
    : folders.value?.find((folder) => folder.id === id)?.name;
}

export function forgetGroups(): void {
  folders.value = undefined;
  tags.value = undefined;
}
