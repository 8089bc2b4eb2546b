import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAsk } from '../components/ask.tsx';
import { TextField } from '../components/field.tsx';

interface NameFormProps {
  readonly label: string;
  readonly help: string;
  /** What is said when nothing was typed. */
  readonly missing: string;
  readonly isFirst: boolean;
  readonly class?: string;
  readonly onName: (name: string) => Promise<void>;
  /** The buttons. */
  readonly children: (isBusy: boolean) => ComponentChildren;
}

/** Asks somebody who comes in for the first time what they are called. */
export function NameForm({ label, help, missing, isFirst, class: name, onName, children }: NameFormProps) {
  const [text, setText] = useState('');
  const { isBusy, fault, setFault, ask } = useAsk();
  return (
    <form
      class={name}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') setFault(missing);
        else void ask(() => onName(text.trim()));
      }}
    >
      <TextField
        label={label}
        value={text}
        size="large"
        onInput={(value) => {
          setText(value);
          setFault(undefined);
        }}
        error={fault}
        help={help}
        input={{ autofocus: isFirst, autocomplete: 'name', maxLength: 100, dir: 'auto' }}
      />
      {children(isBusy)}
    </form>
  );
}
