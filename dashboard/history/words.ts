import type { LinkHistoryResult } from '../../src/client/client.ts';
import { domains } from '../data/domains.ts';
import { folderName, tags } from '../data/groups.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import { browserText } from '../texts/browsers.ts';
import { dateAndTime, list, number } from '../texts/format.ts';
import { t } from './texts.ts';

export type LinkChange = LinkHistoryResult['data'][number];

/** Converts an API term such as `utm-template` or `rootUrl` to readable English. */
function named(word: string): string {
  const words = word.replaceAll(/-|(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the label for an API field. */
export function fieldName(name: string): string {
  return fieldTexts.fieldNames[name] ?? named(name);
}

/** Returns the label for an action, such as `updated`. */
export function actionName(action: string): string {
  return t.history.actions[action] ?? named(action);
}

/** Returns the name of the actor who made a change. */
export function whoIn({ actor: { kind, name } }: Pick<LinkChange, 'actor'>): string {
  return t.history.by(name || (t.history.actors[kind] ?? kind));
}

/** Fields whose values are from a fixed set. */
const fixedValueFields = new Set(['codes', 'plan', 'role', 'state', 'status']);

/** Returns the label for a value of {@link fixedValueFields}, such as `editor`. */
function valueName(value: string): string {
  const names: Readonly<Record<string, string>> = { ...t.roles, ...t.history.values };
  return names[value] ?? named(value);
}

/** Formats a field's value. */
export function valueText(field: string, value: unknown): string {
  const { history } = t;
  if (value === null || value === undefined || value === '') return history.nothing;
  if (typeof value === 'boolean') return value ? history.yes : history.no;
  if (typeof value === 'number') return field === 'redirectStatus' ? String(value) : number(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return history.nothing;
    if (field === 'rules') return history.ruleCount(value.length);
    return list(value.map((one) => itemText(field, one)));
  }
  if (typeof value === 'object') return Object.values(value).join(' · ');
  const text = String(value);
  if (field === 'expiresAt' || field === 'startsAt') return dateAndTime(text);
  if (field === 'folderId') return folderName(text) ?? history.goneFolder;
  if (field === 'agent') return browserText(text);
  if (fixedValueFields.has(field)) return valueName(text);
  return text;
}

/** Formats an item of a list. */
function itemText(field: string, item: unknown): string {
  if (field === 'subjects') return subjectName(item as Parameters<typeof subjectName>[0]);
  const text = String(item);
  if (field === 'folderIds') return folderName(text) ?? t.history.goneFolder;
  if (field === 'domainIds') return domains.value?.find(({ id }) => id === text)?.host ?? text;
  return text;
}

/** Returns the name of a share's subject, or its id. */
function subjectName({ kind, id }: { readonly kind: string; readonly id: string }): string {
  const name = kind === 'folder' ? folderName(id) : tags.value?.find((tag) => tag.id === id)?.name;
  return name ?? id;
}

export interface ChangeLine {
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string;
}

/** Returns the changed fields, one line each. For a new record, the previous values are undefined. */
export function linesOf({
  action,
  changes,
}: {
  readonly action: string;
  readonly changes: LinkChange['changes'];
}): readonly ChangeLine[] {
  const isNew = /created|imported/.test(action);
  return Object.entries(changes).map(([name, { from, to, changed }]) => ({
    field: fieldName(name),
    from: isNew || changed ? undefined : valueText(name, from),
    to: changed ? t.history.another : valueText(name, to),
  }));
}

/** Fields that stay unchanged when a version is restored. */
const staying = new Set(['shortCode', 'domain', 'password', 'hasPassword', 'aliases', 'managedBy']);

/**
 * Returns the fields that change when a revision is restored, with current and restored values.
 * @param rows at least all changes after `revision`, newest first
 */
export function restoredLines(rows: readonly LinkChange[], revision: number): readonly ChangeLine[] {
  const fields = new Map<string, { readonly from: unknown; readonly to: unknown }>();
  for (const { changes } of rows.filter((row) => row.revision > revision))
    for (const [name, { from, to }] of Object.entries(changes))
      fields.set(name, { from: fields.has(name) ? fields.get(name)?.from : to, to: from });
  return [...fields].flatMap(([name, { from, to }]) =>
    staying.has(name) || JSON.stringify(from) === JSON.stringify(to)
      ? []
      : [{ field: fieldName(name), from: valueText(name, from), to: valueText(name, to) }],
  );
}
