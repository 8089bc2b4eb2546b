import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { Popover } from './popover.tsx';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** At the right: how often it was used. */
  readonly aside?: string;
  /** The row that makes a new one. */
  readonly isNew?: boolean;
}

interface ComboboxProps {
  readonly id: string;
  readonly text: string;
  readonly options: readonly Option[];
  readonly onText: (text: string) => void;
  readonly onTake: (option: Option) => void;
  /** Enter without a choice, a comma, leaving: takes the text as it is. */
  readonly onEnter?: (text: string) => void;
  readonly onBackspace?: () => void;
  readonly placeholder?: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly isFirst?: boolean;
  readonly opensOnFocus?: boolean;
  readonly label: string;
  /** Before the text: chips of what was taken. */
  readonly children?: ComponentChildren;
}

/** A text field with a list of what was meant. The list opens on typing; arrows choose, Enter takes, Esc keeps the text. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: typing, arrows, the pointer and leaving all move one list that opens and closes
export function Combobox(props: ComboboxProps) {
  const { id, text, options, onText, onTake, onEnter, onBackspace, label } = props;
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const box = useRef<HTMLDivElement>(null);
  const listId = useId();
  const isShown = isOpen && options.length > 0;
  useEffect(() => {
    if (isShown && at >= 0) document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [isShown, at]);
  const take = (option: Option) => {
    setOpen(false);
    setAt(-1);
    onTake(option);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = isShown ? options[at] : undefined;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (options.length === 0) return;
      event.preventDefault();
      setOpen(true);
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setAt(isShown ? (at + by + options.length) % options.length : 0);
    } else if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) {
      if (chosen !== undefined) {
        event.preventDefault();
        take(chosen);
      } else if (onEnter !== undefined && text.trim() !== '') {
        event.preventDefault();
        onEnter(text);
        setOpen(false);
      }
    } else if (event.key === ',' && onEnter !== undefined) {
      event.preventDefault();
      if (text.trim() !== '') onEnter(text);
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === 'Backspace' && text === '') onBackspace?.();
  };

  return (
    <div class="input combobox" ref={box}>
      {props.children}
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        autofocus={props.isFirst}
        placeholder={props.placeholder}
        value={text}
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown && at >= 0 ? `${listId}-${at}` : undefined}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid ? true : undefined}
        onInput={(event) => {
          onText(event.currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onFocus={() => {
          // Over what is wrong, which stands below, it opens on typing only.
          if (props.opensOnFocus && !props.isInvalid) setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          if (text.trim() !== '') onEnter?.(text);
        }}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <Popover
          id={listId}
          anchor={box}
          class="menu options"
          role="listbox"
          label={label}
          leavesFocus
          onClose={() => setOpen(false)}
        >
          <Options options={options} listId={listId} at={at} onTake={take} />
        </Popover>
      )}
    </div>
  );
}

interface OptionsProps extends Pick<ComboboxProps, 'options' | 'onTake'> {
  readonly listId: string;
  readonly at: number;
}

function Options({ options, listId, at, onTake }: OptionsProps) {
  return options.map((option, index) => (
    <div
      key={option.value}
      id={`${listId}-${index}`}
      role="option"
      aria-selected={index === at}
      // The field keeps the focus, and the list stays until the press is over.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onTake(option)}
    >
      {option.isNew && <Icon name="plus" size={14} />}
      <span class="cut" dir="auto">
        {option.label}
      </span>
      {option.aside !== undefined && <span class="end">{option.aside}</span>}
    </div>
  ));
}
