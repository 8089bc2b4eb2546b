import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { cameBack, dialogAddress, go, query as params, withQuery } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { onSight } from '../browser/sight.ts';
import { Button } from '../components/button.tsx';
import { HoldKeys } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { Keys } from '../components/keys.tsx';
import { lazy } from '../components/lazy.tsx';
import { Empty, Failure } from '../components/states.tsx';
import { onBack, outage } from '../data/connection.ts';
import { folderName } from '../data/groups.ts';
import { moveLinks } from '../data/links/changes.ts';
import { changes, type LinkList, listFor, reload } from '../data/links/list.ts';
import { narrows, readQuery } from '../data/links/query.ts';
import { me } from '../data/session-state.ts';
import { writesWait } from '../data/writes.ts';
import { number } from '../texts/format.ts';
import { useArchived } from './archived.ts';
import { BulkBar } from './bulk.tsx';
import { dropLinks } from './drop.ts';
import { dropFilters, FilterBar } from './filters.tsx';
import { isFocusLost, Rows } from './rows.tsx';
import { nothing } from './selection.ts';
import { activeId, bulkDialog, selection } from './state.ts';
import { t } from './texts.ts';
import { ExportMenu, SortMenu, ViewMenu } from './view.tsx';
import { ViewsMenu } from './views-menu.tsx';

const Nearest = lazy(() => import('./nearest.tsx').then((module) => module.Nearest));
const BulkDialogs = lazy(() => import('./bulk-dialogs.tsx').then((module) => module.BulkDialogs));

/** Scroll positions of lists, by URL. */
const positions = new Map<string, { readonly top: number; readonly activeId: string | undefined }>();

export function Links() {
  const query = readQuery(params.value);
  const list = listFor(query);
  const shown = useShown(list);
  const title =
    query.folderId !== undefined && query.folderId !== 'none'
      ? t.links.inFolder(folderName(query.folderId) ?? '…')
      : query.tag !== undefined && !query.withoutTag
        ? t.links.withTag(query.tag)
        : t.links.title;
  useTitle(title);
  usePosition(list);
  const total = shown.total.value;
  const isOld = shown !== list;
  const archived = useArchived(query, total);
  const why = writesWait();

  useEffect(() => {
    dropLinks.value = (ids, folderId) =>
      void moveLinks(
        shown.rows.peek().filter((row) => ids.includes(row.id)),
        folderId,
      );
    return () => {
      dropLinks.value = undefined;
    };
  }, [shown]);

  return (
    <>
      <header class="page-head list-page-head">
        <div class="title">
          <h1>{title}</h1>
          {total !== undefined && <span class={`total ${isOld ? 'old' : ''}`}>{number(total)}</span>}
          {archived !== undefined && archived > 0 && !isOld && (
            <a class="small soft" href={withQuery({ status: 'archived' })}>
              {t.links.andArchived(archived)}
            </a>
          )}
        </div>
        <div class="actions">
          <span class="wide-only">
            <Button icon="upload" disabledReason={why} href={dialogAddress('many')}>
              {t.links.addMany}
            </Button>
          </span>
          <span class="wide-only">
            <Button icon="chart" disabledReason={why} href={dialogAddress('campaign')}>
              {t.links.newCampaign}
            </Button>
          </span>
          <span class="wide-only">
            <Button kind="primary" icon="plus" keys="c" disabledReason={why} href={dialogAddress('new')}>
              {t.act.newLink}
            </Button>
          </span>
        </div>
      </header>
      <div class="list-tools">
        <Search />
        <FilterBar query={query} />
        <div class="end">
          <SortMenu query={query} />
          <ViewsMenu query={query} />
          <span class="wide-only">
            <ViewMenu />
          </span>
          <ExportMenu query={query} />
        </div>
      </div>
      {shown.state.value === 'failed' ? (
        <Failure title={t.links.failed} error={shown.error.value} onRetry={() => void reload(list)} />
      ) : shown.state.value === 'ready' && shown.rows.value.length === 0 ? (
        <NothingHere list={shown} archived={archived} />
      ) : (
        <Rows list={shown} isLoading={shown.state.value === 'loading'} isOld={isOld} />
      )}
      {selection.value.ids.size > 0 && <BulkBar list={shown} disabledReason={why} />}
      {bulkDialog.value !== undefined && <HoldKeys onEscape={() => (bulkDialog.value = undefined)} />}
      {bulkDialog.value !== undefined && <BulkDialogs list={shown} />}
    </>
  );
}

/** Loads a list. The previous list stays visible until the new list is loaded. */
function useShown(list: LinkList): LinkList {
  const before = useRef(list);
  const stamp = changes.value;
  useEffect(() => {
    // Don't reload rows that were loaded a moment ago.
    if (Date.now() - list.readAt > 5_000) readAnew(list);
    return onBack(() => readAnew(list));
  }, [list, stamp]);
  useEffect(() => onSight(() => readAnew(list)), [list]);
  // While offline, the previous list stays visible.
  const isStuck =
    list.state.value === 'failed' && outage.value !== undefined && before.current.rows.value.length > 0;
  const isThere = !isStuck && (list.state.value !== 'loading' || list.rows.value.length > 0);
  if (isThere) before.current = list;
  return isThere ? list : before.current;
}

/** Reloads the visible rows. Selected rows stay loaded. */
function readAnew(list: LinkList): void {
  const { ids, isAll } = selection.peek();
  const rows = list.rows.peek();
  void reload(list, isAll || ids.size === 0 ? 0 : rows.findLastIndex(({ id }) => ids.has(id)) + 1);
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = t.title(title);
  }, [title]);
}

