import { useEffect, useRef, useState } from 'preact/hooks';
import { base, go, openDialog } from '../browser/location.ts';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import type { IconName } from '../components/icons.ts';
import { Keys } from '../components/keys.tsx';
import { api } from '../data/client.ts';
import { folders, tags } from '../data/groups.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { archiveLinks, copyLink, deleteLinks } from '../data/links/changes.ts';
import { beforeCode, type Link } from '../data/links/links.ts';
import { rowsNow } from '../data/links/list.ts';
import { findNear } from '../data/links/near.ts';
import { pageOf, referenceOf } from '../data/links/references.ts';
import { Hits } from '../fields/destination.tsx';
import { number } from '../texts/format.ts';
import { findMatches } from '../texts/matching.ts';
import { findActions } from './actions.ts';
import { isCommandOpen } from './state.ts';
import { t } from './texts.ts';

interface Command {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly more?: string;
  readonly end?: string;
  /** Key that runs the action on the selected link, once the user has pressed Tab. */
  readonly keys?: string;
  readonly link?: Link;
  readonly run: () => void;
}

interface Group {
  readonly title: string;
  readonly aside?: string;
  readonly commands: readonly Command[];
}

/**
 * Command menu. Lists exactly matching actions first, then links, actions for the selected link, and everything else.
 */
export function CommandMenu() {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [isActing, setActing] = useState(false);
  const found = useFound(text);

  const linkCommands = found.links.map(openCommand);
  const { meant, others } = findActions(text);
  const chosen = linkCommands[Math.max(0, Math.min(at - meant.length, linkCommands.length - 1))]?.link;
  const actions = chosen === undefined ? [] : actionsFor(chosen);
  const ofLinks: Group[] = [
    {
      title: found.isNear ? t.command.near : t.command.links,
      ...(found.total === undefined ? {} : { aside: t.command.of(found.links.length, found.total) }),
      commands: linkCommands,
    },
    ...(chosen === undefined ? [] : [{ title: t.command.doWith(chosen.shortCode), commands: actions }]),
  ];
  const groups: Group[] = [
    { title: t.command.actions, commands: meant },
    ...ofLinks,
    { title: t.command.elsewhere, commands: [...groupsFor(text), ...others, ...newLinkFor(text.trim())] },
  ].filter(({ commands }) => commands.length > 0);
  const all = groups.flatMap(({ commands }) => commands);
  const current = all[Math.min(at, all.length - 1)];

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    close();
    // Close the menu before the action opens its own dialog.
    setTimeout(command.run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = isActing ? actions.find(({ keys }) => keys === event.key.toLowerCase()) : undefined;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setAt((Math.min(at, all.length - 1) + by + all.length) % Math.max(1, all.length));
      setActing(false);
    } else if (event.key === 'Enter') run(current);
    else if (event.key === 'Tab' && !event.shiftKey && actions.length > 0) {
      setActing(true);
      setAt(meant.length + linkCommands.length);
    } else if (action !== undefined) run(action);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Dialog
      title={t.command.title}
      class="command"
      width="40rem"
      onClose={close}
      shortcuts={{ 'mod+k': close }}
    >
      <CommandField
        text={text}
        current={current}
        onText={(value) => {
          setText(value);
          setAt(0);
          setActing(false);
        }}
        onKeyDown={onKeyDown}
      />
      <CommandList
        groups={groups}
        current={current}
        search={text}
        onPoint={(command) => {
          if (command !== current && !isActing) setAt(all.indexOf(command));
        }}
        onRun={run}
      />
      <div class="command-foot" aria-hidden="true">
        <Keys keys="arrowup arrowdown" />
        <span>{t.command.choose}</span>
        <Keys keys="tab" />
        <span>{t.command.thenLetter}</span>
        <span class="end">{found.ms === undefined ? '' : t.command.took(found.ms)}</span>
      </div>
    </Dialog>
  );
}

function close(): void {
  isCommandOpen.value = false;
}

interface CommandFieldProps {
  readonly text: string;
  readonly current: Command | undefined;
  readonly onText: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function CommandField({ text, current, onText, onKeyDown }: CommandFieldProps) {
  return (
    <div class="command-field" onKeyDown={onKeyDown}>
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        autofocus
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        aria-label={t.command.title}
        aria-expanded="true"
        aria-controls="commands"
        aria-autocomplete="list"
        aria-activedescendant={current === undefined ? undefined : `command-${current.id}`}
        placeholder={t.command.placeholder}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <Keys keys="escape" />
    </div>
  );
}

interface CommandListProps {
  readonly groups: readonly Group[];
  readonly current: Command | undefined;
  readonly search: string;
  readonly onPoint: (command: Command) => void;
  readonly onRun: (command: Command) => void;
}

function CommandList({ groups, current, search, onPoint, onRun }: CommandListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);
  return (
    <div class="command-list" id="commands" role="listbox" aria-label={t.command.title} ref={list}>
      {groups.map(({ title, aside, commands }) => (
        <div key={title} role="group" aria-label={title}>
          <div class="group-head" aria-hidden="true">
            <span>{title}</span>
            <span>{aside}</span>
          </div>
          {commands.map((command) => (
            <CommandRow
              key={command.id}
              command={command}
              search={search}
              isCurrent={command === current}
              onPoint={() => onPoint(command)}
              onRun={() => onRun(command)}
            />
          ))}
        </div>
      ))}
      {groups.length === 0 && <p class="group-head">{t.command.nothing}</p>}
    </div>
  );
}

