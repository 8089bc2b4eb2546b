import { useId, useState } from 'preact/hooks';
import { tags } from '../data/groups.ts';
import { number } from '../texts/format.ts';
import { t } from '../texts/texts.ts';
import { Combobox, type Option } from './combobox.tsx';
import { Field } from './field.tsx';
import { Icon } from './icon.tsx';

interface TagsFieldProps {
  readonly value: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
  readonly isFirst?: boolean;
}

/** Many tags: those of the account are offered, others are made by being typed. */
export function TagsField({ value, onChange, isFirst }: TagsFieldProps) {
  const [text, setText] = useState('');
  const id = useId();
  const add = (name: string) => {
    const trimmed = name.trim().slice(0, 50);
    setText('');
    if (trimmed === '' || value.some((tag) => isSame(tag, trimmed))) return;
    const known = tags.value?.find((tag) => isSame(tag.name, trimmed))?.name;
    onChange([...value, known ?? trimmed]);
  };
  return (
    <Field id={id} label={t.builder.tags} isOptional help={t.builder.tagsHelp}>
      <Combobox
        id={id}
        label={t.builder.tags}
        text={text}
        options={optionsFor(text, value)}
        isFirst={isFirst ?? false}
        onText={setText}
        onTake={(option) => add(option.value)}
        onEnter={add}
        onBackspace={() => onChange(value.slice(0, -1))}
      >
        {value.map((name) => (
          <span key={name} class="chip">
            <span class="value">{name}</span>
            <button
              type="button"
              class="remove"
              aria-label={t.builder.remove(name)}
              onClick={() => onChange(value.filter((tag) => tag !== name))}
            >
              <Icon name="close" size={13} />
            </button>
          </span>
        ))}
      </Combobox>
    </Field>
  );
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function optionsFor(text: string, taken: readonly string[]): Option[] {
  const wanted = text.trim().toLowerCase();
  const known = (tags.value ?? []).filter(
    ({ name }) => name.toLowerCase().includes(wanted) && !taken.some((tag) => isSame(tag, name)),
  );
  const options: Option[] = known
    .toSorted((a, b) => b.linkCount - a.linkCount)
    .slice(0, 8)
    .map(({ name, linkCount }) => ({ value: name, label: name, aside: number(linkCount) }));
  const isKnown = (tags.value ?? []).some(({ name }) => isSame(name, wanted));
  if (wanted !== '' && !isKnown)
    options.push({ value: text, label: t.builder.add(text.trim()), isNew: true });
  return options;
}
