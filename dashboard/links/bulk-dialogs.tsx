import { useSignal } from '@preact/signals';
import { Segmented } from '../components/choices.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { showFailure } from '../data/explain.ts';
import { folders } from '../data/groups.ts';
import { type Chosen, moveLinks, setExpiry, tagLinks } from '../data/links/changes.ts';
import type { Link } from '../data/links/links.ts';
import type { LinkList } from '../data/links/list.ts';
import { ExpiryField } from '../fields/expiry-field.tsx';
import { FolderField } from '../fields/folder-field.tsx';
import { Managed } from '../fields/managed.tsx';
import { TagsField } from '../fields/tags-field.tsx';
import { countOf, nothing } from './selection.ts';
import { activeId, bulkDialog, selection } from './state.ts';
import { t } from './texts.ts';

/**
 * Dialogs that change the selected links or the active link. If the whole list is selected, the server determines its
 * links when the change is applied.
 */
export function BulkDialogs({ list }: { readonly list: LinkList }) {
  const name = bulkDialog.value;
  const chosen = selection.value;
  if (name === undefined) return null;
  const links = list.rows.value.filter(({ id }) =>
    chosen.ids.size > 0 ? chosen.ids.has(id) : id === activeId.value,
  );
  const close = () => {
    bulkDialog.value = undefined;
  };
  const props: BulkDialogProps = {
    count: chosen.isAll ? countOf(chosen, list.total.value ?? links.length) : links.length,
    only: links.length === 1 && !chosen.isAll ? links[0] : undefined,
    links,
    onClose: close,
    onApply: (change) => {
      // Close the dialog first, because the progress is shown next to the list.
      close();
      selection.value = nothing;
      change(chosen.isAll ? list : links).catch(showFailure);
    },
  };
  if (name === 'move') return <MoveDialog {...props} />;
  return name === 'tag' ? <TagDialog {...props} /> : <ExpiryDialog {...props} />;
}

interface BulkDialogProps {
  readonly count: number;
  /** The link, if the dialog is about a single link. */
  readonly only: Link | undefined;
  /** The selected links that are already loaded. */
  readonly links: readonly Link[];
  readonly onClose: () => void;
  readonly onApply: (change: (chosen: Chosen) => Promise<void>) => void;
}

function MoveDialog({ count, only, links, onClose, onApply }: BulkDialogProps) {
  const folderId = useSignal<string | null>(only?.folderId ?? null);
  const apply = () => {
    onApply((chosen) => moveLinks(chosen, folderId.value));
  };
  return (
    <Dialog
      title={t.bulk.moveTitle(count)}
      width="26rem"
      onClose={onClose}
      onSubmit={apply}
      foot={<DialogFoot action={t.apply} onAction={apply} onCancel={onClose} />}
    >
      <div class="stack">
        <Managed links={links} />
        <FolderField
          value={folderId.value}
          folders={folders.value ?? []}
          isFirst
          onChange={(id) => {
            folderId.value = id;
          }}
        />
      </div>
    </Dialog>
  );
}

function TagDialog({ count, links, onClose, onApply }: BulkDialogProps) {
  const mode = useSignal<'add' | 'remove'>('add');
  const names = useSignal<readonly string[]>([]);
  const apply = () => {
    if (names.value.length === 0) return;
    const [add, remove] = mode.value === 'add' ? [names.value, []] : [[], names.value];
    onApply((chosen) => tagLinks(chosen, add, remove));
  };
  return (
    <Dialog
      title={t.bulk.tagTitle(count)}
      width="26rem"
      onClose={onClose}
      onSubmit={apply}
      foot={<DialogFoot action={t.apply} onAction={apply} onCancel={onClose} />}
    >
      <div class="stack">
        <Managed links={links} />
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

function ExpiryDialog({ count, only, links, onClose, onApply }: BulkDialogProps) {
  const expiresAt = useSignal<string | null>(only?.expiresAt ?? null);
  const apply = () => {
    if (expiresAt.value !== null && Date.parse(expiresAt.value) <= Date.now()) return;
    onApply((chosen) => setExpiry(chosen, expiresAt.value));
  };
  return (
    <Dialog
      title={t.bulk.expiryTitle(count)}
      width="30rem"
      onClose={onClose}
      onSubmit={apply}
      foot={<DialogFoot action={t.apply} onAction={apply} onCancel={onClose} />}
    >
      <div class="stack">
        <Managed links={links} />
        <ExpiryField
          value={expiresAt.value}
          onChange={(value) => {
            expiresAt.value = value;
          }}
        />
      </div>
    </Dialog>
  );
}
