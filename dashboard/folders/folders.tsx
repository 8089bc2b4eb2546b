import { useState } from 'preact/hooks';
import { base } from '../browser/location.ts';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { byDay, type Folder, folders, loadGroups } from '../data/groups.ts';
import { changed } from '../data/links/changes.ts';
import { notifyWithUndo } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { GroupsPage } from '../fields/groups-page.tsx';
import { NameDialog } from '../fields/name-dialog.tsx';
import { longDate } from '../texts/format.ts';
import { t } from './texts.ts';

export function Folders() {
  const [edited, setEdited] = useState<Folder>();
  const why = writesWait();
  const check = (name: string) => (name === '' ? t.folders.nameMissing : undefined);
  const isTaken = (name: string) =>
    folders.value?.some((one) => one.id !== edited?.id && one.name.toLowerCase() === name.toLowerCase());
  const hint = (name: string) => (isTaken(name) ? t.folders.nameTaken : undefined);
  return (
    <GroupsPage
      texts={t.folders}
      icon="folder"
      groups={folders.value}
      readDays={() => api.listFolders(byDay())}
      clicksHrefOf={({ id }) => `${base}/statistics?folder=${id}`}
      hrefOf={({ id }) => `${base}/links?folder=${id}`}
      more={{ name: t.folders.created, class: 'number wide', of: ({ createdAt }) => longDate(createdAt) }}
      itemsOf={(folder) => [
        {
          label: t.folders.edit,
          icon: 'pencil',
          disabledReason: why,
          onSelect: () => setEdited(folder),
        },
        { label: t.places.statistics, icon: 'chart', href: `${base}/statistics?folder=${folder.id}` },
        undefined,
        { label: t.act.delete, icon: 'bin', disabledReason: why, onSelect: () => void remove(folder) },
      ]}
      adding={(close) => (
        <NameDialog
          title={t.folders.add}
          label={t.folders.name}
          start=""
          url=""
          check={check}
          hint={hint}
          onSave={make}
          onClose={close}
        />
      )}
    >
      {edited !== undefined && (
        <NameDialog
          title={t.folders.edit}
          label={t.folders.name}
          start={edited.name}
          url={edited.expiredUrl ?? ''}
          check={check}
          hint={hint}
          onSave={(name, url) => change(edited, name, url)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </GroupsPage>
  );
}

async function make(name: string, url: string): Promise<void> {
  const made = await api.createFolder({ name, expiredUrl: url || null });
  await loadGroups();
  notifyWithUndo(t.folders.made(name), t.folders.removedAgain(name), async () => {
    await api.deleteFolder(made.id);
    await loadGroups();
  });
}

async function change(
  { id, name: before, expiredUrl = null }: Folder,
  name: string,
  url: string,
): Promise<void> {
  // Send only changed fields. The server might now reject the existing URL, which must not prevent renaming.
  const isOther = url !== (expiredUrl ?? '');
  await api.renameFolder(id, { name, ...(isOther && { expiredUrl: url || null }) });
  await loadGroups();
  notifyWithUndo(t.folders.changed(name), t.folders.changedBack, async () => {
    await api.renameFolder(id, { name: before, ...(isOther && { expiredUrl }) });
    await loadGroups();
  });
}

/** Deletes a folder, but not its links. */
async function remove({ id, name }: Folder): Promise<void> {
  try {
    await api.deleteFolder(id);
    notifyWithUndo(t.folders.deleted(name), t.folders.deletedBack(name), async () => {
      await api.restoreFolder(id);
      await changed();
    });
  } catch (error) {
    showFailure(error);
  }
  await changed();
}
