import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Shortcuts } from '../browser/keyboard.ts';
import { address, base, dialogAddress, go, openDialog, openDialogName } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { isCommandOpen } from '../command/state.ts';
import { Button } from '../components/button.tsx';
import { Icon, Mark } from '../components/icon.tsx';
import type { IconName } from '../components/icons.ts';
import { Keys } from '../components/keys.tsx';
import { lazy } from '../components/lazy.tsx';
import { Empty } from '../components/states.tsx';
import { Toast } from '../components/toast.tsx';
import { showFailure } from '../data/explain.ts';
import { folders, tags } from '../data/groups.ts';
import { may, me } from '../data/session-state.ts';
import { undoLast } from '../data/undo.ts';
import { acceptDrop } from '../links/drop.ts';
import { hasBulkBar } from '../links/state.ts';
import { number } from '../texts/format.ts';
import { Notices } from './notices.tsx';
import { t } from './texts.ts';

const CommandMenu = lazy(() => import('../command/command.tsx').then((module) => module.CommandMenu));

/** Whether the sidebar is open as an overlay, in windows that are too narrow for a permanent sidebar. */
const isSideOpen = signal(false);

export function Shell({ children }: { readonly children: ComponentChildren }) {
  useEverywhereKeys();
  usePastedAddress();
  useEffect(() => {
    isSideOpen.value = false;
  }, [address.value.href]);
  return (
    <div class="shell">
      <button type="button" class="skip unseen button primary" onClick={skipToContent}>
        {t.shell.skip}
      </button>
      <Side />
      {isSideOpen.value && (
        <div class="side-veil" role="presentation" onClick={() => (isSideOpen.value = false)} />
      )}
      <main class="main" id="content" tabIndex={-1}>
        <Notices />
        {children}
      </main>
      <BottomBar />
      <Toast onUndo={undo} isAboveBar={hasBulkBar.value} />
      {isCommandOpen.value && <CommandMenu />}
    </div>
  );
}

function skipToContent(): void {
  document.getElementById('content')?.focus();
}

function undo(): Promise<boolean> {
  return undoLast(showFailure);
}

function useEverywhereKeys(): void {
  const to = (path: string) => () => go(base + path);
  const shortcuts: Shortcuts = {
    c: () => openDialog('new'),
    'mod+k': () => {
      isCommandOpen.value = true;
    },
    '?': () => openDialog('help'),
    '[': () => {
      isSideOpen.value = !isSideOpen.value;
    },
    z: () => void undo(),
    '/': () => go(`${base}/links?focus`),
    'g h': to(''),
    'g l': to('/links'),
    'g s': to('/statistics'),
    'g k': to('/keys'),
    'g b': to('/bin'),
    'g f': to('/folders'),
    'g t': to('/tags'),
    escape: () => {
      if (!isSideOpen.value) return false;
      isSideOpen.value = false;
      return true;
    },
  };
  useShortcuts(shortcuts, { isEverywhere: true });
}

/**
 * Opens the builder when a URL is pasted outside any text field, or "Add links in bulk" when several lines are pasted.
 */
function usePastedAddress(): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { target } = event;
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      if (openDialogName.peek() !== undefined || isCommandOpen.peek()) return;
      const text = event.clipboardData?.getData('text/plain').trim() ?? '';
      if (!/^https?:\/\/\S/i.test(text)) return;
      event.preventDefault();
      if (text.includes('\n')) openDialog('many', '', { text });
      else openDialog('new', '', { url: text });
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, []);
}

interface PlaceProps {
  /** Path below `/dashboard`. */
  readonly path: string;
  /** Link target if different from the screen at `path`. */
  readonly href?: string;
  readonly icon: IconName;
  readonly label: string;
  readonly count?: number | undefined;
  readonly isHere?: boolean;
  /** Folder id, if links can be dropped on this entry. */
  readonly folderId?: string;
  readonly class?: string;
}

function Place(props: PlaceProps) {
  const { path, href = base + path, icon, label, count, isHere = isAt(path), folderId } = props;
  return (
    <a
      class={`place ${props.class ?? ''}`}
      href={href}
      aria-current={isHere ? 'page' : undefined}
      title={label}
      {...(folderId === undefined ? {} : acceptDrop(folderId))}
    >
      <Icon name={icon} />
      <span class="cut" dir="auto">
        {label}
      </span>
      {count !== undefined && <span class="count">{number(count)}</span>}
    </a>
  );
}

function isAt(path: string): boolean {
  return address.value.pathname === base + path;
}

