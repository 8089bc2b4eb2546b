import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { number } from '../texts/format.ts';
import { findMatches, spellings } from '../texts/matching.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { minSpace, Popover } from './popover.tsx';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Content on the right of the option, such as the number of uses. */
  readonly aside?: ComponentChildren;
  readonly icon?: IconName;
  /** Additional search terms for the option. */
  readonly words?: readonly string[];
  /** Whether selecting this option creates a value. */
  readonly isNew?: boolean;
}

interface ListProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly onTake: (option: Option) => void;
  /** Returns the last option, which creates a value from the typed text. */
  readonly create?: (text: string) => Option | undefined;
  readonly isChosen?: (value: string) => boolean;
}

const mostShown = 100;

/**
 * State of a combobox's list: the options that match the typed text, the active option, and the keyboard handling.
 * @param typed undefined until something is typed
 * @param isOpen whether the list is visible
 */
function useOptions(props: ListProps, typed: string | undefined, isOpen: boolean, preselects: boolean) {
  const { options, create, isChosen, onTake } = props;
  const listId = useId();
  /** Option reached with the arrow keys. Valid only while the list stays the same. */
  const [moved, setMoved] = useState<{ readonly list: string; readonly at: number }>();
  const text = typed ?? '';
  const found = findMatches(options, text, ({ label, words = [] }) => [label, ...words]);
  const exact = found.find((option) => isSame(option, text));
  const added = text.trim() === '' || exact !== undefined ? undefined : create?.(text.trim());
  const shown = [...found.slice(0, mostShown), ...(added === undefined ? [] : [{ ...added, isNew: true }])];
  const chosen = shown.findIndex(({ value }) => isChosen?.(value));
  const first = text !== '' || (preselects && chosen < 0) ? 0 : chosen;
  const ofNow = `${isOpen} ${typed}`;
  const at = Math.min(moved?.list === ofNow ? moved.at : first, shown.length - 1);
  useEffect(() => {
    if (isOpen && at >= 0) document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, at]);

  /** Moves the active option up or down, wrapping at the ends. */
  const move = (by: 1 | -1) => {
    const from = at < 0 && by < 0 ? 0 : at;
    if (shown.length > 0) setMoved({ list: ofNow, at: (from + by + shown.length) % shown.length });
  };
  const list = (
    <div id={listId} role="listbox" aria-label={t.suggestions} class="options">
      {shown.map((option, index) => (
        <div
          key={`${option.isNew} ${option.value}`}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === at}
          aria-checked={option.isNew ? undefined : isChosen?.(option.value)}
          // Keep the focus in the field, so that the list stays open until the click ends.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(option)}
        >
          {option.isNew ? (
            <Icon name="plus" size={14} />
          ) : (
            option.icon && <Icon name={option.icon} size={14} />
          )}
          <span class="cut" dir="auto">
            {option.label}
          </span>
          {option.aside !== undefined && <span class="end">{option.aside}</span>}
        </div>
      ))}
      {found.length > mostShown && (
        <p class="group" role="presentation">
          {t.moreOptions(number(found.length - mostShown))}
        </p>
      )}
    </div>
  );
  const field: InputHTMLAttributes<HTMLInputElement> = {
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: false,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? listId : undefined,
    'aria-autocomplete': 'list',
    'aria-activedescendant': isOpen && at >= 0 ? `${listId}-${at}` : undefined,
  };
  return { shown, active: shown[at], exact, added, first: found[0], move, list, field };
}

function isSame({ label, words = [] }: Option, text: string): boolean {
  const [wanted] = spellings(text);
  return [label, ...words].some((one) => one.toLowerCase() === text.trim().toLowerCase() || one === wanted);
}

interface ComboboxProps extends ListProps {
  readonly id: string;
  /** Text in the field until the user types something. */
  readonly value: string;
  /** Called with the typed text on every change. Set if any text is a valid value. */
  readonly onText?: (text: string) => void;
  /** Whether leaving the field or typing a comma adds the typed text as a value. */
  readonly takesText?: boolean;
  readonly onClear?: () => void;
  readonly onBackspace?: () => void;
  readonly placeholder?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean | undefined;
  readonly isFirst?: boolean | undefined;
  /** Returns the message to show if nothing matches. */
  readonly unknown?: (text: string) => string;
  /** Chips for the values, shown before the input. */
  readonly children?: ComponentChildren;
}

