import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAsk } from '../components/ask.tsx';
import { TextField } from '../components/field.tsx';

interface NameFormProps {
  readonly label: string;
  readonly help: string;
  /** Error message for an empty name. */
  readonly missing: string;
  readonly isFirst: boolean;
  readonly class?: string;
  readonly onName: (name: string) => Promise<void>;
  /** Renders the buttons. */
  readonly children: (isBusy: boolean) => ComponentChildren;
}

/** Form that asks a new member for their name. */
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
