import { useId } from 'preact/hooks';
import { Field } from '../components/field.tsx';
import { Tokens } from '../components/tokens.tsx';
import { tagOptions, tags } from '../data/groups.ts';
import { t } from './texts.ts';

interface TagsFieldProps {
  readonly value: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
  readonly isFirst?: boolean;
}

/** Field that selects tags. Suggests existing tags, most used first. The last option creates a tag. */
export function TagsField({ value, onChange, isFirst }: TagsFieldProps) {
  const id = useId();
  const nameOf = (typed: string) => {
    const name = typed.trim().slice(0, 50);
    const isTaken = value.some((tag) => tag.toLowerCase() === name.toLowerCase());
    return name === '' || isTaken ? undefined : name;
  };
  return (
    <Field id={id} label={t.field.tags} isOptional help={t.field.tagsHelp}>
      <Tokens
        id={id}
        label={t.field.tags}
        value={value}
        onChange={onChange}
        labelOf={(name) => name}
        options={tagOptions((tags.value ?? []).toSorted((a, b) => b.linkCount - a.linkCount))}
        readText={nameOf}
        isFirst={isFirst}
      />
    </Field>
  );
}