/**
 * Text field with a list that opens on focus. The first match is active. Enter selects the active option; Esc closes
 * the list.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: typing, keys, the pointer and blur share one state
export function Combobox(props: ComboboxProps) {
  const { id, value, onText, onTake, isInvalid, unknown = t.nothing } = props;
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState<string>();
  const [missing, setMissing] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const take = (option: Option) => {
    setOpen(false);
    setTyped(undefined);
    setMissing('');
    onTake(option);
  };
  const options = useOptions({ ...props, onTake: take }, typed, isOpen, false);
  const { active, exact, added, first, shown } = options;
  const isShown = isOpen && shown.length > 0;

  /**
   * Selects the option that matches the typed text.
   * @returns false if no option matches
   */
  const settle = () => {
    const text = typed?.trim();
    if (text === undefined || onText !== undefined) setTyped(undefined);
    else if (text === '') {
      setTyped(undefined);
      props.onClear?.();
    } else {
      const meant = exact ?? (props.takesText ? added : undefined) ?? first;
      if (meant === undefined) setMissing(text);
      else take(meant);
      return meant !== undefined;
    }
    return true;
  };
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }) => {
    const { key, currentTarget } = event;
    if (event.isComposing) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (isShown) options.move(key === 'ArrowDown' ? 1 : -1);
      else setOpen(true);
    } else if (key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      if (typed === undefined || onText !== undefined) return;
      event.stopPropagation();
      // Repeat the key press after selecting the option, so that the submitted form contains the option.
      const again = new KeyboardEvent('keydown', { ...pressOf(event), bubbles: true, cancelable: true });
      if (settle()) setTimeout(() => currentTarget.dispatchEvent(again));
    } else if (key === 'Enter') {
      if (!isShown) setOpen(true);
      if (isShown && active !== undefined) take(active);
      else if (typed?.trim() && onText === undefined) settle();
    } else if (key === ',' && props.takesText) settle();
    else if (key === 'Escape' && isShown) {
      event.stopPropagation();
      setOpen(false);
    } else {
      if (key === 'Backspace' && currentTarget.value === '') props.onBackspace?.();
      return;
    }
    event.preventDefault();
  };
  return (
    <>
      <div class="input combobox" ref={box}>
        {props.children}
        <input
          {...options.field}
          id={id}
          autofocus={props.isFirst}
          placeholder={props.placeholder}
          value={typed ?? value}
          aria-expanded={isShown}
          aria-describedby={props.describedBy}
          aria-invalid={isInvalid || missing !== '' ? true : undefined}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setMissing('');
            setOpen(true);
            onText?.(currentTarget.value);
          }}
          onFocus={({ currentTarget }) => {
            currentTarget.select();
            // On focus, keep the list closed if it would cover an error below the field. Also keep it closed if there
            // is no space below, because it would cover the content above.
            const { top, bottom } = currentTarget.getBoundingClientRect();
            const hasRoom = innerHeight - bottom > Math.min(minSpace, top);
            if (!isInvalid && hasRoom) setOpen(true);
          }}
          onMouseDown={(event) => {
            // Focus the field here, because the default action would also move the caret and clear the selection.
            if (document.activeElement === event.currentTarget) return;
            event.preventDefault();
            event.currentTarget.focus();
          }}
          onClick={() => setOpen(true)}
          onBlur={() => {
            setOpen(false);
            settle();
          }}
          onKeyDown={onKeyDown}
        />
        {isShown && (
          <Popover
            anchor={box}
            class="menu suggestions"
            role="presentation"
            leavesFocus
            onClose={() => setOpen(false)}
          >
            {options.list}
          </Popover>
        )}
      </div>
      {missing !== '' && (
        <p class="error" role="alert">
          {unknown(missing)}
        </p>
      )}
    </>
  );
}

function pressOf({ key, ctrlKey, metaKey }: KeyboardEvent) {
  return { key, ctrlKey, metaKey };
}

interface PickerProps extends ListProps {
  /** Returns to the previous list. Also called on Backspace in an empty field. */
  readonly onBack?: (() => void) | undefined;
  /** Whether selecting an option opens another list. If so, the → key also selects the active option. */
  readonly opensList?: boolean;
}

/** Search field with a permanently open list of options, for use in a popover. */
export function Picker(props: PickerProps) {
  const { label, onTake, onBack } = props;
  const [typed, setTyped] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  // Use a layout effect, so that this field receives the next key press.
  useLayoutEffect(() => input.current?.focus(), []);
  const take = (option: Option) => {
    onTake(option);
    input.current?.select();
  };
  const { list, field, move, active, shown } = useOptions({ ...props, onTake: take }, typed, true, true);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.isComposing) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') move(key === 'ArrowDown' ? 1 : -1);
    else if (key === 'Enter' || (key === 'ArrowRight' && props.opensList && !typed)) active && take(active);
    else if (key === 'Backspace' && !typed && onBack !== undefined) onBack();
    else return;
    event.preventDefault();
  };
  return (
    <div class="picker">
      <div class="picker-head">
        {onBack !== undefined && (
          <Button kind="quiet" size="small" icon="back" label={t.back} onClick={onBack} />
        )}
        <div class="input">
          <Icon name="search" />
          <input
            {...field}
            ref={input}
            aria-label={label}
            placeholder={label}
            value={typed ?? ''}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </div>
      </div>
      {list}
      {shown.length === 0 && typed && (
        <p class="group" role="status">
          {t.nothing(typed)}
        </p>
      )}
    </div>
  );
}
