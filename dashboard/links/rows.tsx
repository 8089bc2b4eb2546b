import type { VNode } from 'preact';
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import { go, openDialog, openDialogName, withQuery } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { Icon } from '../components/icon.tsx';
import { SkeletonRows } from '../components/states.tsx';
import { copyLink, deleteLinks } from '../data/links/changes.ts';
import type { Link } from '../data/links/links.ts';
import { freshId, type LinkList, loadMore } from '../data/links/list.ts';
import { defaultOrder, type SortField, sortChange } from '../data/links/query.ts';
import { pageOf, referenceOf } from '../data/links/references.ts';
import { preferences } from '../data/preferences.ts';
import { removeSelected } from './bulk.tsx';
import { Row, type RowProps } from './row.tsx';
import { extend, nothing, selectAll, toggle } from './selection.ts';
import { activeId, bulkDialog, selection } from './state.ts';
import { t } from './texts.ts';
import { useVirtual } from './use-virtual.ts';
import { scrollTo as scrollToShow } from './virtual.ts';

const readAhead = 40;

interface RowsProps {
  readonly list: LinkList;
  readonly isLoading: boolean;
  /** Whether the rows belong to the previous query. */
  readonly isOld: boolean;
}

/** List rows. Renders only the rows in and near the window. */
export function Rows({ list, isLoading, isOld }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = list.rows.value;
  const { from, to, height } = useVirtual(box, rows.length);
  const hidden = preferences.value.hiddenColumns;
  const activeOne = activeRow(list, box, height);
  useListKeys(list, activeOne);
  useKeptFocus(rows, box, activeOne.focus);

  useEffect(() => {
    list.inSight = to;
    if (to >= rows.length - readAhead) void loadMore(list);
  }, [to, rows.length, list]);
  useEffect(() => {
    if (freshId.value === undefined) return undefined;
    const timer = setTimeout(() => {
      freshId.value = undefined;
    }, 4_000);
    return () => clearTimeout(timer);
  }, [freshId.value]);

  const active = activeId.value ?? rows[0]?.id;
  const keep = usePreviousRows();
  const select = useCallback(
    (id: string, isRange: boolean) => {
      activeId.value = id;
      selection.value = isRange
        ? extend(
            selection.peek(),
            list.rows.peek().map((row) => row.id),
            id,
          )
        : toggle(selection.peek(), id);
    },
    [list],
  );
  const { ids, isAll } = selection.value;
  return (
    <div
      class={`list ${hidden.map((name) => `no-${name}`).join(' ')} ${ids.size > 0 ? 'selecting' : ''} ${isOld ? 'old' : ''}`}
      role="grid"
      aria-busy={isOld}
      aria-label={t.links.list}
      aria-rowcount={list.total.value ?? -1}
      aria-multiselectable="true"
    >
      <Head list={list} />
      {isLoading && rows.length === 0 && <SkeletonRows />}
      <div class="rows" role="rowgroup" ref={box} style={{ height: `${rows.length * height}px` }}>
        <div class="rows-in" role="presentation" style={{ transform: `translateY(${from * height}px)` }}>
          {rows.slice(from, to).map((link, at) =>
            keep({
              link,
              index: from + at,
              search: list.query.search,
              isActive: link.id === active,
              isSelected: isAll || ids.has(link.id),
              isFresh: link.id === freshId.value,
              onSelect: select,
            }),
          )}
        </div>
      </div>
      {list.next !== null && rows.length > 0 && <SkeletonRows count={3} />}
    </div>
  );
}

/** Reuses the elements of unchanged rows, so that scrolling renders only the rows that enter the window. */
function usePreviousRows() {
  const before = useRef(new Map<string, { readonly props: RowProps; readonly row: VNode }>());
  const now: typeof before.current = new Map();
  useEffect(() => {
    before.current = now;
  });
  return (props: RowProps): VNode => {
    const { id } = props.link;
    const known = before.current.get(id);
    const names = Object.keys(props) as (keyof RowProps)[];
    const isSame = known !== undefined && names.every((name) => known.props[name] === props[name]);
    const kept = isSame ? known : { props, row: <Row key={id} {...props} /> };
    now.set(id, kept);
    return kept.row;
  };
}

