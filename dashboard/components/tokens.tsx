import { useState } from 'preact/hooks';
import { t } from '../texts/texts.ts';

import { Combobox, type Option } from './combobox.tsx';
import { Icon } from './icon.tsx';

interface TokensProps {
  readonly id: string;
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  /** What a value is called. */
  readonly labelOf: (value: string) => string;
  /** What is offered for what was typed. */
  readonly optionsFor: (text: string) => Option[];
  /** The value that a text stands for; undefined when it stands for none. */
  readonly readText: (text: string) => string | undefined;
  readonly isFirst?: boolean;
  readonly opensOnFocus?: boolean;
  readonly placeholder?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
}

/** Several values in one field: each is a chip, and what is typed finds another one. Backspace takes the last one off. */
export function Tokens(props: TokensProps) {
  const { value, onChange, labelOf, optionsFor, readText } = props;
  const [text, setText] = useState('');
  const [unknown, setUnknown] = useState('');
  const add = (found: string) => {
    setText('');
    setUnknown('');
    if (!value.includes(found)) onChange([...value, found]);
  };
  /** What was typed stands for a value, else for the first that is offered; where there is none, it stays and says so. */
  const read = (typed: string) => {
    const found = readText(typed) ?? optionsFor(typed)[0]?.value;
    if (found === undefined) setUnknown(typed.trim());
    else add(found);
  };
  const field = (
    <Combobox
      id={props.id}
      label={props.label}
      text={text}
      options={optionsFor(text)}
      isFirst={props.isFirst ?? false}
      opensOnFocus={props.opensOnFocus ?? false}
      {...(value.length === 0 && props.placeholder !== undefined && { placeholder: props.placeholder })}
      describedBy={props.describedBy}
      isInvalid={props.isInvalid || unknown !== ''}
      onText={(next) => {
        setText(next);
        setUnknown('');
      }}
      onTake={({ value: taken, isNew }) => (isNew ? read(taken) : add(taken))}
      onEnter={read}
      onBackspace={() => onChange(value.slice(0, -1))}
    >
      {value.map((one) => (
        <span key={one} class="chip">
          <span class="value">{labelOf(one)}</span>
          <button
            type="button"
            class="remove"
            aria-label={t.remove(labelOf(one))}
            onClick={() => onChange(value.filter((other) => other !== one))}
          >
            <Icon name="close" size={13} />
          </button>
        </span>
      ))}
    </Combobox>
  );
  return (
    <>
      {field}
      {unknown !== '' && (
        <p class="error" role="alert">
          {t.nothing(unknown)}
        </p>
      )}
    </>
  );
}
