import { TextField } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import type { IconName } from '../../components/icons.ts';
import { Keys } from '../../components/keys.tsx';
import { TagsField } from '../../components/tags-field.tsx';
import { folderName, folders } from '../../data/groups.ts';
import { me } from '../../data/session-state.ts';
import { dateAndTime } from '../../texts/format.ts';
import { t } from '../../texts/texts.ts';
import type { Draft } from './draft.ts';
import { ExpiryField } from './expiry.tsx';
import { FolderField } from './folder-field.tsx';
import type { Faults } from './save.ts';
import { hasUtm } from './utm.ts';
import { UtmFields } from './utm-fields.tsx';

/** What opens in place, below what every link has. */
export type Part = 'utm' | 'folder' | 'tags' | 'expiry' | 'note';

interface MoreFieldsProps {
  readonly draft: Draft;
  readonly faults: Faults;
  readonly parts: ReadonlySet<Part>;
  readonly onToggle: (part: Part) => void;
  readonly onChange: (changes: Partial<Draft>) => void;
}

export function MoreFields({ draft, faults, parts, onToggle, onChange }: MoreFieldsProps) {
  const lifetime = me.value?.limits.linkLifetimeDays ?? null;
  const option = (part: Part, icon: IconName, label: string, value: string, keys?: string) => (
    <button
      type="button"
      class={`button ${value === '' ? 'quiet' : 'second'} part`}
      aria-expanded={parts.has(part)}
      onClick={() => onToggle(part)}
    >
      <Icon name={icon} />
      <span class="part-name">{label}</span>
      {value !== '' && <span class="part-value cut">{value}</span>}
      {keys !== undefined && value === '' && <Keys keys={keys} />}
      <span class="chevron">
        <Icon name="next" size={14} />
      </span>
    </button>
  );
  return (
    <>
      {parts.has('utm') && (
        <UtmFields utm={draft.utm} isFirst={!hasUtm(draft.utm)} onChange={(utm) => onChange({ utm })} />
      )}
      <div class="parts" role="group" aria-label={t.builder.optionsLabel}>
        {!parts.has('utm') &&
          option('utm', 'chart', t.builder.utmShort, hasUtm(draft.utm) ? draft.utm.source : '', 'u')}
        {option('folder', 'folder', t.builder.folder, folderName(draft.folderId) ?? '')}
        {option('tags', 'tag', t.builder.tags, draft.tags.join(', '))}
        {option(
          'expiry',
          'clock',
          t.builder.expiry,
          draft.expiresAt === null ? '' : dateAndTime(draft.expiresAt),
          'e',
        )}
        {option('note', 'pencil', t.builder.note, draft.note.split('\n')[0] ?? '', 'n')}
      </div>
      {parts.has('folder') && (
        <FolderField
          value={draft.folderId}
          folders={folders.value ?? []}
          isFirst
          onChange={(folderId) => onChange({ folderId })}
        />
      )}
      {parts.has('tags') && <TagsField value={draft.tags} isFirst onChange={(tags) => onChange({ tags })} />}
      {faults.tags !== undefined && <p class="fault">{faults.tags}</p>}
      {parts.has('expiry') &&
        (lifetime === null ? (
          <ExpiryField value={draft.expiresAt} onChange={(expiresAt) => onChange({ expiresAt })} />
        ) : (
          <p class="small soft">{t.builder.expiryFixed(lifetime)}</p>
        ))}
      {faults.expiry !== undefined && <p class="fault">{faults.expiry}</p>}
      {parts.has('note') && (
        <TextField
          label={t.builder.note}
          isOptional
          isMultiline
          value={draft.note}
          help={t.builder.noteHelp}
          onInput={(note) => onChange({ note })}
          error={faults.note}
        />
      )}
    </>
  );
}
