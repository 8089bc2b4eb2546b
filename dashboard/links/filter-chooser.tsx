import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { moveByKeys } from '../components/menu.tsx';
import { Popover } from '../components/popover.tsx';
import { hasSeveral, usableDomains } from '../data/domains.ts';
import { folders, tags } from '../data/groups.ts';
import { type FilterName, filterNames, type LinkQuery, statuses } from '../data/links/query.ts';
import { number } from '../texts/format.ts';
import { t } from './texts.ts';

interface ChooserProps {
  readonly query: LinkQuery;
  /** The filter of the chip that is edited. */
  readonly start: FilterName | undefined;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onSet: (name: FilterName, value: string | null) => void;
  readonly onClose: () => void;
}

/** What to filter by, and beside it by which value. */
export function FilterChooser({ query, start, anchor, onSet, onClose }: ChooserProps) {
  const name = useSignal(start);
  return (
    <Popover anchor={anchor} class="menu filter-menu" label={t.links.filter} onClose={onClose}>
      <div class="filter-panes">
        {start === undefined && (
          <div role="menu" aria-label={t.links.filter} onKeyDown={moveByKeys}>
            {filterNames
              .filter((each) => each !== 'domain' || hasSeveral.value)
              .map((each, at) => (
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
    </Popover>
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
            <span class="cut" dir="auto">
              {option.label}
            </span>
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
    case 'domain':
      return usableDomains.value.map(({ host: value, hostUnicode: label, linkCount: count }) => ({
        value,
        label,
        count,
      }));
    default:
      return [];
  }
}
