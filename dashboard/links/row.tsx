import { copyText } from '../browser/clipboard.ts';
import { base, dialogAddress, go } from '../browser/location.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { failureOf } from '../components/destination-check.ts';
import { Icon } from '../components/icon.tsx';
import type { IconName } from '../components/icons.ts';
import { MenuButton } from '../components/menu.tsx';
import { StatusDot, Tags } from '../components/pieces.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import { folderName } from '../data/groups.ts';
import { archiveLinks, deleteLinks } from '../data/links/changes.ts';
import { type Link, otherHost, stateOf } from '../data/links/links.ts';
import { pageOf, referenceOf } from '../data/links/references.ts';
import { Destination, Hits } from '../fields/destination.tsx';
import { dateAndTime, number, relative, shortDate } from '../texts/format.ts';
import { dragged } from './drop.ts';
import { nothing } from './selection.ts';
import { activeId, bulkDialog, selection, swipedId } from './state.ts';
import { t } from './texts.ts';

export interface RowProps {
  readonly link: Link;
  readonly index: number;
  readonly search: string;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isFresh: boolean;
  readonly onSelect: (id: string, isRange: boolean) => void;
}

export function Row({ link, index, search, isActive, isSelected, isFresh, onSelect }: RowProps) {
  const state = stateOf(link);
  const href = pageOf(link);
  const folder = folderName(link.folderId);
  const tabIndex = isActive ? 0 : -1;
  const isSwiped = swipedId.value === link.id;
  return (
    <div
      class={`row ${state} ${isSwiped ? 'swiped' : ''} ${isSelected ? 'selected' : ''} ${isFresh ? 'fresh' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={link.id}
      tabIndex={tabIndex}
      draggable
      onFocus={() => {
        activeId.value = link.id;
      }}
      onClick={(event) => {
        const isOther = (event.target as Element).closest('a, button, input, [popover]') !== null;
        if (isOther) return;
        if (event.shiftKey || event.metaKey || event.ctrlKey) onSelect(link.id, event.shiftKey);
        else if (getSelection()?.isCollapsed !== false) go(href);
      }}
      onDragStart={(event) => {
        const { ids } = selection.peek();
        dragged.value = ids.has(link.id) ? [...ids] : [link.id];
        event.dataTransfer?.setData('text/uri-list', link.shortUrl);
      }}
      onDragEnd={() => {
        dragged.value = [];
      }}
      {...touches(
        () => onSelect(link.id, false),
        (isOpen) => {
          swipedId.value = isOpen ? link.id : undefined;
        },
      )}
    >
      <span class="mark" role="gridcell">
        <StatusDot state={state} />
        <input
          type="checkbox"
          class="check"
          tabIndex={-1}
          checked={isSelected}
          aria-label={t.links.select(referenceOf(link))}
          onClick={(event) => {
            onSelect(link.id, event.shiftKey);
            // The browser has toggled the checkbox. Restore its state from the selection, in case the row is not
            // re-rendered.
            const { ids, isAll } = selection.peek();
            event.currentTarget.checked = isAll || ids.has(link.id);
          }}
        />
      </span>
      <What link={link} search={search} tabIndex={tabIndex} />
      <span class="where" role="gridcell">
        {folder !== undefined && (
          <a class="in plain" href={`${base}/links?folder=${link.folderId}`} tabIndex={-1} title={folder}>
            <Icon name="folder" size={14} />
            <span class="cut" dir="auto">
              {folder}
            </span>
          </a>
        )}
        <span class="tags">
          <Tags names={link.tags ?? []} />
        </span>
      </span>
      <span class="last" role="gridcell" title={link.lastClickAt ? dateAndTime(link.lastClickAt) : undefined}>
        {link.lastClickAt && relative(link.lastClickAt)}
      </span>
      <span class="days" role="gridcell">
        {link.clicksByDay !== undefined && (
          <Sparkline days={link.clicksByDay} hasEnded={state === 'expired'} />
        )}
      </span>
      <span class="clicks" role="gridcell">
        {number(link.clicks)}
      </span>
      <span class="created" role="gridcell" title={dateAndTime(link.createdAt)}>
        <span class="date">{shortDate(link.createdAt)}</span>
        <Tools link={link} tabIndex={tabIndex} />
      </span>
      {isSwiped && (
        <span class="swipe-tools" role="gridcell">
          <CopyButton text={() => link.shortUrl} />
          <MenuButton icon="more" label={t.more} menuLabel={t.more} align="end" items={() => itemsOf(link)} />
        </span>
      )}
    </div>
  );
}

interface CellProps {
  readonly link: Link;
  /** 0 in the active row, whose actions are reachable by keyboard; -1 in all other rows. */
  readonly tabIndex: number;
}

/** Cell with the link's code, title and destination. */
function What({ link, search, tabIndex }: CellProps & { readonly search: string }) {
  const host = otherHost(link.shortUrl);
  return (
    <span class="what" role="gridcell">
      <span class="line">
        <a class="code plain" href={pageOf(link)} tabIndex={-1} title={link.shortUrl}>
          {host !== '' && <span class="host">{host}</span>}
          <span class="slash">/</span>
          <b>
            <Hits text={link.shortCode} search={search} />
          </b>
        </a>
        <span class="row-copy">
          <CopyButton size="small" text={() => link.shortUrl} rest={{ tabIndex }} />
        </span>
        {link.title && (
          <span class="name cut" dir="auto" title={link.title}>
            <Hits text={link.title} search={search} />
          </span>
        )}
      </span>
      <span class="target cut" title={link.destinationUrl}>
        {link.archived && <span>{t.states.archived} · </span>}
        {link.managedBy && `${t.managedBy(link.managedBy)} · `}
        <StateWords link={link} />
        <Destination link={link} search={search} />
      </span>
    </span>
  );
}

/** Actions for the link. */
function Tools({ link, tabIndex }: CellProps) {
  const open = (dialog: 'qr' | 'edit', icon: IconName) => (
    <a
      class="button quiet small icon-only"
      href={dialogAddress(dialog, referenceOf(link))}
      aria-label={t.act[dialog]}
      title={t.act[dialog]}
      tabIndex={tabIndex}
    >
      <Icon name={icon} />
    </a>
  );
  return (
    <span class="row-tools">
      {open('qr', 'qr')}
      {open('edit', 'pencil')}
      <MenuButton
        kind="quiet"
        size="small"
        icon="more"
        label={t.more}
        menuLabel={t.more}
        align="end"
        rest={{ tabIndex }}
        items={() => itemsOf(link)}
      />
    </span>
  );
}

function itemsOf(link: Link) {
  const alone = (dialog: 'move' | 'tag' | 'expiry') => () => {
    activeId.value = link.id;
    if (!selection.peek().ids.has(link.id)) selection.value = nothing;
    bulkDialog.value = dialog;
  };
  return [
    {
      label: t.act.openShort,
      icon: 'external',
      onSelect: () => void window.open(link.shortUrl, '_blank', 'noreferrer'),
    },
    { label: t.links.copyDestination, icon: 'copy', onSelect: () => void copyText(link.destinationUrl) },
    {
      label: t.places.statistics,
      icon: 'chart',
      href: pageOf(link),
    },
    undefined,
    { label: t.links.move, icon: 'folder-move', keys: 'm', onSelect: alone('move') },
    { label: t.links.tag, icon: 'tag', keys: 't', onSelect: alone('tag') },
    { label: t.links.expiry, icon: 'clock', onSelect: alone('expiry') },
    {
      label: link.archived ? t.act.unarchive : t.act.archive,
      icon: 'archive',
      onSelect: () => void archiveLinks([link], !link.archived),
    },
    undefined,
    { label: t.act.delete, icon: 'bin', keys: 'backspace', onSelect: () => void deleteLinks([link]) },
  ] as const;
}

/** Shows the status as text, before the destination. */
function StateWords({ link }: { readonly link: Link }) {
  const state = stateOf(link);
  if (state === 'failing' && link.destinationCheck)
    return <span class="failing-words">{failureOf(link.destinationCheck)} · </span>;
  if (state === 'scheduled' || state === 'disabled' || state === 'exhausted')
    return <span>{t.states[state]} · </span>;
  if (state === 'active' || state === 'failing' || !link.expiresAt) return null;
  if (state === 'expired') return <span>{t.links.expired(shortDate(link.expiresAt))} · </span>;
  return (
    <>
      <span class="soon-words">{t.links.expires(relative(link.expiresAt))}</span>
      {' · '}
    </>
  );
}

const longMs = 450;
const farPx = 48;

/** The current touch. Stored outside the row, because selecting a row re-renders it. */
const press = { timer: 0, isLong: false, x: 0, y: 0 };

/**
 * Returns handlers for touch gestures. A long press selects the row; while links are selected, a tap also selects the
 * row. A swipe to the left shows the row's actions.
 */
function touches(select: () => void, swipe: (isOpen: boolean) => void) {
  const stop = () => clearTimeout(press.timer);
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      Object.assign(press, { isLong: false, x: touches[0]?.clientX ?? 0, y: touches[0]?.clientY ?? 0 });
      press.timer = window.setTimeout(() => {
        press.isLong = true;
        select();
      }, longMs);
    },
    onTouchMove: ({ touches }: TouchEvent) => {
      const [x, y] = [(touches[0]?.clientX ?? 0) - press.x, (touches[0]?.clientY ?? 0) - press.y];
      if (Math.abs(x) > 8 || Math.abs(y) > 8) stop();
      if (Math.abs(x) > farPx && Math.abs(x) > 2 * Math.abs(y)) swipe(x < 0);
    },
    onTouchEnd: stop,
    onTouchCancel: stop,
    onClickCapture: (event: MouseEvent) => {
      const isTouch = (event as PointerEvent).pointerType === 'touch';
      const isControl = (event.target as Element).closest('button, input, [popover]') !== null;
      if (!press.isLong && !(isTouch && selection.peek().ids.size > 0 && !isControl)) return;
      event.preventDefault();
      event.stopPropagation();
      if (!press.isLong) select();
      press.isLong = false;
    },
  };
}
