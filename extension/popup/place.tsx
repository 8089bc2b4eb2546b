import { useId } from 'preact/hooks';
import { Select } from '../../dashboard/components/select.tsx';
import { t } from '../browser/texts.ts';
import type { Chosen } from '../data/server.ts';
import type { There } from './shorten.tsx';

interface PlaceProps {
  readonly there: There | undefined;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}

/**
 * Returns the host for new links: the last selected host, else the account's default, else the first host of a
 * restricted key. Returns undefined if the domains are not loaded or there is only one.
 */
export function hostOf({ domains = [] }: Partial<There> = {}, chosen: Chosen): string | undefined {
  if (domains.length < 2) return undefined;
  const [first] = domains;
  const found =
    domains.find(({ host }) => host === chosen.domain) ??
    domains.find(({ isDefault }) => isDefault) ??
    domains.find(({ isShared }) => isShared);
  return (found ?? first)?.host;
}

/** Fields that select the domain and folder for the new link. Hidden if there is only one to choose from. */
export function Place({ there, chosen, onChoose }: PlaceProps) {
  const { domains = [], folders = [] } = there ?? {};
  const host = hostOf(there, chosen);
  return (
    <div class="pair">
      {host !== undefined && (
        <Choice
          label={t('domain')}
          value={host}
          options={domains.map(({ host, hostUnicode }) => ({ value: host, label: hostUnicode }))}
          onChange={(domain) => onChoose({ ...chosen, domain })}
        />
      )}
      {folders.length > 0 && (
        <Choice
          label={t('folder')}
          value={folders.some(({ id }) => id === chosen.folder) ? chosen.folder : ''}
          options={[
            { value: '', label: t('noFolder') },
            ...folders.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(folder) => onChoose({ ...chosen, folder })}
        />
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value = '', options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <div class="head">
        <label for={id}>{label}</label>
      </div>
      <Select id={id} value={value} options={options} onChange={onChange} />
    </div>
  );
}