function Head({ list }: { readonly list: LinkList }) {
  const { sort, order } = list.query;
  const rows = list.rows.value;
  const { ids } = selection.value;
  const isAll = useMemo(() => rows.length > 0 && rows.every(({ id }) => ids.has(id)), [rows, ids]);
  const sortable = (field: SortField, label: string, name: string, beside?: VNode) => {
    const isBy = sort === field;
    const next = isBy ? (order === 'asc' ? 'desc' : 'asc') : defaultOrder(field);
    return (
      <span
        role="columnheader"
        class={name}
        aria-sort={isBy ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
      >
        <a class={`plain sort ${isBy ? 'by' : ''}`} href={withQuery(sortChange(field, next))}>
          {label}
          {isBy && <Icon name={order === 'asc' ? 'arrow-up' : 'arrow'} size={12} />}
        </a>
        {beside}
      </span>
    );
  };
  return (
    <div class="list-head" role="row">
      <span role="columnheader" class="mark">
        <input
          type="checkbox"
          class="check"
          aria-label={t.links.selectAll}
          checked={isAll}
          ref={(box) => {
            if (box !== null) box.indeterminate = !isAll && ids.size > 0;
          }}
          onChange={() => {
            selection.value = isAll
              ? nothing
              : selectAll(
                  nothing,
                  rows.map(({ id }) => id),
                  list.total.value ?? 0,
                );
          }}
        />
      </span>
      {sortable('title', t.links.columnLink, 'what', <span class="target-head">{t.links.columnTarget}</span>)}
      <span role="columnheader" class="where">
        <span class="both">{t.links.columnFolder}</span>
        <span class="alone">{t.links.columnFolderAlone}</span>
        <span class="tags tags-head">{t.places.tags}</span>
      </span>
      {sortable('lastClickAt', t.links.columnLast, 'last')}
      <span role="columnheader" class="days">
        {t.links.columnDays}
      </span>
      {sortable('clicks', t.links.columnClicks, 'clicks')}
      {sortable('createdAt', t.links.columnCreated, 'created')}
    </div>
  );
}

const maxFrames = 20;

/** Focuses a row once it is rendered, within the next `frames` frames. */
function focusWhenShown(id: string, frames = maxFrames): void {
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
    if (row !== null) row.focus({ preventScroll: true });
    else if (frames > 0) focusWhenShown(id, frames - 1);
  });
}

/** Returns functions for the active row. Keyboard shortcuts act on this row. Initially, the first row is active. */
function activeRow(list: LinkList, box: { readonly current: HTMLElement | null }, height: number) {
  const rows = () => list.rows.peek();
  const hasFocus = () => box.current?.contains(document.activeElement) ?? false;
  const index = () =>
    Math.max(
      0,
      rows().findIndex(({ id }) => id === activeId.peek()),
    );
  /** Returns the index `by` rows after the active row, clamped to the list. */
  const indexAfter = (by: number) => Math.min(rows().length - 1, Math.max(0, index() + by));
  const link = (): Link | undefined => (hasFocus() || activeId.peek() ? rows()[index()] : undefined);
  const focus = (index: number) => {
    const row = rows()[index];
    if (row === undefined || box.current === null) return;
    activeId.value = row.id;
    const head = document.querySelector('.list-head')?.getBoundingClientRect().height ?? 0;
    const listTop = box.current.getBoundingClientRect().top + scrollY;
    const covered = { coveredTop: head + 8, coveredBottom: 96 };
    const to = scrollToShow(index, height, listTop, { top: scrollY, height: innerHeight, ...covered });
    if (to !== undefined) scrollTo(0, index === 0 ? 0 : to);
    focusWhenShown(row.id);
  };
  /** Runs an action on the active row. @returns false if there is no active row */
  const act = (work: (link: Link) => void) => () => {
    const one = link();
    if (one !== undefined) work(one);
    return one !== undefined;
  };
  /**
   * Runs an action on the selected links, or on the active row if nothing is selected. @returns false if there is no
   * link
   */
  const actOnAll = (work: (links: readonly Link[]) => void) => () => {
    const { ids } = selection.peek();
    const links = ids.size > 0 ? rows().filter(({ id }) => ids.has(id)) : [link() ?? []].flat();
    if (links.length > 0) work(links);
    return links.length > 0;
  };
  return { rows, hasFocus, index, indexAfter, link, focus, act, actOnAll };
}

