import { go, withQuery } from '../browser/location.ts';
import { MenuButton } from '../components/menu.tsx';
import { hasSeveral } from '../data/domains.ts';
import { exportAddress } from '../data/links/export-address.ts';
import { type LinkQuery, type SortField, sortChange, toInput } from '../data/links/query.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { t } from './texts.ts';

const offered: readonly (readonly [SortField, 'asc' | 'desc'])[] = [
  ['createdAt', 'desc'],
  ['createdAt', 'asc'],
  ['clicks', 'desc'],
  ['clicks', 'asc'],
  ['lastClickAt', 'desc'],
  ['updatedAt', 'desc'],
  ['expiresAt', 'asc'],
  ['title', 'asc'],
  ['title', 'desc'],
];

export function SortMenu({ query }: { readonly query: LinkQuery }) {
  const { sort, order } = query;
  return (
    <MenuButton
      kind="quiet"
      icon="sort"
      menuLabel={t.links.sortLabel}
      align="end"
      items={() =>
        offered.map(([field, direction]) => ({
          label: t.links.sorts[field][direction],
          isChosen: field === sort && direction === order,
          onSelect: () => go(withQuery(sortChange(field, direction))),
        }))
      }
    >
      {t.links.sorts[sort][order]}
    </MenuButton>
  );
}

/** Menu that exports all links in the list, loaded or not. */
export function ExportMenu({ query }: { readonly query: LinkQuery }) {
  return (
    <MenuButton
      kind="quiet"
      icon="download"
      label={t.links.export}
      menuLabel={t.links.export}
      align="end"
      items={() => [
        { label: t.links.exportCsv, href: exportAddress('links', 'csv', toInput(query)) },
        { label: t.links.exportNdjson, href: exportAddress('links', 'ndjson', toInput(query)) },
      ]}
    />
  );
}

const columns = {
  domain: 'columnDomain',
  where: 'columnFolder',
  last: 'columnLast',
  days: 'columnDays',
  created: 'columnCreated',
} as const;

/** Menu for visible columns and row height. */
export function ViewMenu() {
  const { hiddenColumns, density } = preferences.value;
  return (
    <MenuButton
      kind="quiet"
      icon="columns"
      menuLabel={t.links.columns}
      align="end"
      items={() => [
        ...Object.entries(columns)
          .filter(([name]) => name !== 'domain' || hasSeveral.value)
          .map(([name, text]) => ({
            label: t.links[text],
            isChosen: !hiddenColumns.includes(name),
            onSelect: () =>
              prefer({
                hiddenColumns: hiddenColumns.includes(name)
                  ? hiddenColumns.filter((hidden) => hidden !== name)
                  : [...hiddenColumns, name],
              }),
          })),
        undefined,
        {
          label: t.links.density,
          isChosen: density === 'compact',
          onSelect: () => prefer({ density: density === 'compact' ? 'comfortable' : 'compact' }),
        },
      ]}
    >
      {t.links.columns}
    </MenuButton>
  );
}
