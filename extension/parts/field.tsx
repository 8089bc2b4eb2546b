import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  /** Text to the right of the label. */
  readonly aside?: string;
  readonly help?: ComponentChildren;
  /** Error message, including how to fix the error. */
  readonly error?: string | undefined;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Text inside the field, before the input. */
  readonly prefix?: string;
  readonly isSecret?: boolean;
  readonly isFirst?: boolean;
}

/** Form field with a label, an input, and help or an error message. */
export function Field({ label, aside, help, error, value, onInput, prefix, isSecret, isFirst }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <div class="head">
        <label for={id}>{label}</label>
        <span class="aside">{aside}</span>
      </div>
      <div class="input">
        {prefix !== undefined && (
          <span class="prefix cut" aria-hidden="true">
            {prefix}
          </span>
        )}
        <input
          id={id}
          {...(isSecret && { type: 'password' as const })}
          value={value}
          autocomplete="off"
          spellcheck={false}
          autofocus={isFirst}
          dir="auto"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? `${id}-help` : `${id}-error`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </div>
      {error !== undefined && (
        <p class="error" id={`${id}-error`} role="alert">
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
