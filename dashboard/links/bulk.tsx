import { useSignal } from '@preact/signals';
import { Button, type ButtonProps } from '../components/button.tsx';
import type { IconName } from '../components/icons.ts';
import { tellFailure } from '../data/explain.ts';
import { archiveLinks, deleteLinks } from '../data/links/changes.ts';
import type { Link } from '../data/links/links.ts';
import { everyLink, type LinkList } from '../data/links/list.ts';
import { countOf, nothing, type Selection, selectAll } from './selection.ts';
import { bulkDialog, selection } from './state.ts';
import { t } from './texts.ts';

/** What can be done with the selected links. */
export function BulkBar({ list, disabledReason }: { list: LinkList; disabledReason: string | undefined }) {
  const total = list.total.value ?? list.rows.value.length;
  const chosen = selection.value;
  const count = countOf(chosen, total);
  const open = (name: 'move' | 'tag' | 'expiry') => () => {
    bulkDialog.value = name;
  };
  const does = (icon: IconName, label: string, onClick: () => void, more: Partial<ButtonProps> = {}) => {
    const props = { kind: 'quiet', icon, onClick, disabledReason, ...more } as const;
    return (
      <Button {...props} rest={{ title: props.disabledReason ?? label }}>
        <span class="word">{label}</span>
      </Button>
    );
  };
  const isDrawing = useSignal(false);
  const draw = async () => {
    isDrawing.value = true;
    const { saveCodes } = await import('../qr/batch.ts');
    await saveCodes(await selectedLinks(list)).finally(() => {
      isDrawing.value = false;
    });
  };
  const isAway = list.query.status === 'archived';
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
      {does('folder-move', t.bulk.move, open('move'), { keys: 'm' })}
      {does('tag', t.bulk.tag, open('tag'), { keys: 't' })}
      {does('clock', t.bulk.expiry, open('expiry'))}
      {does('qr', t.bulk.qr, () => void draw(), { isBusy: isDrawing.value, disabledReason: undefined })}
      {does(
        'archive',
        isAway ? t.act.unarchive : t.act.archive,
        () => void withSelected(list, (links) => archiveLinks(links, !isAway)),
      )}
      {does('bin', t.act.delete, () => void removeSelected(list), { keys: 'backspace' })}
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

/** The selected links; of all that match, those that the server finds now. */
export async function selectedLinks(list: LinkList): Promise<readonly Link[]> {
  const { ids, isAll } = selection.peek();
  return isAll ? everyLink(list.query) : list.rows.peek().filter(({ id }) => ids.has(id));
}

/** Deletes what is selected. */
export function removeSelected(list: LinkList): Promise<void> {
  return withSelected(list, deleteLinks);
}

let changing: Selection | undefined;

/** Changes what is selected, which then is not any more. */
async function withSelected(list: LinkList, change: (links: readonly Link[]) => Promise<void>) {
  // Once for each selection, however often it is pressed while the links are found.
  if (changing === selection.peek()) return;
  changing = selection.peek();
  try {
    const links = await selectedLinks(list);
    selection.value = nothing;
    await change(links);
  } catch (error) {
    tellFailure(error);
  } finally {
    changing = undefined;
  }
}
