import { ApiError } from '../../src/client/client.ts';
import { copyText } from '../browser/clipboard.ts';
import { api } from '../data/client.ts';
import { loadGroups } from '../data/groups.ts';
import { normalUrl } from '../data/links/addresses.ts';
import type { WholeLink } from '../data/links/links.ts';
import { freshId, linksChanged } from '../data/links/list.ts';
import { fullUtm } from '../data/links/utm.ts';
import { t as dataTexts } from '../data/texts.ts';
import { did, tell } from '../data/undo.ts';
import { readRules } from '../rules/model.ts';

import { type CardDraft, changesBetween, type Draft, emptyDraft, toInput } from './draft.ts';
import { t } from './texts.ts';

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

/** A link as a draft, to be edited. */
export function draftOf(link: WholeLink): Draft {
  const { shortCode, title, description, folderId, tags, expiresAt } = link;
  return {
    ...emptyDraft,
    url: link.destinationUrl,
    utm: fullUtm(link.utm),
    code: shortCode,
    title: title ?? '',
    note: description ?? '',
    folderId: folderId ?? null,
    tags: tags ?? [],
    expiresAt: expiresAt ?? null,
    startsAt: link.startsAt,
    disabled: link.disabled,
    expiredUrl: link.expiredUrl ?? '',
    redirectStatus: link.redirectStatus === 302 ? null : link.redirectStatus,
    forwardQuery: link.forwardQuery === 'none' ? null : link.forwardQuery,
    rules: readRules(link.rules),
    maxClicks: link.maxClicks === null ? '' : String(link.maxClicks),
    password: link.hasPassword ? null : '',
    card: { ...emptyDraft.card, ...link.card } as CardDraft,
  };
}

/** What changes a link from one state to another, as the calls that it takes. */
function callsFor(link: WholeLink, from: Draft, to: Draft): (() => Promise<unknown>)[] {
  const [urlBefore, url] = [normalUrl(from.url), normalUrl(to.url)];
  const fields = changesBetween(from, to);
  return [
    ...(url === undefined || url === urlBefore ? [] : [() => api.repointLink(link.id, { url })]),
    ...(Object.keys(fields).length === 0 ? [] : [() => api.updateLink(link.id, fields)]),
    ...(from.folderId === to.folderId ? [] : [() => api.moveLink(link.id, { folderId: to.folderId })]),
  ];
}

/** Saves what was changed in a link, and keeps how it was. */
export async function saveLink(link: WholeLink, from: Draft, to: Draft): Promise<void> {
  const calls = callsFor(link, from, to);
  for (const call of calls) await call();
  if (calls.length === 0) return;
  changed();
  // No page and no server knows the text of the password it had, so this cannot be undone.
  if (from.password === null && to.password !== null) return tell(dataTexts.did.saved);
  did(dataTexts.did.saved, dataTexts.did.savedBack, async () => {
    for (const call of callsFor(link, to, from)) await call();
    changed();
  });
}

function changed(): void {
  linksChanged();
  void loadGroups();
}

const fieldOf: Readonly<Record<string, Exclude<keyof Faults, 'rules'>>> = {
  url: 'url',
  customCode: 'code',
  prefix: 'prefix',
  length: 'length',
  title: 'title',
  description: 'note',
  expiresAt: 'expiry',
  startsAt: 'startsAt',
  expiredUrl: 'expiredUrl',
  maxClicks: 'maxClicks',
  password: 'password',
  card: 'card',
  folderId: 'folder',
  tags: 'tags',
};

/** What is wrong, by the field of the builder; `other` for what is about no field. */
export interface Faults {
  readonly url?: string;
  readonly code?: string;
  readonly prefix?: string;
  readonly length?: string;
  readonly title?: string;
  readonly note?: string;
  readonly expiry?: string;
  readonly startsAt?: string;
  readonly expiredUrl?: string;
  readonly maxClicks?: string;
  readonly password?: string;
  readonly card?: string;
  /** By the field as the API names it: `rules[0].when[1]`. */
  readonly rules?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly tags?: string;
  readonly other?: string;
}

/** A refusal, told beside the fields that it is about. */
export function faultsIn(error: unknown, explain: (error: unknown) => string): Faults {
  if (!(error instanceof ApiError)) return { other: explain(error) };
  const faults: Record<string, string> = {};
  const rules: Record<string, string> = {};
  for (const { field, message } of error.details) {
    // A field of a rule is named by its place, which the form shows already.
    if (field.startsWith('rules')) rules[field] ??= first(message.replace(`${field} `, ''));
    const name = fieldOf[field.replace(/[[.].*$/, '')];
    if (name === undefined) continue;
    faults[name] ??= error.details.length === 1 ? explain(error) : message;
  }
  if (Object.keys(rules).length > 0) return { ...faults, rules };
  if (error.code.startsWith('CUSTOM_CODE')) faults['code'] ??= explain(error);
  return Object.keys(faults).length === 0 ? { other: explain(error) } : faults;
}

function first(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
