import { Icon } from './icon.tsx';

interface SelectProps<V extends string> {
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
  readonly id?: string;
  /** Accessible name if there is no visible label. */
  readonly label?: string;
  readonly isFirst?: boolean;
}

/** Native select, so that scrolling and type-ahead work with every keyboard and phone. */
export function Select<V extends string>({ value, options, onChange, id, label, isFirst }: SelectProps<V>) {
  return (
    <span class="select-box">
      <select
        id={id}
        class="select"
        aria-label={label}
        value={value}
        autofocus={isFirst}
        onChange={(event) => onChange(event.currentTarget.value as V)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}
