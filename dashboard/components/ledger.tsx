import type { ComponentChildren } from 'preact';
import { MenuButton, type MenuItem } from './menu.tsx';

/**
 * Column header. With class `wide`, the column is hidden on phones; with class `unseen`, the header is visually hidden.
 */
export interface Column {
  readonly name: string;
  readonly class?: 'number' | 'wide' | 'number wide' | 'unseen';
}

interface LedgerProps {
  readonly columns: readonly Column[];
  readonly class?: string;
  /** Table rows. */
  readonly children: ComponentChildren;
}

/** Table with column headers, for keys, folders, tags and deleted links. */
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

/** Menu with the additional actions for a row. */
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