function Side() {
  const { pathname, searchParams } = address.value;
  const isLinks = (name: string, value: string | null) => isAt('/links') && searchParams.get(name) === value;
  return (
    <nav class={`sidebar ${isSideOpen.value ? 'open' : ''}`} aria-label={t.shell.main}>
      <a class="wordmark" href={base} aria-label="Linkfold">
        <Mark />
        <span>Linkfold</span>
      </a>
      <button
        type="button"
        class="jump"
        title={t.shell.search}
        onClick={() => {
          isCommandOpen.value = true;
        }}
      >
        <Icon name="search" />
        <span class="cut">{t.shell.search}</span>
        <Keys keys="mod+k" />
      </button>
      <Place path="" icon="home" label={t.places.home} />
      <Place
        path="/links"
        icon="link"
        label={t.places.links}
        count={me.value?.usage.links}
        isHere={isLinks('folder', null) && (!searchParams.has('tag') || searchParams.has('not'))}
      />
      <Place path="/statistics" icon="chart" label={t.places.statistics} />
      <Place path="/folders" icon="folder" label={t.places.folders} class="folders-icon" />
      <PlaceGroup
        path="/folders"
        label={t.places.folders}
        class="folder-places"
        all={folders.value ?? []}
        place={({ id, name, linkCount }) => (
          <Place
            key={id}
            path={`/links?folder=${id}`}
            icon="folder"
            label={name}
            count={linkCount}
            folderId={id}
            isHere={isLinks('folder', id)}
          />
        )}
      >
        <a href={`${base}/folders?add`} aria-label={t.shell.newFolder} title={t.shell.newFolder}>
          <Icon name="plus" size={14} />
        </a>
      </PlaceGroup>
      <PlaceGroup
        path="/tags"
        label={t.places.tags}
        class="tag-places"
        all={(tags.value ?? []).toSorted((a, b) => b.linkCount - a.linkCount)}
        place={({ name, linkCount }) => (
          <Place
            key={name}
            path={`/links?tag=${encodeURIComponent(name)}`}
            icon="hash"
            label={name}
            count={linkCount}
            isHere={isLinks('tag', name) && !searchParams.has('not')}
          />
        )}
      />
      <div class="foot">
        <Place path="/bin" icon="bin" label={t.places.bin} />
        <Place
          path="/domains"
          icon="globe"
          label={t.places.domains}
          isHere={pathname.startsWith(`${base}/domains`)}
        />
        {may('people:write') && <Place path="/people" icon="people" label={t.places.people} />}
        {may('audit:read') && <Place path="/activity" icon="clock" label={t.places.activity} />}
        <Place path="/keys" icon="key" label={t.places.keys} />
        <Place path="/settings" icon="settings" label={t.places.settings} />
        {me.value !== undefined && (
          <Place
            path="/accounts"
            href={dialogAddress('accounts')}
            icon="person"
            label={me.value.person?.name ?? me.value.account}
          />
        )}
      </div>
    </nav>
  );
}

/** Maximum number of folders or tags per section. Keeps the first tags visible in a window 900 px high. */
const maxSidebarGroups = 8;

interface GroupProps<T> {
  readonly path: string;
  readonly label: string;
  readonly class: string;
  readonly all: readonly T[];
  readonly place: (one: T) => ComponentChildren;
  /** Content next to the heading, where it takes no extra space. */
  readonly children?: ComponentChildren;
}

/** Sidebar section with the first folders or tags, and a link to the full list. */
function PlaceGroup<T>({ path, label, class: name, all, place, children }: GroupProps<T>) {
  const href = base + path;
  return (
    <>
      {(children || all.length > 0) && (
        <div class="heading">
          <a class="plain-heading" href={href}>
            {label}
          </a>
          {children}
        </div>
      )}
      <div class={name}>
        {all.slice(0, maxSidebarGroups).map(place)}
        {all.length > maxSidebarGroups && (
          <a class="more plain" href={href}>
            {t.shell.showAll(all.length)}
          </a>
        )}
      </div>
    </>
  );
}

function BottomBar() {
  const item = (path: string, icon: IconName, label: string) => (
    <a href={base + path} aria-current={isAt(path) ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
    </a>
  );
  return (
    <nav class="bottom-bar" aria-label={t.shell.main}>
      {item('', 'home', t.places.home)}
      {item('/links', 'link', t.places.links)}
      <a class="make" href={dialogAddress('new')} aria-label={t.act.newLink}>
        <Icon name="plus" />
      </a>
      {item('/statistics', 'chart', t.places.statistics)}
      <button type="button" onClick={() => (isSideOpen.value = true)}>
        <Icon name="menu" />
        {t.more}
      </button>
    </nav>
  );
}

export function NotFound() {
  return (
    <Empty
      isScreen
      title={t.shell.notFound}
      ways={
        <Button kind="primary" href={`${base}/links`}>
          {t.places.toLinks}
        </Button>
      }
    >
      {t.shell.notFoundWay}
    </Empty>
  );
}
