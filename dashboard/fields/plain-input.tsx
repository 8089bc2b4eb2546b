import { Check, Segmented } from '../components/choices.tsx';
import { TextField } from '../components/field.tsx';
import { MomentField } from '../components/moment-field.tsx';
import type { FormField, PlainText } from './plain.ts';

interface PlainInputProps extends PlainText {
  readonly field: FormField;
  /** Text as typed. */
  readonly value: string;
  readonly error?: string | undefined;
  readonly onInput: (text: string) => void;
}

/** Form control for a field, chosen by the field's kind. */
export function PlainInput({ field, label, help, value, error, onInput }: PlainInputProps) {
  const common = { label, help, error, isOptional: true };
  if (field.kind === 'flag')
    return (
      <Check isOn={value !== ''} onChange={(isOn) => onInput(isOn ? 'true' : '')}>
        {label}
      </Check>
    );
  if (field.choices !== undefined) {
    const options = ['', ...field.choices.map(String)].map((one) => ({ value: one, label: one || '–' }));
    return <Segmented label={label} options={options} value={value} onChange={onInput} />;
  }
  if (field.kind === 'time')
    return <MomentField {...common} value={value || null} onChange={(iso) => onInput(iso ?? '')} />;
  return (
    <TextField
      {...common}
      value={value}
      isMultiline={field.multiline === true}
      onInput={onInput}
      input={{ inputMode: modes[field.kind] ?? 'text', maxLength: field.max, dir: 'auto' }}
    />
  );
}

const modes: Partial<Readonly<Record<string, 'numeric' | 'url'>>> = {
  number: 'numeric',
  count: 'numeric',
  url: 'url',
};
