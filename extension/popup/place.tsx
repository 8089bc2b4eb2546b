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
 * The host on which the link is made: the one chosen last, else the account's default; a key that is bound to others has the
 * first of its own. Undefined until the domains are known, and where there is one alone.
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

/** The domain and the folder of the new link, where there is a choice. */
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