/** Registers a list's keyboard shortcuts. Shortcuts act on the active row, or on the selected links, if any. */
function useListKeys(list: LinkList, active: ReturnType<typeof activeRow>): void {
  const { rows, hasFocus } = active;
  const idsOfRows = () => rows().map(({ id }) => id);
  const move = (by: number) => () => {
    if (openDialogName.peek() !== undefined || rows().length === 0) return false;
    const isFirst = !hasFocus() && activeId.peek() === undefined;
    active.focus(isFirst ? 0 : active.indexAfter(by));
    return true;
  };
  const extendBy = (by: number) => () => {
    const link = active.link();
    if (link === undefined) return false;
    if (selection.peek().anchor === undefined) selection.value = toggle(nothing, link.id);
    const index = active.indexAfter(by);
    const next = rows()[index];
    if (next !== undefined) selection.value = extend(selection.peek(), idsOfRows(), next.id);
    active.focus(index);
    return true;
  };
  const ask = (dialog: 'move' | 'tag') =>
    active.actOnAll(() => {
      bulkDialog.value = dialog;
    });
  const select = active.act((link) => {
    selection.value = toggle(selection.peek(), link.id);
  });
  const open = active.act((link) => go(pageOf(link)));
  const remove = active.actOnAll((links) => {
    if (selection.peek().isAll) {
      removeSelected(list);
      return;
    }
    const index = active.index();
    selection.value = nothing;
    void deleteLinks(links);
    active.focus(Math.min(index, rows().length - 1));
  });
  const onRow = () => document.activeElement?.getAttribute('role') === 'row';
  useShortcuts({
    arrowdown: move(1),
    arrowup: move(-1),
    j: move(1),
    k: move(-1),
    'shift+arrowdown': extendBy(1),
    'shift+arrowup': extendBy(-1),
    home: () => (hasFocus() ? active.focus(0) : false),
    end: () => (hasFocus() ? active.focus(rows().length - 1) : false),
    x: select,
    ' ': () => onRow() && select(),
    'mod+a': () => {
      selection.value = selectAll(selection.peek(), idsOfRows(), list.total.peek() ?? 0);
    },
    enter: () => onRow() && open(),
    y: active.act((link) => void copyLink(link)),
    e: active.act((link) => openDialog('edit', referenceOf(link))),
    q: active.act((link) => openDialog('qr', referenceOf(link))),
    m: ask('move'),
    t: ask('tag'),
    backspace: remove,
    delete: remove,
    escape: () => {
      if (selection.peek().ids.size === 0) return false;
      selection.value = nothing;
      return true;
    },
  });
}

/** Whether the list had the focus before the focused row disappeared. */
let wasHere = false;
/** Id of the row that had the focus, if any. */
let rowOfFocus: string | undefined;

/** Returns true if the list lost the focus because the focused element disappeared. */
export function isFocusLost(): boolean {
  return wasHere && (document.activeElement === null || document.activeElement === document.body);
}

/** Focuses a newly created link. When the focused row disappears, focuses the next row. */
function useKeptFocus(
  rows: readonly Link[],
  box: { readonly current: HTMLElement | null },
  focusRow: (index: number) => void,
): void {
  useEffect(() => {
    const note = (event: FocusEvent) => {
      const { target } = event;
      if (!(target instanceof Element)) return;
      wasHere = target.closest('.list, .bulk-bar, .toast, .state-page') !== null;
      rowOfFocus = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  const fresh = rows.findIndex(({ id }) => id === freshId.value);
  const isCovered = openDialogName.value !== undefined || bulkDialog.value !== undefined;
  useEffect(() => {
    if (fresh >= 0 && !isCovered) focusRow(fresh);
  }, [fresh, isCovered]);
  const place = useRef(0);
  const before = useRef<readonly Link[]>([]);
  useEffect(() => {
    const hasFocusedRow = (some: readonly Link[]) => some.some(({ id }) => id === rowOfFocus);
    const { activeElement } = document;
    if (box.current?.contains(activeElement))
      place.current = rows.findIndex(({ id }) => id === activeId.peek());
    else if (isFocusLost() && rows.length > 0 && !isCovered) {
      // If the focused row was merely scrolled out of view, don't move the focus.
      const isOutOfWindow = hasFocusedRow(before.current) && hasFocusedRow(rows);
      const active = rows.findIndex(({ id }) => id === activeId.peek());
      const to = active >= 0 ? active : Math.max(0, place.current);
      if (!isOutOfWindow) focusRow(Math.min(to, rows.length - 1));
    }
    before.current = rows;
  }, [rows, isCovered]);
}
