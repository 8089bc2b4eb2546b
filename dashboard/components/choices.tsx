import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CheckProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ComponentChildren;
  readonly isSwitch?: boolean;
  readonly isDisabled?: boolean;
}

export function Check({ isOn, onChange, children, isSwitch, isDisabled }: CheckProps) {
  return (
    <label class="option">
      <input
        type="checkbox"
        role={isSwitch ? 'switch' : undefined}
        class={isSwitch ? 'switch' : 'check'}
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

interface SegmentedProps<V extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly value: V;
  readonly onChange: (value: V) => void;
}

/** Segmented control for a few options. Uses native radio buttons, so that arrow keys work. */
export function Segmented<V extends string>({ label, options, value, onChange }: SegmentedProps<V>) {
  const name = useId();
  return (
    <div class="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}

interface ChoiceFieldProps<V extends string> {
  readonly label: string;
  readonly values: readonly V[];
  /** Labels for the values. */
  readonly names: Readonly<Record<V, string>>;
  readonly value: V;
  readonly onChange: (value: V) => void;
  /** Explanation of the selected value. */
  readonly help?: string | undefined;
}

/** Segmented control with a label above and an explanation of the selected value below. */
export function ChoiceField<V extends string>({ values, names, help, ...choice }: ChoiceFieldProps<V>) {
  return (
    <div class="field">
      <div class="head">
        <span class="name">{choice.label}</span>
      </div>
      <div class="scroll-sideways">
        <Segmented {...choice} options={values.map((value) => ({ value, label: names[value] }))} />
      </div>
      {help !== undefined && <p class="help">{help}</p>}
    </div>
  );
}
