import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../texts/texts.ts';

import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

export interface FieldProps {
  readonly label: string;
  readonly isOptional?: boolean;
  /** Content to the right of the label. */
  readonly aside?: ComponentChildren;
  readonly help?: ComponentChildren;
  /** Error, and how to fix it. */
  readonly error?: ComponentChildren;
  readonly id: string;
  readonly children: ComponentChildren;
}

/** Form field with a label above, and help or an error below. */
export function Field({ label, isOptional, aside, help, error, id, children }: FieldProps) {
  return (
    <div class="field">
      <div class="head">
        <label for={id}>{label}</label>
        <span class="aside">{aside ?? (isOptional ? t.optional : undefined)}</span>
      </div>
      {children}
      {error === undefined || error === false ? undefined : (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, 'id' | 'children'> {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Called on blur, so that the form can show errors. */
  readonly onLeave?: () => void;
  readonly placeholder?: string;
  readonly prefix?: string;
  readonly icon?: IconName;
  readonly size?: 'large';
  /** Content on the right inside the field, such as "Free" or "Taken". */
  readonly state?: ComponentChildren;
  readonly isMultiline?: boolean;
  readonly input?: InputHTMLAttributes<HTMLInputElement>;
}

export function TextField(props: TextFieldProps) {
  const { value, onInput, onLeave, placeholder, prefix, icon, size, state, isMultiline, input, ...field } =
    props;
  const made = useId();
  const id = input?.id === undefined ? made : String(input.id);
  const common = {
    value,
    placeholder,
    id,
    onBlur: onLeave,
    'aria-invalid': field.error ? true : undefined,
    'aria-describedby': describedBy(id, field),
    spellcheck: false,
  } as const;
  return (
    <Field {...field} id={id}>
      <div class={`input ${size ?? ''}`}>
        {icon !== undefined && <Icon name={icon} />}
        {prefix !== undefined && (
          <span class="prefix" aria-hidden="true">
            {prefix}
          </span>
        )}
        {isMultiline ? (
          <textarea {...common} rows={3} onInput={(event) => onInput(event.currentTarget.value)} />
        ) : (
          <input
            type="text"
            autocomplete="off"
            {...input}
            {...common}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )}
        {state}
      </div>
    </Field>
  );
}

export function describedBy(
  id: string,
  { error, help }: { error?: ComponentChildren; help?: ComponentChildren },
): string | undefined {
  const ids = [error ? `${id}-error` : '', help !== undefined ? `${id}-help` : ''].filter(
    (each) => each !== '',
  );
  return ids.length === 0 ? undefined : ids.join(' ');
}
