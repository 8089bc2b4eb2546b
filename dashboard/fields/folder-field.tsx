import { useId } from 'preact/hooks';
import { Combobox } from '../components/combobox.tsx';
import { Field } from '../components/field.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { type Folder, folderOptions, loadGroups } from '../data/groups.ts';
import { t } from './texts.ts';

interface FolderFieldProps {
  readonly value: string | null;
  readonly folders: readonly Folder[];
  readonly onChange: (id: string | null) => void;
  readonly isFirst?: boolean;
}

/** Field that selects a folder or no folder. The last option creates a folder. */
export function FolderField({ value, folders, onChange, isFirst }: FolderFieldProps) {
  const id = useId();
  const create = async (name: string) => {
    try {
      const made = await api.createFolder({ name });
      await loadGroups();
      onChange(made.id);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Field id={id} label={t.field.folder} isOptional>
      <Combobox
        id={id}
        label={t.field.folder}
        value={folders.find((folder) => folder.id === value)?.name ?? ''}
        placeholder={t.noFolder}
        isFirst={isFirst}
        options={[{ value: 'none', label: t.noFolder }, ...folderOptions(folders)]}
        isChosen={(one) => one === (value ?? 'none')}
        create={(name) => ({ value: name, label: t.field.createFolder(name) })}
        unknown={t.field.noFolder}
        onClear={() => onChange(null)}
        onTake={(option) => {
          if (option.isNew) void create(option.value);
          else onChange(option.value === 'none' ? null : option.value);
        }}
      />
    </Field>
  );
}
