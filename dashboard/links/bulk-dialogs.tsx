import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Segmented } from '../components/choices.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { tellFailure } from '../data/explain.ts';
import { folders } from '../data/groups.ts';
import { moveLinks, setExpiry, tagLinks } from '../data/links/changes.ts';
import type { Link } from '../data/links/links.ts';
import type { LinkList } from '../data/links/list.ts';
import { ExpiryField } from '../fields/expiry-field.tsx';
import { FolderField } from '../fields/folder-field.tsx';
import { TagsField } from '../fields/tags-field.tsx';
import { selectedLinks } from './bulk.tsx';
import { nothing } from './selection.ts';
import { activeId, bulkDialog, selection } from './state.ts';
import { t } from './texts.ts';

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
      foot={<DialogFoot action={t.apply} onAction={apply} onCancel={onClose} />}
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
      foot={<DialogFoot action={t.apply} onAction={apply} onCancel={onClose} />}
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
      foot={<DialogFoot action={t.apply} onAction={apply} onCancel={onClose} />}
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
