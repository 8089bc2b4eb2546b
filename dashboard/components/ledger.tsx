import type { ComponentChildren } from 'preact';
import { MenuButton, type MenuItem } from './menu.tsx';

/** Column header; `wide` columns are hidden on phones, `unseen` headers are visually hidden. */
export interface Column {
  readonly name: string;
  readonly class?: 'number' | 'wide' | 'number wide' | 'unseen';
}

interface LedgerProps {
  readonly columns: readonly Column[];
  readonly class?: string;
  /** Rows of the table. */
  readonly children: ComponentChildren;
}

/** Table of rows with headers: keys, folders, tags, deleted links. */
export function Ledger({ columns, class: name = '', children }: LedgerProps) {
  return (
    <table class={`ledger ${name}`}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" class={column.class === 'unseen' ? undefined : column.class}>
              {column.class === 'unseen' ? <span class="unseen">{column.name}</span> : column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** Further actions of a row. */
export function RowMenu({ label, items }: { label: string; items: () => readonly (MenuItem | undefined)[] }) {
  return (
    <MenuButton
      kind="quiet"
      size="small"
      icon="more"
      align="end"
      label={label}
      menuLabel={label}
      items={items}
    />
  );
}