interface CommandRowProps {
  readonly command: Command;
  readonly search: string;
  readonly isCurrent: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

function CommandRow({ command, search, isCurrent, onPoint, onRun }: CommandRowProps) {
  const { id, icon, label, more, end, keys, link } = command;
  return (
    <div id={`command-${id}`} role="option" aria-selected={isCurrent} onMouseMove={onPoint} onClick={onRun}>
      <Icon name={icon} />
      <span class="cut">
        {link === undefined ? (
          label
        ) : (
          <>
            <span class="soft">{beforeCode(link.shortUrl)}</span>
            <Hits text={label} search={search} />
          </>
        )}
        {more !== undefined && (
          <span class="soft">
            {'  '}
            <Hits text={more} search={link === undefined ? '' : search} />
          </span>
        )}
      </span>
      <span class="end">
        {end}
        {keys !== undefined && <Keys keys={keys} />}
        {isCurrent && keys === undefined && <Keys keys="enter" />}
      </span>
    </div>
  );
}

interface LinkResults {
  readonly links: readonly Link[];
  readonly total: number | undefined;
  readonly ms: number | undefined;
  /** Set if no link matches exactly and `links` contains similar links. */
  readonly isNear?: boolean;
}

/** Finds links that match the search text once the user stops typing. Initially returns loaded links. */
function useFound(text: string): LinkResults {
  const [found, setFound] = useState<LinkResults>(() => ({
    links: rowsNow().slice(0, 4),
    total: undefined,
    ms: undefined,
  }));
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(
      () => void findLinks(text, controller.signal).then(setFound, () => {}),
      text === '' ? 0 : 90,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return found;
}

async function findLinks(text: string, signal: AbortSignal): Promise<LinkResults> {
  const from = performance.now();
  const search = text.trim();
  const wanted = ['title', 'expiresAt'] as const;
  const input = { limit: search === '' ? 4 : 6, include: wanted, ...(search === '' ? {} : { search }) };
  const { data, pagination } = await api.listLinks(input, { signal });
  const { total } = pagination;
  if (data.length === 0 && search !== '')
    return { links: await findNear(search, signal), total: undefined, ms: undefined, isNear: true };
  return { links: data, total: total ?? undefined, ms: Math.round(performance.now() - from) };
}

function openCommand(link: Link): Command {
  return {
    id: `link-${link.id}`,
    icon: 'link',
    label: link.shortCode,
    more: link.title || link.destinationUrl.replace(/^https?:\/\//, ''),
    end: number(link.clicks),
    link,
    run: () => go(pageOf(link)),
  };
}

function actionsFor(link: Link): readonly Command[] {
  const page = pageOf(link);
  return [
    { id: 'copy', icon: 'copy', label: t.command.copyShort, keys: 'y', run: () => void copyLink(link) },
    { id: 'statistics', icon: 'chart', label: t.places.statistics, keys: 's', run: () => go(page) },
    {
      id: 'edit',
      icon: 'pencil',
      label: t.act.edit,
      keys: 'e',
      run: () => openDialog('edit', referenceOf(link)),
    },
    { id: 'share', icon: 'share', label: t.command.share, run: () => openDialog('share', referenceOf(link)) },
    { id: 'codes', icon: 'link', label: t.command.codes, run: () => openDialog('codes', referenceOf(link)) },
    {
      id: 'archive',
      icon: 'archive',
      label: link.archived ? t.act.unarchive : t.act.archive,
      run: () => void archiveLinks([link], !link.archived),
    },
    { id: 'qr', icon: 'qr', label: t.act.qr, keys: 'q', run: () => openDialog('qr', referenceOf(link)) },
    { id: 'delete', icon: 'bin', label: t.act.delete, keys: 'd', run: () => void deleteLinks([link]) },
  ];
}

/** Returns the command that creates a link with the typed text as its destination or code. Empty if it is neither. */
function newLinkFor(text: string): readonly Command[] {
  const make = (label: string, given: Record<string, string>): readonly Command[] => [
    { id: 'new', icon: 'plus', label, run: () => openDialog('new', '', given) },
  ];
  const url = normalUrl(text);
  if (url !== undefined) return make(t.command.newTo(url), { url });
  return /^[a-z0-9][\w-]{2,49}$/i.test(text) ? make(t.command.newWithCode(text), { code: text }) : [];
}

function groupsFor(text: string): readonly Command[] {
  if (text.trim() === '') return [];
  const named = <G extends { readonly name: string }>(groups: readonly G[] = []) =>
    findMatches(groups, text, ({ name }) => [name], { allowsTypos: true }).slice(0, 4);
  return [
    ...named(folders.value).map(({ id, name, linkCount }) => ({
      id: `folder-${id}`,
      icon: 'folder' as const,
      label: t.command.folder(name),
      more: t.command.folderLinks(linkCount),
      run: () => go(`${base}/links?folder=${id}`),
    })),
    ...named(tags.value).map(({ id, name, linkCount }) => ({
      id: `tag-${id}`,
      icon: 'hash' as const,
      label: t.command.tag(name),
      more: t.command.folderLinks(linkCount),
      run: () => go(`${base}/links?tag=${encodeURIComponent(name)}`),
    })),
  ];
}
