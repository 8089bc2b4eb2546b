import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { type Option, Picker } from '../components/combobox.tsx';
import { Icon } from '../components/icon.tsx';
import { Popover } from '../components/popover.tsx';
import { hasSeveral, usableDomains } from '../data/domains.ts';
import { folderOptions, tagOptions } from '../data/groups.ts';
import { hostOf } from '../data/links/addresses.ts';
import { rowsNow } from '../data/links/list.ts';
import { type FilterName, filterNames, type LinkQuery, statuses } from '../data/links/query.ts';
import { number } from '../texts/format.ts';
import { t } from './texts.ts';

interface ChooserProps {
  readonly query: LinkQuery;
  /** Filter to edit. Undefined for a new filter. */
  readonly start: FilterName | undefined;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onSet: (name: FilterName, value: string | null) => void;
  readonly onClose: () => void;
}

/** Filter menu, followed by a menu of the selected filter's values. */
export function FilterChooser({ query, start, anchor, onSet, onClose }: ChooserProps) {
  const name = useSignal(start);
  const onBack = () => {
    name.value = undefined;
  };
  return (
    <Popover anchor={anchor} class="menu" label={t.links.filter} onClose={onClose}>
      {name.value === undefined ? (
        <Picker
          label={t.links.filter}
          options={filterNames
            .filter((each) => each !== 'domain' || hasSeveral.value)
            .map((value) => ({
              value,
              label: t.links.filters[value],
              aside: <Icon name="next" size={14} />,
            }))}
          opensList
          onTake={({ value }) => {
            name.value = value as FilterName;
          }}
        />
      ) : (
        <Values
          key={name.value}
          name={name.value}
          value={query[name.value]}
          onSet={(value) => onSet(name.value as FilterName, value)}
          onBack={onBack}
        />
      )}
    </Popover>
  );
}

interface ValuesProps {
  readonly name: FilterName;
  readonly value: string | undefined;
  readonly onSet: (value: string | null) => void;
  readonly onBack: () => void;
}

function Values({ name, value, onSet, onBack }: ValuesProps) {
  const label = t.links.filters[name];
  if (name === 'createdAfter' || name === 'createdBefore')
    return <DayForm label={label} value={value ?? ''} onSet={onSet} />;
  return (
    <Picker
      label={label}
      options={optionsOf(name)}
      {...(name === 'host' && { create: (text) => ({ value: text, label: t.use(text) }) })}
      isChosen={(one) => one === value}
      onTake={(option) => onSet(option.value)}
      onBack={onBack}
    />
  );
}

interface DayProps extends Pick<ValuesProps, 'onSet'> {
  readonly label: string;
  readonly value: string;
}

function DayForm({ label, value, onSet }: DayProps) {
  const day = useSignal(value);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <form
      class="filter-day"
      onSubmit={(event) => {
        event.preventDefault();
        onSet(day.value || null);
      }}
    >
      <div class="input">
        <input
          type="date"
          aria-label={label}
          value={day.value}
          ref={input}
          onInput={(event) => {
            day.value = event.currentTarget.value;
          }}
        />
      </div>
      <Button kind="primary" size="small" type="submit" keys="enter">
        {t.apply}
      </Button>
    </form>
  );
}

function optionsOf(name: FilterName): readonly Option[] {
  switch (name) {
    case 'status':
      return statuses.map((value) => ({ value, label: t.states[value] }));
    case 'folderId':
      return [{ value: 'none', label: t.noFolder }, ...folderOptions()];
    case 'tag':
      return tagOptions();
    case 'domain':
      return usableDomains.value.map(({ host, hostUnicode, linkCount }) => ({
        value: host,
        label: hostUnicode,
        aside: number(linkCount),
      }));
    default:
      // Omit hosts with a placeholder, because they can't be searched.
      return [...new Set(rowsNow().map(({ destinationUrl }) => hostOf(destinationUrl)))]
        .filter((host) => !host.includes('{'))
        .map((host) => ({ value: host, label: host }));
  }
}
