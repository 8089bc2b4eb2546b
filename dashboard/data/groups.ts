import { type Signal, signal } from '@preact/signals';
import type { ListFoldersResult, ListTagsResult } from '../../src/client/client.ts';
import { number } from '../texts/format.ts';
import { api } from './client.ts';
import { domains } from './domains.ts';
import { me } from './session-state.ts';

export type Folder = ListFoldersResult[number];
export type Tag = ListTagsResult[number];

/** The account's folders. Undefined until they are loaded. */
export const folders = signal<readonly Folder[] | undefined>(undefined);
export const tags = signal<readonly Tag[] | undefined>(undefined);

/** When a screen opens, it does not reload data that was loaded within this many milliseconds. */
const freshMs = 2_000;

/**
 * Wraps a request so that every screen that opens while it is pending, or within {@link freshMs} after it, shares its
 * response.
 */
function sharing(read: () => Promise<void>): (isOpening?: boolean) => Promise<void> {
  let readAt = -freshMs;
  let last = Promise.resolve();
  return (isOpening = false) => {
    if (isOpening && performance.now() - readAt < freshMs) return last;
    readAt = Number.POSITIVE_INFINITY;
    last = read().finally(() => {
      readAt = performance.now();
    });
    return last;
  };
}

function into<T>(place: Signal<T | undefined>, read: Promise<T>): Promise<void> {
  const set = (value: T) => {
    place.value = value;
  };
  return read.then(set, () => {});
}

/**
 * Loads the sidebar's data: folders, tags, the number of links, and domains. Ignores failures, because the screens
 * report them.
 */
export const loadGroups = sharing(async () => {
  await Promise.all([
    into(folders, api.listFolders({ include: ['expiredUrl'] })),
    into(tags, api.listTags()),
    loadDomains().catch(() => {}),
    into(me, api.me()),
  ]);
});

/** Loads the domains with their certificates. @throws LinkfoldError */
export const loadDomains = sharing(async () => {
  domains.value = await api.listDomains({ include: ['certificate'] });
});

/** Returns query parameters that add daily clicks for the last 30 days to folders and tags. */
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

/** Returns folders as combobox options with their ids as values. */
export function folderOptions(all: readonly Folder[] = folders.value ?? []) {
  return all.map(({ id, name, linkCount }) => ({ value: id, label: name, aside: number(linkCount) }));
}

/** Returns tags as combobox options with their names as values. */
export function tagOptions(all: readonly Tag[] = tags.value ?? []) {
  return all.map(({ name, linkCount }) => ({ value: name, label: name, aside: number(linkCount) }));
}

/** Returns folders and tags as options with values such as `folder:<id>` and `tag:<id>`. */
export function groupOptions() {
  return [
    ...folderOptions().map((one) => ({ ...one, value: `folder:${one.value}`, icon: 'folder' as const })),
    ...(tags.value ?? []).map(({ id, name, linkCount }) => ({
      value: `tag:${id}`,
      label: name,
      aside: number(linkCount),
      icon: 'hash' as const,
    })),
  ];
}

export function forgetGroups(): void {
  folders.value = undefined;
  tags.value = undefined;
  domains.value = undefined;
}
