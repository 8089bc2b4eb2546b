import { copyText } from '../../browser/clipboard.ts';
import { folderName, loadGroups } from '../groups.ts';
import { t } from '../texts.ts';
import { did, tell } from '../undo.ts';
import { changeEach, updateEach } from './each.ts';
import type { Link } from './links.ts';
import { changeRows, linksChanged, takeRows } from './list.ts';

/** Every change of links from a list: shown at once, told with its undo, taken back when the server refuses. */

export async function copyLink(link: Pick<Link, 'shortUrl'>): Promise<void> {
  if (await copyText(link.shortUrl)) tell(t.did.copied(link.shortUrl.replace(/^https?:\/\//, '')));
}

export async function deleteLinks(links: readonly Link[]): Promise<void> {
  const ids = links.map(({ id }) => id);
  const putBack = takeRows(new Set(ids));
  const done = await changeEach(ids, { action: 'delete' });
  if (done.length < ids.length) putBack();
  linksChanged();
  if (done.length === 0) return;
  did(t.did.deleted(done.length), t.did.restored(done.length), async () => {
    await changeEach(done, { action: 'restore' });
    void changed();
  });
  void loadGroups();
}

/** Puts links away, or back among the others: they leave the list at once. */
export async function archiveLinks(links: readonly Link[], archived: boolean): Promise<void> {
  const ids = links.filter((link) => link.archived !== archived).map(({ id }) => id);
  if (ids.length === 0) return;
  const set = (which: readonly string[], value: boolean) =>
    changeEach(which, { action: 'update', set: { archived: value } }).finally(() => void changed());
  takeRows(new Set(ids));
  const done = await set(ids, archived);
  if (done.length === 0) return;
  const told = [t.did.archived(done.length), t.did.unarchived(done.length)] as const;
  did(told[archived ? 0 : 1], told[archived ? 1 : 0], async () => void (await set(done, !archived)));
}

export async function moveLinks(links: readonly Link[], folderId: string | null): Promise<void> {
  const before = new Map(links.map(({ id, folderId }) => [id, folderId ?? null]));
  const ids = [...before].filter(([, from]) => from !== folderId).map(([id]) => id);
  if (ids.length === 0) return;
  changeRows(new Set(ids), (row) => ({ ...row, folderId }));
  const done = await changeEach(ids, { action: 'move', folderId });
  void changed();
  if (done.length === 0) return;
  did(
    t.did.moved(done.length, folderName(folderId) ?? t.noFolder),
    t.did.movedBack(done.length),
    async () => {
      for (const from of new Set(before.values()))
        await changeEach(
          done.filter((id) => before.get(id) === from),
          { action: 'move', folderId: from },
        );
      void changed();
    },
  );
}

export async function setExpiry(links: readonly Link[], expiresAt: string | null): Promise<void> {
  const before = new Map(links.map(({ id, expiresAt }) => [id, expiresAt ?? null]));
  changeRows(new Set(before.keys()), (row) => ({ ...row, expiresAt }));
  const done = await changeEach([...before.keys()], { action: 'update', set: { expiresAt } });
  void changed();
  if (done.length === 0) return;
  did(t.did.expirySet(done.length), t.did.expiryBack, async () => {
    await updateEach(done.map((id) => ({ id, expiresAt: before.get(id) ?? null })));
    void changed();
  });
}

export async function tagLinks(links: readonly Link[], add: readonly string[], remove: readonly string[]) {
  const before = new Map(links.map(({ id, tags = [] }) => [id, tags]));
  const tagged = (tags: readonly string[]) => [
    ...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add]),
  ];
  changeRows(new Set(before.keys()), (row) => ({ ...row, tags: tagged(row.tags ?? []) }));
  const done = await changeEach([...before.keys()], {
    action: 'tag',
    tags: { add: [...add], remove: [...remove] },
  });
  void changed();
  if (done.length === 0) return;
  did(t.did.tagged(done.length), t.undone, async () => {
    await updateEach(done.map((id) => ({ id, tags: before.get(id) ?? [] })));
    void changed();
  });
}

/** Reads anew what shows links, folders and tags. */
export function changed(): Promise<void> {
  linksChanged();
  return loadGroups();
}
