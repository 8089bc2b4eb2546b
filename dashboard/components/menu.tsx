import { useRef, useState } from 'preact/hooks';
import { Button, type ButtonProps } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { Keys } from './keys.tsx';
import { Popover } from './popover.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly keys?: string;
  readonly href?: string;
  /** Whether the item is checked. Set for checkable items only. */
  readonly isChosen?: boolean;
  readonly isDanger?: boolean;
  readonly disabledReason?: string | undefined;
  readonly onSelect?: () => void;
}

interface MenuProps extends Omit<ButtonProps, 'onClick' | 'href'> {
  /** Returns the items. Undefined stands for a separator. */
  readonly items: () => readonly (MenuItem | undefined)[];
  readonly menuLabel: string;
  readonly align?: 'start' | 'end';
}

/** Button that opens a menu. Arrow keys move, letters jump to an item, Enter selects, Esc returns to the button. */
export function MenuButton({ items, menuLabel, align, rest, ...button }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        {...button}
        onClick={() => setOpen(!isOpen)}
        rest={{ ...rest, ref: anchor, 'aria-haspopup': 'menu', 'aria-expanded': isOpen }}
      />
      {isOpen && (
        <Popover
          anchor={anchor}
          align={align ?? 'start'}
          class="menu"
          role="menu"
          label={menuLabel}
          onClose={() => setOpen(false)}
        >
          <Items items={items()} onDone={() => setOpen(false)} />
        </Popover>
      )}
    </>
  );
}

function Items({ items, onDone }: { items: readonly (MenuItem | undefined)[]; onDone: () => void }) {
  const chosen = items.findIndex((item) => item?.isChosen);
  return (
    <div onKeyDown={moveByKeys} role="presentation">
      {items.map((item, at) => {
        if (item === undefined) return <hr key={at} />;
        const common = {
          key: item.label,
          role: item.isChosen === undefined ? 'menuitem' : 'menuitemradio',
          'aria-checked': item.isChosen,
          'aria-disabled': item.disabledReason === undefined ? undefined : true,
          title: item.disabledReason,
          tabIndex: -1,
          'data-first': at === Math.max(0, chosen) ? true : undefined,
          class: item.isDanger ? 'danger' : '',
          onClick: () => {
            if (item.disabledReason !== undefined) return;
            onDone();
            item.onSelect?.();
          },
        } as const;
        const content = (
          <>
            {item.isChosen === undefined ? (
              item.icon !== undefined && <Icon name={item.icon} />
            ) : item.isChosen ? (
              <Icon name="check" />
            ) : (
              <svg width="16" height="16" aria-hidden="true" />
            )}
            {item.label}
            {item.disabledReason !== undefined && <span class="reason">{item.disabledReason}</span>}
            {item.keys !== undefined && (
              <span class="end">
                <Keys keys={item.keys} />
              </span>
            )}
          </>
        );
        return item.href === undefined ? (
          <button type="button" {...common}>
            {content}
          </button>
        ) : (
          <a href={item.href} {...common}>
            {content}
          </a>
        );
      })}
    </div>
  );
}

/** Handles keyboard navigation as in the ARIA menu pattern. */
export function moveByKeys(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const items = [...list.querySelectorAll<HTMLElement>('[role^="menuitem"], [role="option"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = nextItem(
    event.key,
    at,
    items.map((item) => item.textContent ?? ''),
  );
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}

/**
 * Returns the index of the item that a key press selects, starting from the item at `at`. Returns undefined if the menu
 * ignores the key.
 */
function nextItem(key: string, at: number, labels: readonly string[]): number | undefined {
  const { length } = labels;
  if (key === 'ArrowDown') return (at + 1) % length;
  if (key === 'ArrowUp') return (at - 1 + length) % length;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  if (key.length !== 1 || key === ' ') return undefined;
  const order = labels.map((_, step) => (at + 1 + step) % length);
  return order.find((index) => labels[index]?.trim().toLowerCase().startsWith(key.toLowerCase()));
}