/** Restores the scroll position and active row after "back". A new list starts at the top. */
function usePosition(list: LinkList): void {
  const key = JSON.stringify(list.query);
  useLayoutEffect(() => {
    const place = positions.get(key);
    if (cameBack && place !== undefined) {
      activeId.value = place.activeId;
      scrollTo(0, place.top);
    } else if (cameBack) scrollTo(0, 0);
    const { pathname } = location;
    const keep = () => {
      // Ignore scrolling on the next screen, which scrolls to its top while this screen is still mounted.
      if (location.pathname === pathname) positions.set(key, { top: scrollY, activeId: activeId.peek() });
    };
    addEventListener('scroll', keep, { passive: true });
    const stop = activeId.subscribe(keep);
    return () => {
      removeEventListener('scroll', keep);
      stop();
    };
  }, [key]);
  // Use a layout effect, so that a selection made immediately after the render is kept.
  useLayoutEffect(() => {
    selection.value = nothing;
  }, [key]);
}

function Search() {
  const field = useRef<HTMLInputElement>(null);
  const given = params.value.get('q') ?? '';
  const text = useSignal(given);
  const timer = useRef(0);
  const lastSent = useRef(given);

  useEffect(() => {
    // The search in the URL was changed by the back button, a filter chip or a suggestion, not by typing.
    if (given !== lastSent.current) text.value = given;
    lastSent.current = given;
  }, [given]);
  // Use a layout effect, so that the field is focused before the user types the next letter.
  useLayoutEffect(() => {
    if (!params.value.has('focus')) return;
    field.current?.focus();
    go(withQuery({ focus: null }), { replace: true });
  }, [params.value.has('focus')]);
  useShortcuts({
    '/': () => field.current?.focus(),
  });

  const send = (value: string) => {
    lastSent.current = value;
    go(withQuery({ q: value.trim() === '' ? null : value }), { replace: true });
    scrollTo(0, 0);
  };
  return (
    <div class="input muted search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        maxLength={200}
        aria-label={t.links.searchLabel}
        placeholder={t.links.search}
        value={text.value}
        onInput={(event) => {
          const { value } = event.currentTarget;
          text.value = value;
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => send(value), 120);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            document.querySelector<HTMLElement>('.rows [role=row]')?.focus();
          } else if (event.key === 'Escape') {
            event.preventDefault();
            event.stopPropagation();
            if (text.value === '') field.current?.blur();
            text.value = '';
            clearTimeout(timer.current);
            send('');
          }
        }}
      />
      {text.value === '' ? (
        <Keys keys="/" />
      ) : (
        <button
          type="button"
          class="clear"
          aria-label={t.links.clearSearch}
          onClick={() => {
            text.value = '';
            send('');
            field.current?.focus();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

/** Focuses the first suggestion when the last row disappears while it has the focus. */
function useWayOn(): void {
  useEffect(() => {
    if (isFocusLost()) document.querySelector<HTMLElement>('.state-page .ways :is(a, button)')?.focus();
  });
}

interface NothingProps {
  readonly list: LinkList;
  /** Number of archived links. Undefined while unknown. */
  readonly archived: number | undefined;
}

function NothingHere({ list, archived }: NothingProps) {
  useWayOn();
  const why = writesWait();
  const { query } = list;
  const all = me.value?.usage.links ?? 0;
  const add = (
    <Button kind="primary" icon="plus" keys="c" disabledReason={why} href={dialogAddress('new')}>
      {t.act.newLink}
    </Button>
  );
  const ways = (
    <>
      {add}
      <Button icon="upload" disabledReason={why} href={dialogAddress('many')}>
        {t.links.addMany}
      </Button>
    </>
  );
  if (!narrows(query)) return <NoLinks add={add} ways={ways} archived={archived} />;
  const isFolderAlone = query.folderId !== undefined && !narrows({ ...query, folderId: undefined });
  if (isFolderAlone)
    return (
      <Empty title={t.links.emptyFolder(folderName(query.folderId) ?? t.noFolder)} hasPicture ways={ways}>
        {t.links.empty} {t.links.emptyMove}
      </Empty>
    );
  return (
    <Empty
      title={query.search === '' ? t.links.nothingFiltered : t.links.nothing(query.search)}
      isStacked
      ways={
        <>
          {query.search !== '' && <Nearest search={query.search} />}
          {query.search !== '' && (
            <Button size="small" onClick={() => go(withQuery({ q: null }))}>
              {t.links.clear}
            </Button>
          )}
          {dropFilters(query).map(({ label, href }) => (
            <Button key={label} size="small" href={href}>
              {t.links.remove(label)}
            </Button>
          ))}
        </>
      }
    >
      {t.links.searched(number(all))}
    </Empty>
  );
}

interface NoLinksProps extends Pick<NothingProps, 'archived'> {
  readonly add: ComponentChildren;
  readonly ways: ComponentChildren;
}

/** Empty state for an account without links, or with archived links only. */
function NoLinks({ add, ways, archived }: NoLinksProps) {
  useWayOn();
  if (archived === undefined) return null;
  if (archived === 0)
    return (
      <Empty title={t.links.emptyTitle} hasPicture ways={ways}>
        {t.links.empty}
      </Empty>
    );
  return (
    <Empty
      title={t.links.allArchived}
      hasPicture
      ways={
        <>
          {add}
          <Button href={withQuery({ status: 'archived' })}>{t.links.showArchived}</Button>
        </>
      }
    >
      {t.links.empty}
    </Empty>
  );
}
