import { useSignal } from '@preact/signals';
import { Button, type ButtonProps } from '../components/button.tsx';
import type { IconName } from '../components/icons.ts';
import { showFailure } from '../data/explain.ts';
import { archiveLinks, type Chosen, deleteLinks } from '../data/links/changes.ts';
import { everyLink, type LinkList } from '../data/links/list.ts';
import { countOf, nothing, selectAll } from './selection.ts';
import { bulkDialog, selection } from './state.ts';
import { t } from './texts.ts';

/** Toolbar with actions for the selected links. */
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
    const chosen = chosenIn(list);
    const links = 'query' in chosen ? await everyLink(list.query, list.total.peek() ?? 0) : chosen;
    await saveCodes(links).finally(() => {
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
      {does('archive', isAway ? t.act.unarchive : t.act.archive, () =>
        changeSelected(list, (chosen) => archiveLinks(chosen, !isAway)),
      )}
      {does('bin', t.act.delete, () => removeSelected(list), { keys: 'backspace' })}
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

/** Returns the selected links, or the list itself if all matching links are selected. */
function chosenIn(list: LinkList): Chosen {
  const { ids, isAll } = selection.peek();
  return isAll ? list : list.rows.peek().filter(({ id }) => ids.has(id));
}

/** Deletes the selected links. */
export function removeSelected(list: LinkList): void {
  changeSelected(list, deleteLinks);
}

/** Changes the selected links and clears the selection. */
function changeSelected(list: LinkList, change: (chosen: Chosen) => Promise<void>): void {
  const chosen = chosenIn(list);
  selection.value = nothing;
  change(chosen).catch(showFailure);
}
