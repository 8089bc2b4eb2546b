import { Check, Segmented } from '../components/choices.tsx';
import { TextField } from '../components/field.tsx';
import { MomentField } from '../components/moment-field.tsx';
import { type PlainField, type PlainName, textOf } from '../fields/plain.ts';
import type { Faults } from './save.ts';

interface PlainInputProps {
  readonly field: PlainField;
  /** As typed. */
  readonly value: string;
  readonly faults: Faults;
  readonly onInput: (text: string) => void;
}

/** Form control of a field by its kind. */
export function PlainInput({ field, value, faults, onInput }: PlainInputProps) {
  const { label, help } = textOf(field.name) ?? { label: field.name };
  const common = { label, help, error: faults[field.name as Exclude<PlainName, 'rules'>], isOptional: true };
  if (field.kind === 'flag')
    return (
      <Check isOn={value !== ''} onChange={(isOn) => onInput(isOn ? 'true' : '')}>
        {label}
      </Check>
    );
  if ('choices' in field) {
    const options = ['', ...field.choices.map(String)].map((one) => ({ value: one, label: one || '–' }));
    return <Segmented label={label} options={options} value={value} onChange={onInput} />;
  }
  if (field.kind === 'time')
    return <MomentField {...common} value={value || null} onChange={(iso) => onInput(iso ?? '')} />;
  return (
    <TextField
      {...common}
      value={value}
      isMultiline={'multiline' in field}
      onInput={onInput}
      input={{ inputMode: field.kind === 'number' ? 'numeric' : field.kind === 'url' ? 'url' : 'text' }}
    />
  );
}
