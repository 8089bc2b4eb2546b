import { ApiError } from '../../../src/client/client.ts';
import { api } from '../../data/client.ts';
import { copyText } from '../../data/clipboard.ts';
import { loadGroups } from '../../data/groups.ts';
import { freshId, linksChanged } from '../../data/link-list.ts';
import type { Link } from '../../data/links.ts';
import { did } from '../../data/undo.ts';
import { t } from '../../texts/texts.ts';
import { type Draft, destinationOf, toInput } from './draft.ts';

/** Makes the link, copies its address, and keeps how to take it back. */
export async function createLink(draft: Draft): Promise<void> {
  const made = await api.shorten(toInput(draft));
  const isCopied = await copyText(made.shortUrl);
  const shown = made.shortUrl.replace(/^https?:\/\//, '');
  freshId.value = made.id;
  did(isCopied ? t.builder.made(shown) : t.builder.madeUncopied(shown), t.builder.removed, async () => {
    await api.deleteLink(made.id);
    changed();
  });
  changed();
}

/** A link as a draft, to be edited. Its destination stays whole until it is touched. */
export function draftOf(link: Link): Omit<Draft, 'url' | 'utm'> {
  const { shortCode, title, description, folderId, tags, expiresAt } = link;
  return {
    code: shortCode,
    title: title ?? '',
    note: description ?? '',
    folderId: folderId ?? null,
    tags: tags ?? [],
    expiresAt: expiresAt ?? null,
  };
}

/** What changes a link from one state to another, as the calls that it takes. */
function callsFor(link: Link, from: Draft, to: Draft): (() => Promise<unknown>)[] {
  const [urlBefore, url] = [destinationOf(from), destinationOf(to)];
  const fields = {
    ...(from.title.trim() === to.title.trim() ? {} : { title: to.title.trim() || null }),
    ...(from.note === to.note ? {} : { description: to.note.trim() === '' ? null : to.note }),
    ...(from.expiresAt === to.expiresAt ? {} : { expiresAt: to.expiresAt }),
    ...(String(from.tags) === String(to.tags) ? {} : { tags: [...to.tags] }),
  };
  return [
    ...(url === undefined || url === urlBefore ? [] : [() => api.repointLink(link.id, { url })]),
    ...(Object.keys(fields).length === 0 ? [] : [() => api.updateLink(link.id, fields)]),
    ...(from.folderId === to.folderId ? [] : [() => api.moveLink(link.id, { folderId: to.folderId })]),
  ];
}

/** Saves what was changed in a link, and keeps how it was. */
export async function saveLink(link: Link, from: Draft, to: Draft): Promise<void> {
  const calls = callsFor(link, from, to);
  for (const call of calls) await call();
  if (calls.length === 0) return;
  changed();
  did(t.builder.saved, t.builder.savedBack, async () => {
    for (const call of callsFor(link, to, from)) await call();
    changed();
  });
}

function changed(): void {
  linksChanged();
  void loadGroups();
}

const fieldOf: Readonly<Record<string, keyof Faults>> = {
  url: 'url',
  customCode: 'code',
  title: 'title',
  description: 'note',
  expiresAt: 'expiry',
  folderId: 'folder',
  tags: 'tags',
};

/** What is wrong, by the field of the builder; `other` for what is about no field. */
export interface Faults {
  readonly url?: string;
  readonly code?: string;
  readonly title?: string;
  readonly note?: string;
  readonly expiry?: string;
  readonly folder?: string;
  readonly tags?: string;
  readonly other?: string;
}

/** A refusal, told beside the fields that it is about. */
export function faultsIn(error: unknown, explain: (error: unknown) => string): Faults {
  if (!(error instanceof ApiError)) return { other: explain(error) };
  const faults: Record<string, string> = {};
  for (const { field, message } of error.details) {
    const name = fieldOf[field.replace(/[[.].*$/, '')];
    if (name === undefined) continue;
    faults[name] ??= error.details.length === 1 ? explain(error) : message;
  }
  if (error.code.startsWith('CUSTOM_CODE')) faults['code'] ??= explain(error);
  return Object.keys(faults).length === 0 ? { other: explain(error) } : faults;
}
