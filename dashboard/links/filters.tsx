import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { go, withQuery } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { lazy } from '../components/lazy.tsx';
import { domainOf } from '../data/domains.ts';
import { folderName } from '../data/groups.ts';
import {
  type FilterName,
  filterChange,
  filterNames,
  flipTag,
  type LinkQuery,
  type statuses,
} from '../data/links/query.ts';
import { longDate } from '../texts/format.ts';
import { t } from './texts.ts';

const FilterChooser = lazy(() => import('./filter-chooser.tsx').then((module) => module.FilterChooser));

/** Returns the label for a filter's value. */
function wordOf(name: FilterName, value: string): string {
  switch (name) {
    case 'status':
      return t.states[value as (typeof statuses)[number]];
    case 'folderId':
      return value === 'none' ? t.noFolder : (folderName(value) ?? '…');
    case 'createdAfter':
    case 'createdBefore':
      return longDate(`${value}T00:00`);
    case 'tag':
    case 'host':
      return value;
    case 'domain':
      return domainOf(value)?.hostUnicode ?? value;
  }
}

/** Returns a filter's label, which includes the value. */
function labelOf(name: FilterName, value: string, { withoutTag }: LinkQuery): string {
  const how = name === 'tag' && withoutTag ? [t.links.isNot] : [];
  return [t.links.filters[name], ...how, wordOf(name, value)].join(' ');
}

/** Describes a list's active filters. */
export function filterWords(query: LinkQuery): string[] {
  return filterNames.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [labelOf(name, value, query)];
  });
}

/** Returns the filters that the user can remove from a list without results. */
export function dropFilters(query: LinkQuery): { readonly label: string; readonly href: string }[] {
  return filterNames.flatMap((name) => {
    const value = query[name];
    if (value === undefined) return [];
    return { label: labelOf(name, value, query), href: withQuery(filterChange(name, null)) };
  });
}

/** Chips for the active filters, and the button that adds a filter. */
export function FilterBar({ query }: { readonly query: LinkQuery }) {
  const opened = useSignal<FilterName | 'menu' | undefined>(undefined);
  const anchor = useRef<HTMLElement | null>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const open = (what: FilterName | 'menu', at: HTMLElement | null) => {
    anchor.current = at;
    opened.value = what;
  };
  const close = () => {
    opened.value = undefined;
  };
  useShortcuts({ f: () => open('menu', adder.current) });
  const set = (name: FilterName, value: string | null) => {
    close();
    go(withQuery(filterChange(name, value)));
  };
  return (
    <div class="filter-bar" onKeyDown={moveBetweenChips}>
      {filterNames.map((name) => (
        <Chip
          key={name}
          name={name}
          query={query}
          onOpen={(at) => open(name, at)}
          onRemove={() => set(name, null)}
        />
      ))}
      <Button
        kind="quiet"
        icon="filter"
        keys="f"
        rest={{ ref: adder, 'aria-haspopup': 'dialog', 'aria-expanded': opened.value === 'menu' }}
        onClick={() => (opened.value === undefined ? open('menu', adder.current) : close())}
      >
        {t.links.filter}
      </Button>
      {opened.value !== undefined && (
        <FilterChooser
          query={query}
          start={opened.value === 'menu' ? undefined : opened.value}
          anchor={anchor}
          onSet={set}
          onClose={close}
        />
      )}
    </div>
  );
}

interface ChipProps {
  readonly name: FilterName;
  readonly query: LinkQuery;
  readonly onOpen: (chip: HTMLElement) => void;
  readonly onRemove: () => void;
}

/** Chip for a filter. Renders nothing if the filter is not set. */
function Chip({ name, query, onOpen, onRemove }: ChipProps) {
  const value = query[name];
  if (value === undefined) return null;
  const tagIs = `${t.links.filters.tag} ${query.withoutTag ? t.links.isNot : t.links.is}`;
  const flip = t.links.flip(`${tagIs} ${value}`);
  return (
    <span class="chip">
      {name === 'tag' && (
        <button
          type="button"
          class="flip"
          title={flip}
          aria-label={flip}
          onClick={() => go(withQuery(flipTag(query)))}
        >
          {tagIs}
        </button>
      )}
      <button
        type="button"
        class="chip-words"
        data-filter={name}
        onClick={(event) => onOpen(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'Backspace' && event.key !== 'Delete') return;
          event.preventDefault();
          event.stopPropagation();
          onRemove();
        }}
      >
        {name !== 'tag' && t.links.filters[name]} <span class="value">{wordOf(name, value)}</span>
      </button>
      <button
        type="button"
        class="remove"
        aria-label={t.links.remove(labelOf(name, value, query))}
        onClick={onRemove}
      >
        <Icon name="close" size={13} />
      </button>
    </span>
  );
}

/** Moves the focus between chips with the arrow keys. */
function moveBetweenChips(event: KeyboardEvent): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  const bar = event.currentTarget as HTMLElement;
  const chips = [...bar.querySelectorAll<HTMLElement>('.chip-words')];
  const at = chips.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  chips[(at + (event.key === 'ArrowRight' ? 1 : -1) + chips.length) % chips.length]?.focus();
}
