import type { ComponentChildren } from 'preact';
import { Field } from '../components/field.tsx';
import { Tokens } from '../components/tokens.tsx';
import { may } from '../data/session-state.ts';
import { list } from '../texts/format.ts';

interface WordListProps {
  /** Id of the section. */
  readonly id: string;
  readonly title: string;
  readonly label: string;
  readonly help: string;
  /** Shown if the list is empty and the user may not change it. */
  readonly none: string;
  readonly placeholder: string;
  readonly value: readonly string[];
  /** Converts a text to a value; undefined if it is invalid. */
  readonly readText: (text: string) => string | undefined;
  readonly onChange: (value: string[]) => void;
  /** Content above the list. */
  readonly children?: ComponentChildren;
}

/** A section of the settings with a list of the account. Saved with each change. */
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
