import { useState } from 'preact/hooks';
import { base } from '../browser/location.ts';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Select } from '../components/select.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { byDay, loadGroups, type Tag, tags } from '../data/groups.ts';
import { changed } from '../data/links/changes.ts';
import { updateEach } from '../data/links/each.ts';
import { notify, notifyWithUndo } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { GroupsPage } from '../fields/groups-page.tsx';
import { NameDialog } from '../fields/name-dialog.tsx';
import { t } from './texts.ts';

export function Tags() {
  const [renamed, setRenamed] = useState<Tag>();
  const [merged, setMerged] = useState<Tag>();
  const why = writesWait();
  const check = (name: string) =>
    name === '' ? t.tags.nameMissing : name.includes(',') ? t.tags.nameComma : undefined;
  return (
    <GroupsPage
      texts={t.tags}
      icon="hash"
      groups={tags.value}
      readDays={() => api.listTags(byDay())}
      clicksHrefOf={({ id }) => `${base}/statistics?tag=${id}`}
      hrefOf={({ name }) => `${base}/links?tag=${encodeURIComponent(name)}`}
      itemsOf={(tag) => [
        { label: t.tags.rename, icon: 'pencil', disabledReason: why, onSelect: () => setRenamed(tag) },
        { label: t.tags.merge, icon: 'tag', disabledReason: why, onSelect: () => setMerged(tag) },
        { label: t.places.statistics, icon: 'chart', href: `${base}/statistics?tag=${tag.id}` },
        undefined,
        { label: t.act.delete, icon: 'bin', disabledReason: why, onSelect: () => void remove(tag) },
      ]}
      adding={(close) => (
        <NameDialog
          title={t.tags.add}
          label={t.tags.name}
          start=""
          check={check}
          onSave={make}
          onClose={close}
        />
      )}
    >
      {renamed !== undefined && (
        <NameDialog
          title={t.tags.rename}
          label={t.tags.name}
          start={renamed.name}
          check={check}
          onSave={(name) => rename(renamed, name)}
          onClose={() => setRenamed(undefined)}
        />
      )}
      {merged !== undefined && <MergeDialog tag={merged} onClose={() => setMerged(undefined)} />}
    </GroupsPage>
  );
}

function MergeDialog({ tag, onClose }: { readonly tag: Tag; readonly onClose: () => void }) {
  const others = (tags.value ?? []).filter(({ id }) => id !== tag.id);
  const [into, setInto] = useState(others[0]?.id ?? '');
  const merge = async () => {
    try {
      const stays = await api.mergeTags(tag.id, { into });
      notify(t.tags.mergeDone(tag.name, stays.name));
      onClose();
    } catch (error) {
      showFailure(error);
    }
    await changed();
  };
  return (
    <Dialog
      title={t.tags.mergeTitle(tag.name)}
      width="26rem"
      onClose={onClose}
      onSubmit={() => void merge()}
      foot={<DialogFoot action={t.tags.mergeNow} onAction={() => void merge()} onCancel={onClose} />}
    >
      <Field id="merge-into" label={t.tags.name} help={t.tags.unlinked}>
        <Select
          id="merge-into"
          value={into}
          isFirst
          options={others.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setInto}
        />
      </Field>
    </Dialog>
  );
}

async function make(name: string): Promise<void> {
  const made = await api.createTag({ name });
  await loadGroups();
  notifyWithUndo(t.tags.made(name), t.tags.removedAgain(name), async () => {
    await api.deleteTag(made.id);
    await loadGroups();
  });
}

async function rename({ id, name: before }: Tag, name: string): Promise<void> {
  await api.renameTag(id, { name });
  await changed();
  notifyWithUndo(t.tags.renamed(name), t.tags.renamedBack, async () => {
    await api.renameTag(id, { name: before });
    await changed();
  });
}

/** Deletes a tag. Undo restores the tag on all links that had it. */
async function remove({ id, name }: Tag): Promise<void> {
  try {
    const had = new Map<string, string[]>();
    for await (const link of api.allLinks({ tag: name, include: ['tags'] }))
      if (link.tags?.includes(name)) had.set(link.id, link.tags);
    await api.deleteTag(id);
    notifyWithUndo(t.tags.deleted(name), t.tags.deletedBack(name), async () => {
      await updateEach([...had].map(([id, tags]) => ({ id, tags })));
      if (had.size === 0) await api.createTag({ name });
      await changed();
    });
  } catch (error) {
    showFailure(error);
  }
  await changed();
}
