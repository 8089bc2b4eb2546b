import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/choices.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TagsField } from '../../components/tags-field.tsx';
import { folders } from '../../data/groups.ts';
import { type LinkList, loadAll } from '../../data/link-list.ts';
import type { Link } from '../../data/links.ts';
import { tell } from '../../data/undo.ts';
import { list as listed } from '../../texts/format.ts';
import { t } from '../../texts/texts.ts';
import { ExpiryField } from '../builder/expiry.tsx';
import { FolderField } from '../builder/folder-field.tsx';
import { deleteLinks, moveLinks, setExpiry, tagLinks, tellFailure } from './actions.ts';
import { bulkDialog } from './bulk-state.ts';
import { countOf, nothing, selectAll } from './selection.ts';
import { activeId, selection } from './selection-state.ts';

/** What can be done with the selected links. */
export function BulkBar({ list, disabledReason }: { list: LinkList; disabledReason: string | undefined }) {
  const total = list.total.value ?? list.rows.value.length;
  const chosen = selection.value;
  const count = countOf(chosen, total);
  const open = (name: 'move' | 'tag' | 'expiry') => () => {
    bulkDialog.value = name;
  };
  const button = { kind: 'quiet', disabledReason } as const;
  const isDrawing = useSignal(false);
  return (
    <div class="bulk-bar" role="toolbar" aria-label={t.bulk.label}>
      <span class="count" role="status">
        {chosen.isAll ? t.bulk.allSelected(count) : t.bulk.selected(count)}
      </span>
      {!chosen.isAll && total > chosen.ids.size && (
        <button
          type="button"
          class="all"
          onClick={() => {
            const rows = list.rows.peek().map(({ id }) => id);
            const loaded = selectAll(nothing, rows, total);
            selection.value = total > rows.length ? { ...loaded, isAll: true } : loaded;
          }}
        >
          {t.bulk.selectAll(total)}
        </button>
      )}
      <span class="rule" />
      <Button
        {...button}
        icon="folder-move"
        keys="m"
        onClick={open('move')}
        rest={{ title: disabledReason ?? t.bulk.move }}
      >
        <span class="word">{t.bulk.move}</span>
      </Button>
      <Button
        {...button}
        icon="tag"
        keys="t"
        onClick={open('tag')}
        rest={{ title: disabledReason ?? t.bulk.tag }}
      >
        <span class="word">{t.bulk.tag}</span>
      </Button>
      <Button
        {...button}
        icon="clock"
        onClick={open('expiry')}
        rest={{ title: disabledReason ?? t.bulk.expiry }}
      >
        <span class="word">{t.bulk.expiry}</span>
      </Button>
      <Button
        kind="quiet"
        icon="qr"
        isBusy={isDrawing.value}
        rest={{ title: t.bulk.qr }}
        onClick={async () => {
          isDrawing.value = true;
          const { saveCodes } = await import('../../qr/batch.ts');
          const unreadable = await saveCodes(await selectedLinks(list)).finally(() => {
            isDrawing.value = false;
          });
          if (unreadable.length > 0)
            tell(t.qr.batchFailed(listed(unreadable.map(({ shortCode }) => `/${shortCode}`))), {
              isError: true,
            });
        }}
      >
        <span class="word">{t.bulk.qr}</span>
      </Button>
      <Button
        {...button}
        icon="bin"
        keys="backspace"
        rest={{ title: disabledReason ?? t.bulk.delete }}
        onClick={() => void removeSelected(list)}
      >
        <span class="word">{t.bulk.delete}</span>
      </Button>
      <span class="rule" />
      <Button
        kind="quiet"
        size="small"
        icon="close"
        label={t.bulk.clear}
        onClick={() => {
          selection.value = nothing;
        }}
      />
    </div>
  );
}

/** The selected links; those that are not loaded yet are loaded for it. */
async function selectedLinks(list: LinkList): Promise<readonly Link[]> {
  const { ids, isAll } = selection.peek();
  return isAll ? loadAll(list) : list.rows.peek().filter(({ id }) => ids.has(id));
}

/** Deletes what is selected. */
export async function removeSelected(list: LinkList): Promise<void> {
  try {
    const links = await selectedLinks(list);
    selection.value = nothing;
    await deleteLinks(links);
  } catch (error) {
    tellFailure(error);
  }
}

