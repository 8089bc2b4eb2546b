import type { LinkHistoryResult } from '../../src/client/client.ts';
import { folders } from '../data/groups.ts';
import { dateAndTime, list, number } from '../texts/format.ts';
import { t } from './texts.ts';

export type LinkChange = LinkHistoryResult['data'][number];

/** What people call a field of the API. */
export function fieldName(name: string): string {
  return t.history.fields[name] ?? name;
}

/** Who made a change. */
export function whoIn({ actor: { kind, name } }: Pick<LinkChange, 'actor'>): string {
  return t.history.by(name || (t.history.actors[kind] ?? kind));
}

/** A value of a field, in words. */
export function valueText(field: string, value: unknown): string {
  const { history } = t;
  if (value === null || value === undefined || value === '') return history.nothing;
  if (typeof value === 'boolean') return value ? history.yes : history.no;
  if (typeof value === 'number') return field === 'redirectStatus' ? String(value) : number(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return history.nothing;
    return field === 'rules' ? history.ruleCount(value.length) : list(value.map(String));
  }
  if (typeof value === 'object') return Object.values(value).join(' · ');
  const text = String(value);
  if (field === 'expiresAt' || field === 'startsAt') return dateAndTime(text);
  if (field === 'folderId') return folders.value?.find(({ id }) => id === text)?.name ?? history.goneFolder;
  return text;
}

interface ChangeLine {
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string;
}

/** What a change changed, a line a field; of what was made only what it was made with. */
export function linesOf({ action, changes }: LinkChange): readonly ChangeLine[] {
  const isNew = action === 'created' || action === 'imported';
  return Object.entries(changes).map(([name, { from, to, changed }]) => ({
    field: fieldName(name),
    from: isNew || changed ? undefined : valueText(name, from),
    to: changed ? t.history.another : valueText(name, to),
  }));
}
