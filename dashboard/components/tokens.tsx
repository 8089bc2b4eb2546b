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
  /** Converts a text to a value, if values other than the options are allowed; undefined if it is invalid. */
  readonly readText?: (text: string) => string | undefined;
  readonly isFirst?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
}

/** Field with several values: each is a chip, typing adds another one. Backspace removes the last. */
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
