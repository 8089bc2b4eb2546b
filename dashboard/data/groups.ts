import { signal } from '@preact/signals';
import type { ListFoldersResult, ListTagsResult } from '../../src/client/client.ts';
import { api } from './client.ts';
import { domains } from './domains.ts';
import { me } from './session-state.ts';

export type Folder = ListFoldersResult[number];
export type Tag = ListTagsResult[number];

/** Undefined until they are read. */
export const folders = signal<readonly Folder[] | undefined>(undefined);
export const tags = signal<readonly Tag[] | undefined>(undefined);

/** Reads what the side shows, and the domains: folders, tags, and how many links there are. Failures stay where they are: the screens tell. */
export async function loadGroups(): Promise<void> {
  await Promise.all([
    api.listFolders({ include: ['expiredUrl'] }).then(
      (read) => {
        folders.value = read;
      },
      () => {},
    ),
    api.listTags().then(
      (read) => {
        tags.value = read;
      },
      () => {},
    ),
    loadDomains().catch(() => {}),
    api.me().then(
      (read) => {
        me.value = read;
      },
      () => {},
    ),
  ]);
}

/** @throws as the client does */
export async function loadDomains(): Promise<void> {
  domains.value = await api.listDomains({ include: ['certificate'] });
}

/** What lists of folders and tags are asked for their clicks of the last 30 days. */
export function byDay() {
  return {
    include: ['clicksByDay' as const],
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

export function folderName(id: string | null | undefined): string | undefined {
  return id === null || id === undefined
    ? undefined
    : folders.value?.find((folder) => folder.id === id)?.name;
}

export function forgetGroups(): void {
  folders.value = undefined;
  tags.value = undefined;
  domains.value = undefined;
}
