import type { ComponentChildren } from 'preact';
import { Field } from '../components/field.tsx';
import { Tokens } from '../components/tokens.tsx';
import { may } from '../data/session-state.ts';
import { list } from '../texts/format.ts';

interface WordListProps {
  /** HTML id of the section. */
  readonly id: string;
  readonly title: string;
  readonly label: string;
  readonly help: string;
  /** Text to show if the list is empty and the user may not change the list. */
  readonly none: string;
  readonly placeholder: string;
  readonly value: readonly string[];
  /** Converts typed text to a value. Returns undefined if the text is invalid. */
  readonly readText: (text: string) => string | undefined;
  readonly onChange: (value: string[]) => void;
  /** Content above the list. */
  readonly children?: ComponentChildren;
}

/** Settings section with an editable list. Every change is saved immediately. */
export function WordList({
  id,
  title,
  label,
  help,
  none,
  value,
  onChange,
  children,
  ...field
}: WordListProps) {
  const fieldId = `${id}-field`;
  return (
    <section id={id} class="settings-group">
      <h2>{title}</h2>
      {children}
      {may('domains:write') ? (
        <Field id={fieldId} label={label} help={help}>
          <Tokens
            {...field}
            id={fieldId}
            label={label}
            value={value}
            onChange={(words) => onChange([...words])}
            labelOf={(word) => word}
            options={[]}
          />
        </Field>
      ) : (
        <p>{value.length === 0 ? none : list(value)}</p>
      )}
    </section>
  );
}
