import type { ComponentChildren } from 'preact';
import { MenuButton, type MenuItem } from './menu.tsx';

/** The head of a column: its name; `wide` is left out on phones, `unseen` has no name to look at. */
export interface Column {
  readonly name: string;
  readonly class?: 'number' | 'wide' | 'number wide' | 'unseen';
}

interface LedgerProps {
  readonly columns: readonly Column[];
  readonly class?: string;
  /** Its rows. */
  readonly children: ComponentChildren;
}

/** Rows under a head: keys, folders, tags, the bin. */
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

/** What else can be done with a row. */
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
