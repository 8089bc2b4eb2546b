import { useEffect, useState } from 'preact/hooks';
import { asksToAdd, base, go, withQuery } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { MenuButton } from '../components/menu.tsx';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { tellFailure } from '../data/explain.ts';
import { type Folder, folders, loadGroups } from '../data/groups.ts';
import { changed } from '../data/links/changes.ts';
import { changeEach } from '../data/links/each.ts';
import { did } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { NameDialog } from '../fields/name-dialog.tsx';
import { longDate, number } from '../texts/format.ts';
import { t } from './texts.ts';

export function Folders() {
  const [edited, setEdited] = useState<Folder>();
  const why = writesWait();
  const add = () => go(withQuery({ add: '' }));
  const closeAdd = () => go(withQuery({ add: null }), { replace: true });
  useEffect(() => {
    void loadGroups();
  }, []);
  useShortcuts({ c: () => (why === undefined ? add() : false) });
  const all = folders.value;
  const check = (name: string) => (name === '' ? t.folders.nameMissing : undefined);
  return (
    <Page
      title={t.folders.title}
      about={t.folders.about}
      actions={
        <Button kind="primary" icon="plus" keys="c" disabledReason={why} onClick={add}>
          {t.folders.add}
        </Button>
      }
    >
      {all !== undefined && all.length === 0 ? (
        <Empty
          title={t.folders.none}
          hasPicture
          ways={
            <Button kind="primary" icon="plus" onClick={add} disabledReason={why}>
              {t.folders.add}
            </Button>
          }
        >
          {t.folders.noneMore}
        </Empty>
      ) : (
        <table class="ledger">
          <thead>
            <tr>
              <th scope="col">{t.folders.name}</th>
              <th scope="col" class="number">
                {t.folders.links}
              </th>
              <th scope="col" class="wide">
                {t.folders.created}
              </th>
              <th scope="col">
                <span class="unseen">{t.more}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {(all ?? []).map((folder) => (
              <tr key={folder.id}>
                <td>
                  <a class="plain name with-icon" href={`${base}/links?folder=${folder.id}`}>
                    <Icon name="folder" />
                    <b dir="auto">{folder.name}</b>
                  </a>
                </td>
                <td class="number">{number(folder.linkCount)}</td>
                <td class="wide soft">{longDate(folder.createdAt)}</td>
                <td>
                  <MenuButton
                    kind="quiet"
                    size="small"
                    icon="more"
                    label={t.moreFor(folder.name)}
                    menuLabel={t.moreFor(folder.name)}
                    align="end"
                    items={() => [
                      {
                        label: t.folders.edit,
                        icon: 'pencil',
                        disabledReason: why,
                        onSelect: () => setEdited(folder),
                      },
                      {
                        label: t.places.statistics,
                        icon: 'chart',
                        href: `${base}/statistics?folder=${folder.id}`,
                      },
                      undefined,
                      {
                        label: t.act.delete,
                        icon: 'bin',
                        disabledReason: why,
                        onSelect: () => void remove(folder),
                      },
                    ]}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {asksToAdd() && (
        <NameDialog
          title={t.folders.add}
          label={t.folders.name}
          start=""
          url=""
          check={check}
          onSave={make}
          onClose={closeAdd}
        />
      )}
      {edited !== undefined && (
        <NameDialog
          title={t.folders.edit}
          label={t.folders.name}
          start={edited.name}
          url={edited.expiredUrl ?? ''}
          check={check}
          onSave={(name, url) => change(edited, name, url)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

async function make(name: string, url: string): Promise<void> {
  const made = await api.createFolder({ name, expiredUrl: url || null });
  await loadGroups();
  did(t.folders.made(name), t.folders.removedAgain(name), async () => {
    await api.deleteFolder(made.id);
    await loadGroups();
  });
}

async function change(
  { id, name: before, expiredUrl = null }: Folder,
  name: string,
  url: string,
): Promise<void> {
  // What stays is not sent: the server may refuse the address by now, and the name shall change all the same.
  const isOther = url !== (expiredUrl ?? '');
  await api.renameFolder(id, { name, ...(isOther && { expiredUrl: url || null }) });
  await loadGroups();
  did(t.folders.changed(name), t.folders.changedBack, async () => {
    await api.renameFolder(id, { name: before, ...(isOther && { expiredUrl }) });
    await loadGroups();
  });
}

/** Deletes a folder; its links stay, and undoing makes it anew and moves them back. */
async function remove({ id, name, expiredUrl = null }: Folder): Promise<void> {
  try {
    const ids: string[] = [];
    for await (const link of api.allLinks({ folderId: id })) ids.push(link.id);
    await api.deleteFolder(id);
    did(t.folders.deleted(name), t.folders.deletedBack(name), async () => {
      const made = await api.createFolder({ name, expiredUrl });
      await changeEach(ids, { action: 'move', folderId: made.id });
      await changed();
    });
  } catch (error) {
    tellFailure(error);
  }
  await changed();
}
