import { useId } from 'preact/hooks';
import type { Option } from '../components/combobox.tsx';
import { Field } from '../components/field.tsx';
import { Tokens } from '../components/tokens.tsx';
import { tags } from '../data/groups.ts';
import { number } from '../texts/format.ts';
import { t } from './texts.ts';

interface TagsFieldProps {
  readonly value: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
  readonly isFirst?: boolean;
}

/** Many tags: those of the account are offered, others are made by being typed. */
export function TagsField({ value, onChange, isFirst }: TagsFieldProps) {
  const id = useId();
  const nameOf = (typed: string) => {
    const name = typed.trim().slice(0, 50);
    if (name === '' || value.some((tag) => isSame(tag, name))) return undefined;
    return tags.value?.find((tag) => isSame(tag.name, name))?.name ?? name;
  };
  return (
    <Field id={id} label={t.field.tags} isOptional help={t.field.tagsHelp}>
      <Tokens
        id={id}
        label={t.field.tags}
        value={value}
        onChange={onChange}
        labelOf={(name) => name}
        optionsFor={(text) => optionsFor(text, value)}
        readText={nameOf}
        isFirst={isFirst ?? false}
      />
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
  if (wanted !== '' && !isKnown) options.push({ value: text, label: t.field.add(text.trim()), isNew: true });
  return options;
}
