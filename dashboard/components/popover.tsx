import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useShortcuts } from '../browser/shortcuts.ts';

interface PopoverProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  /** Edge of the anchor to align with. */
  readonly align?: 'start' | 'end';
  readonly class?: string;
  readonly role?: 'menu' | 'dialog' | 'presentation';
  readonly label?: string;
  /** Whether the focus stays where it is when the popover opens, such as in a combobox's field. */
  readonly leavesFocus?: boolean;
  readonly children: ComponentChildren;
}

/** Native popover next to its anchor, open while mounted. Clicking outside or pressing Esc closes the popover. */
export function Popover(props: PopoverProps) {
  const { anchor, onClose, align = 'start', role = 'dialog', label, leavesFocus = false, children } = props;
  const box = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const place = () => placeBeside(current, anchor.current, align);
    current.showPopover();
    place();
    if (!leavesFocus)
      (current.querySelector<HTMLElement>('[data-first], input, [tabindex], button, a') ?? current).focus();
    // Reposition the popover when its content grows, for example with new search results.
    const growth = new ResizeObserver(place);
    growth.observe(current);
    addEventListener('resize', place);
    addEventListener('scroll', place, { passive: true, capture: true });
    return () => {
      growth.disconnect();
      removeEventListener('resize', place);
      removeEventListener('scroll', place, { capture: true });
      const hadFocus = current.contains(document.activeElement);
      if (current.matches(':popover-open')) current.hidePopover();
      if (hadFocus) anchor.current?.focus();
    };
  }, []);
  useShortcuts({ escape: onClose }, { isModal: !leavesFocus });

  return (
    <div
      ref={box}
      popover={leavesFocus ? 'manual' : 'auto'}
      class={`popover ${props.class ?? ''}`}
      role={role}
      aria-label={label}
      {...(!leavesFocus && { tabIndex: -1 })}
      onToggle={(event) => {
        // The browser sends this event later. If the popover was removed in the meantime, another may already be open.
        if (event.currentTarget.isConnected && (event as unknown as ToggleEvent).newState === 'closed')
          onClose();
      }}
    >
      {children}
    </div>
  );
}

/** Minimum space for a list below a field, in px. */
export const minSpace = 180;
const gap = 6;
const margin = 12;

/**
 * Positions the popover below its anchor, or above if there is more space there. Keeps the popover within the window.
 */
function placeBeside(box: HTMLElement, anchor: HTMLElement | null, align: 'start' | 'end'): void {
  if (anchor === null) return;
  const at = anchor.getBoundingClientRect();
  const room = innerHeight - at.bottom - gap - margin;
  box.style.setProperty('--anchor', `${at.width}px`);
  box.style.setProperty('--room', `${room < minSpace ? innerHeight : room}px`);
  const width = box.offsetWidth;
  const height = box.offsetHeight;
  const isBelow = height <= room || at.top < innerHeight - at.bottom;
  const isRtl = getComputedStyle(anchor).direction === 'rtl';
  const left = (align === 'end') === isRtl ? at.left : at.right - width;
  box.style.setProperty('left', `${Math.max(margin, Math.min(left, innerWidth - width - margin))}px`);
  const top = isBelow ? at.bottom + gap : at.top - gap - height;
  box.style.setProperty('top', `${Math.max(margin, Math.min(top, innerHeight - height - margin))}px`);
}
