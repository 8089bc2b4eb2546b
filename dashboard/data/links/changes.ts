import { copyText } from '../../browser/clipboard.ts';
import { folderName, loadGroups } from '../groups.ts';
import { t } from '../texts.ts';
import { notify, notifyWithUndo } from '../undo.ts';
import { type Changed, type ChangeOfEach, changeEach, changeFound, updateEach } from './each.ts';
import type { Link } from './links.ts';
import { changeRows, type LinkList, linksChanged, takeRows } from './list.ts';

/**
 * Changes to links in lists. Each change is shown immediately, can be undone, and is reverted if the server rejects it.
 */

/** The links to change: specific links, or all links that match a list's query, loaded or not. */
export type Chosen = readonly Link[] | LinkList;

function isList(chosen: Chosen): chosen is LinkList {
  return 'query' in chosen;
}

function idsOf(links: readonly { readonly id: string }[]): string[] {
  return links.map(({ id }) => id);
}

function change(chosen: Chosen, what: ChangeOfEach): Promise<Changed[]> {
  return isList(chosen) ? changeFound(chosen, what) : changeEach(idsOf(chosen), what);
}

/** Shows a change in the loaded rows. */
function showChange(chosen: Chosen, how: (link: Link) => Link): void {
  changeRows(new Set(idsOf(isList(chosen) ? chosen.rows.peek() : chosen)), how);
}

/**
 * Removes links from every list immediately. If the change applies to all links in a list, the rows stay until it is
 * done.
 * @returns a function that puts the removed links back
 */
function removeRows(chosen: Chosen): () => void {
  return isList(chosen) ? () => {} : takeRows(new Set(idsOf(chosen)));
}

export async function copyLink(link: Pick<Link, 'shortUrl'>): Promise<void> {
  if (await copyText(link.shortUrl)) notify(t.did.copied(link.shortUrl.replace(/^https?:\/\//, '')));
}

export async function deleteLinks(chosen: Chosen): Promise<void> {
  const putBack = removeRows(chosen);
  const done = await change(chosen, { action: 'delete' });
  if (!isList(chosen) && done.length < chosen.length) putBack();
  void changed();
  if (done.length === 0) return;
  notifyWithUndo(t.did.deleted(done.length), t.did.restored(done.length), async () => {
    await changeEach(idsOf(done), { action: 'restore' });
    void changed();
  });
}

/** Archives or unarchives links, which immediately disappear from the list. */
export async function archiveLinks(chosen: Chosen, archived: boolean): Promise<void> {
  const others = isList(chosen) ? chosen : chosen.filter((link) => link.archived !== archived);
  const set = (value: boolean) => ({ action: 'update', set: { archived: value } }) as const;
  removeRows(others);
  const done = await change(others, set(archived));
  void changed();
  if (done.length === 0) return;
  const notices = [t.did.archived(done.length), t.did.unarchived(done.length)] as const;
  notifyWithUndo(notices[archived ? 0 : 1], notices[archived ? 1 : 0], async () => {
    await changeEach(idsOf(done), set(!archived));
    void changed();
  });
}

export async function moveLinks(chosen: Chosen, folderId: string | null): Promise<void> {
  showChange(chosen, (row) => ({ ...row, folderId }));
  const all = await change(chosen, { action: 'move', folderId, previous: ['folderId'] });
  void changed();
  const done = Map.groupBy(all, ({ previous }) => previous?.folderId ?? null);
  done.delete(folderId);
  const count = [...done.values()].flat().length;
  if (count === 0) return;
  notifyWithUndo(t.did.moved(count, folderName(folderId) ?? t.noFolder), t.did.movedBack(count), async () => {
    for (const [from, links] of done) await changeEach(idsOf(links), { action: 'move', folderId: from });
    void changed();
  });
}

export async function setExpiry(chosen: Chosen, expiresAt: string | null): Promise<void> {
  showChange(chosen, (row) => ({ ...row, expiresAt }));
  const what: ChangeOfEach = { action: 'update', set: { expiresAt }, previous: ['expiresAt'] };
  await changeFields(chosen, what, t.did.expirySet, t.did.expiryBack);
}

export async function tagLinks(chosen: Chosen, add: readonly string[], remove: readonly string[]) {
  const tagged = (tags: readonly string[]) => [
    ...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add]),
  ];
  showChange(chosen, (row) => ({ ...row, tags: tagged(row.tags ?? []) }));
  const tags = { add: [...add], remove: [...remove] };
  await changeFields(chosen, { action: 'tag', tags, previous: ['tags'] }, t.did.tagged, t.undone);
}

/** Changes link fields. Undo restores each link's previous values. */
async function changeFields(
  chosen: Chosen,
  what: ChangeOfEach,
  notice: (count: number) => string,
  undone: string,
): Promise<void> {
  const done = await change(chosen, what);
  void changed();
  if (done.length === 0) return;
  notifyWithUndo(notice(done.length), undone, async () => {
    await updateEach(done.map(({ id, previous }) => ({ id, ...previous })));
    void changed();
  });
}

/** Reloads links, folders and tags. */
export function changed(): Promise<void> {
  linksChanged();
  return loadGroups();
}
