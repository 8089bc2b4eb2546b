import { useId, useState } from 'preact/hooks';
import { Combobox, type Option } from '../components/combobox.tsx';
import { Field } from '../components/field.tsx';
import { api } from '../data/client.ts';
import { tellFailure } from '../data/explain.ts';
import { type Folder, loadGroups } from '../data/groups.ts';
import { number } from '../texts/format.ts';
import { t } from './texts.ts';

interface FolderFieldProps {
  readonly value: string | null;
  readonly folders: readonly Folder[];
  readonly onChange: (id: string | null) => void;
  readonly isFirst?: boolean;
}

/** One folder or none; a name that is not there yet makes it. */
export function FolderField({ value, folders, onChange, isFirst }: FolderFieldProps) {
  const id = useId();
  const nameOf = (folderId: string | null) =>
    folderId === null ? '' : (folders.find((folder) => folder.id === folderId)?.name ?? '');
  const [text, setText] = useState<string>();
  const [unknown, setUnknown] = useState('');
  const shown = text ?? nameOf(value);
  const make = async (name: string) => {
    try {
      const made = await api.createFolder({ name });
      await loadGroups();
      onChange(made.id);
    } catch (error) {
      tellFailure(error);
    }
  };
  return (
    <Field
      id={id}
      label={t.field.folder}
      isOptional
      error={unknown === '' ? undefined : t.field.noFolder(unknown)}
    >
      <Combobox
        id={id}
        label={t.field.folder}
        text={shown}
        placeholder={t.noFolder}
        isFirst={isFirst ?? false}
        options={optionsFor(text ?? '', folders)}
        onText={(next) => {
          setText(next);
          setUnknown('');
          if (next.trim() === '') onChange(null);
        }}
        onTake={(option) => {
          setText(undefined);
          setUnknown('');
          if (option.isNew) void make(option.value);
          else onChange(option.value === 'none' ? null : option.value);
        }}
        onEnter={(name) => {
          const wanted = name.trim().toLowerCase();
          const found =
            folders.find((folder) => folder.name.toLowerCase() === wanted) ??
            folders.find((folder) => folder.name.toLowerCase().includes(wanted));
          if (found !== undefined) onChange(found.id);
          else setUnknown(name.trim());
          setText(found === undefined ? name : undefined);
        }}
      />
    </Field>
  );
}

function optionsFor(text: string, folders: readonly Folder[]): Option[] {
  const wanted = text.trim().toLowerCase();
  const options: Option[] = folders
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .slice(0, 10)
    .map(({ id, name, linkCount }) => ({ value: id, label: name, aside: number(linkCount) }));
  if (wanted === '') options.unshift({ value: 'none', label: t.noFolder });
  const isKnown = folders.some(({ name }) => name.toLowerCase() === wanted);
  if (wanted !== '' && !isKnown)
    options.push({ value: text.trim(), label: t.field.createFolder(text.trim()), isNew: true });
  return options;
}
