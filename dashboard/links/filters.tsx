import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { go, withQuery } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { moveByKeys } from '../components/menu.tsx';
import { Popover } from '../components/popover.tsx';
import { folderName, folders, tags } from '../data/groups.ts';
import {
  type FilterName,
  filterChange,
  filterNames,
  flipTag,
  type LinkQuery,
  statuses,
} from '../data/links/query.ts';
import { longDate, number } from '../texts/format.ts';
import { t } from './texts.ts';

/** What a filter's value is called on its chip. */
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
  }
}

/** What a filter is called as a whole. */
function labelOf(name: FilterName, value: string, { withoutTag }: LinkQuery): string {
  const how = name === 'tag' && withoutTag ? [t.links.isNot] : [];
  return [t.links.filters[name], ...how, wordOf(name, value)].join(' ');
}

/** Every filter of a list in words. */
export function filterWords(query: LinkQuery): string[] {
  return filterNames.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [labelOf(name, value, query)];
  });
}

/** The filters that can be dropped, for a list in which nothing is left. */
export function dropFilters(query: LinkQuery): { readonly label: string; readonly href: string }[] {
  return filterNames.flatMap((name) => {
    const value = query[name];
    return value === undefined
      ? []
      : [
          {
            label: labelOf(name, value, query),
            href: withQuery(filterChange(name, null)),
          },
        ];
  });
}

/** The filters as chips, and the button that adds one. */
export function FilterBar({ query }: { readonly query: LinkQuery }) {
  const opened = useSignal<FilterName | 'menu' | undefined>(undefined);
  const anchor = useRef<HTMLElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const close = () => {
    opened.value = undefined;
  };
  useShortcuts({
    f: () => {
      (anchor as { current: HTMLElement | null }).current = adder.current;
      opened.value = 'menu';
    },
  });
  const set = (name: FilterName, value: string | null) => {
    close();
    go(withQuery(filterChange(name, value)));
  };
  return (
    <div class="filter-bar" onKeyDown={moveBetweenChips}>
      {filterNames.map((name) => {
        const value = query[name];
        if (value === undefined) return null;
        const label = labelOf(name, value, query);
        return (
          <span key={name} class="chip">
            {name === 'tag' && (
              <button
                type="button"
                class="flip"
                title={t.links.flip(label)}
                aria-label={t.links.flip(label)}
                onClick={() => go(withQuery(flipTag(query)))}
              >
                {t.links.filters.tag} {query.withoutTag ? t.links.isNot : t.links.is}
              </button>
            )}
            <button
              type="button"
              class="chip-words"
              data-filter={name}
              onClick={(event) => {
                (anchor as { current: HTMLElement | null }).current = event.currentTarget;
                opened.value = name;
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Backspace' && event.key !== 'Delete') return;
                event.preventDefault();
                event.stopPropagation();
                set(name, null);
              }}
            >
              {name !== 'tag' && t.links.filters[name]} <span class="value">{wordOf(name, value)}</span>
            </button>
            <button
              type="button"
              class="remove"
              aria-label={t.links.remove(label)}
              onClick={() => set(name, null)}
            >
              <Icon name="close" size={13} />
            </button>
          </span>
        );
      })}
      <Button
        kind="quiet"
        icon="filter"
        keys="f"
        rest={{ ref: adder, 'aria-haspopup': 'dialog', 'aria-expanded': opened.value === 'menu' }}
        onClick={() => {
          (anchor as { current: HTMLElement | null }).current = adder.current;
          opened.value = opened.value === undefined ? 'menu' : undefined;
        }}
      >
        {t.links.filter}
      </Button>
      {opened.value !== undefined && (
        <Popover anchor={anchor} class="menu filter-menu" label={t.links.filter} onClose={close}>
          <Chooser query={query} start={opened.value === 'menu' ? undefined : opened.value} onSet={set} />
        </Popover>
      )}
    </div>
  );
}

interface ChooserProps {
  readonly query: LinkQuery;
  /** The filter of the chip that is edited. */
  readonly start: FilterName | undefined;
  readonly onSet: (name: FilterName, value: string | null) => void;
}