/** The dialogs of a list, for the selected links or the active one. */
export function BulkDialogs({ list }: { readonly list: LinkList }) {
  const name = bulkDialog.value;
  const [links, setLinks] = useState<readonly Link[]>([]);
  useEffect(() => {
    setLinks([]);
    if (name === undefined) return;
    const hasSelection = selection.peek().ids.size > 0;
    const alone = list.rows.peek().filter(({ id }) => id === activeId.peek());
    (hasSelection ? selectedLinks(list) : Promise.resolve(alone)).then(setLinks, (error) => {
      bulkDialog.value = undefined;
      tellFailure(error);
    });
  }, [name, list]);
  if (name === undefined || links.length === 0) return null;
  const close = () => {
    bulkDialog.value = undefined;
  };
  const done = () => {
    close();
    selection.value = nothing;
  };
  if (name === 'move') return <MoveDialog links={links} onClose={close} onDone={done} />;
  if (name === 'tag') return <TagDialog links={links} onClose={close} onDone={done} />;
  return <ExpiryDialog links={links} onClose={close} onDone={done} />;
}

interface BulkDialogProps {
  readonly links: readonly Link[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Foot({ onClose, onApply }: { readonly onClose: () => void; readonly onApply: () => void }) {
  return (
    <>
      <Button kind="quiet" keys="escape" onClick={onClose}>
        {t.cancel}
      </Button>
      <Button kind="primary" keys="mod+enter" onClick={onApply}>
        {t.bulk.apply}
      </Button>
    </>
  );
}

function MoveDialog({ links, onClose, onDone }: BulkDialogProps) {
  const folderId = useSignal<string | null>(links.length === 1 ? (links[0]?.folderId ?? null) : null);
  const apply = () => {
    onDone();
    void moveLinks(links, folderId.value);
  };
  return (
    <Dialog
      title={t.bulk.moveTitle(links.length)}
      width="26rem"
      onClose={onClose}
      onSubmit={apply}
      foot={<Foot onClose={onClose} onApply={apply} />}
    >
      <FolderField
        value={folderId.value}
        folders={folders.value ?? []}
        isFirst
        onChange={(id) => {
          folderId.value = id;
        }}
      />
    </Dialog>
  );
}

function TagDialog({ links, onClose, onDone }: BulkDialogProps) {
  const mode = useSignal<'add' | 'remove'>('add');
  const names = useSignal<readonly string[]>([]);
  const apply = () => {
    if (names.value.length === 0) return;
    onDone();
    void tagLinks(links, mode.value === 'add' ? names.value : [], mode.value === 'remove' ? names.value : []);
  };
  return (
    <Dialog
      title={t.bulk.tagTitle(links.length)}
      width="26rem"
      onClose={onClose}
      onSubmit={apply}
      foot={<Foot onClose={onClose} onApply={apply} />}
    >
      <div class="stack">
        <Segmented
          label={t.bulk.tag}
          value={mode.value}
          options={[
            { value: 'add', label: t.bulk.addTags },
            { value: 'remove', label: t.bulk.removeTags },
          ]}
          onChange={(value) => {
            mode.value = value;
          }}
        />
        <TagsField
          value={names.value}
          isFirst
          onChange={(next) => {
            names.value = next;
          }}
        />
      </div>
    </Dialog>
  );
}

function ExpiryDialog({ links, onClose, onDone }: BulkDialogProps) {
  const expiresAt = useSignal<string | null>(links.length === 1 ? (links[0]?.expiresAt ?? null) : null);
  const apply = () => {
    if (expiresAt.value !== null && Date.parse(expiresAt.value) <= Date.now()) return;
    onDone();
    void setExpiry(links, expiresAt.value);
  };
  return (
    <Dialog
      title={t.bulk.expiryTitle(links.length)}
      width="30rem"
      onClose={onClose}
      onSubmit={apply}
      foot={<Foot onClose={onClose} onApply={apply} />}
    >
      <ExpiryField
        value={expiresAt.value}
        onChange={(value) => {
          expiresAt.value = value;
        }}
      />
    </Dialog>
  );
}
