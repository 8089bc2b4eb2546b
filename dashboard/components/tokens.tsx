import { t } from '../texts/texts.ts';
import { Combobox, type Option } from './combobox.tsx';
import { Icon } from './icon.tsx';

interface TokensProps {
  readonly id: string;
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly labelOf: (value: string) => string;
  readonly options: readonly Option[];
  /**
   * Converts typed text to a value, or returns undefined if it is invalid. Set if values other than the options are
   * allowed.
   */
  readonly readText?: (text: string) => string | undefined;
  readonly isFirst?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
}

/** Field with several values, shown as chips. Typing adds a value; Backspace removes the last value. */
export function Tokens({ value, onChange, labelOf, options, readText, placeholder, ...field }: TokensProps) {
  return (
    <Combobox
      {...field}
      value=""
      placeholder={value.length === 0 ? placeholder : undefined}
      options={options.filter((option) => !value.includes(option.value))}
      create={(text) => {
        const read = readText?.(text);
        return read === undefined ? undefined : { value: read, label: t.add(labelOf(read)) };
      }}
      takesText
      onTake={(option) => {
        if (!value.includes(option.value)) onChange([...value, option.value]);
      }}
      onBackspace={() => onChange(value.slice(0, -1))}
    >
      {value.map((one) => (
        <span key={one} class="chip">
          <span class="value">{labelOf(one)}</span>
          <button
            type="button"
            class="remove"
            aria-label={t.remove(labelOf(one))}
            onClick={() => onChange(value.filter((other) => other !== one))}
          >
            <Icon name="close" size={13} />
          </button>
        </span>
      ))}
    </Combobox>
  );
}