/** What to filter by, and beside it by which value. */
function Chooser({ query, start, onSet }: ChooserProps) {
  const name = useSignal(start);
  return (
    <div class="filter-panes">
      {start === undefined && (
        <div role="menu" aria-label={t.links.filter} onKeyDown={moveByKeys}>
          {filterNames.map((each, at) => (
            <button
              key={each}
              type="button"
              role="menuitem"
              tabIndex={-1}
              data-first={at === 0 ? true : undefined}
              aria-expanded={name.value === each}
              class={name.value === each ? 'open' : ''}
              onClick={() => {
                name.value = each;
              }}
              onKeyDown={(event) => {
                if (event.key === 'ArrowRight') name.value = each;
              }}
            >
              {t.links.filters[each]}
              <span class="end">
                <Icon name="next" size={14} />
              </span>
            </button>
          ))}
        </div>
      )}
      {name.value !== undefined && (
        <Values
          key={name.value}
          name={name.value}
          value={query[name.value]}
          onSet={(value) => onSet(name.value as FilterName, value)}
        />
      )}
    </div>
  );
}

interface ValuesProps {
  readonly name: FilterName;
  readonly value: string | undefined;
  readonly onSet: (value: string | null) => void;
}

function Values({ name, value, onSet }: ValuesProps) {
  const text = useSignal(name === 'host' || name.startsWith('created') ? (value ?? '') : '');
  const focus = (element: HTMLElement | null) => element?.focus();
  if (name === 'host' || name === 'createdAfter' || name === 'createdBefore')
    return (
      <form
        class="filter-value"
        onSubmit={(event) => {
          event.preventDefault();
          onSet(text.value.trim() === '' ? null : text.value.trim());
        }}
      >
        <div class="input">
          <input
            {...(name === 'host'
              ? ({ type: 'text', placeholder: 'www.example.com' } as const)
              : ({ type: 'date' } as const))}
            aria-label={t.links.filters[name]}
            value={text.value}
            ref={focus}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </div>
        <Button kind="primary" size="small" type="submit" keys="enter">
          {t.apply}
        </Button>
      </form>
    );
  const all = optionsOf(name);
  const wanted = text.value.trim().toLowerCase();
  const shown = all.filter(({ label }) => label.toLowerCase().includes(wanted));
  return (
    <div class="filter-value" onKeyDown={moveByKeys}>
      {all.length > 8 && (
        <div class="input">
          <Icon name="search" />
          <input
            type="search"
            aria-label={t.links.filters[name]}
            value={text.value}
            ref={focus}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </div>
      )}
      <div role="menu" aria-label={t.links.filters[name]}>
        {shown.slice(0, 100).map((option, at) => (
          <button
            key={option.value}
            type="button"
            role="menuitemradio"
            aria-checked={option.value === value}
            tabIndex={-1}
            {...(at === 0 && all.length <= 8 ? { ref: focus } : {})}
            onClick={() => onSet(option.value)}
          >
            <span class="cut">{option.label}</span>
            {option.count !== undefined && <span class="end">{number(option.count)}</span>}
          </button>
        ))}
      </div>
    </div>
  );
}

function optionsOf(name: FilterName): readonly { value: string; label: string; count?: number }[] {
  switch (name) {
    case 'status':
      return statuses.map((value) => ({ value, label: t.states[value] }));
    case 'folderId':
      return [
        { value: 'none', label: t.noFolder },
        ...(folders.value ?? []).map(({ id, name: label, linkCount }) => ({
          value: id,
          label,
          count: linkCount,
        })),
      ];
    case 'tag':
      return (tags.value ?? []).map(({ name: label, linkCount }) => ({
        value: label,
        label,
        count: linkCount,
      }));
    default:
      return [];
  }
}

/** The arrow keys go from chip to chip. */
function moveBetweenChips(event: KeyboardEvent): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  const bar = event.currentTarget as HTMLElement;
  const chips = [...bar.querySelectorAll<HTMLElement>('.chip-words')];
  const at = chips.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  chips[(at + (event.key === 'ArrowRight' ? 1 : -1) + chips.length) % chips.length]?.focus();
}
