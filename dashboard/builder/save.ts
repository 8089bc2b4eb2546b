import { type Answer, ApiError, type CallOptions } from '../../src/client/client.ts';
import { copyText } from '../browser/clipboard.ts';
import { api } from '../data/client.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { changed } from '../data/links/changes.ts';
import type { FullLink } from '../data/links/links.ts';
import { freshId } from '../data/links/list.ts';
import { fullUtm } from '../data/links/utm.ts';
import { t as dataTexts } from '../data/texts.ts';
import { notify, notifyWithUndo } from '../data/undo.ts';
import { type PlainName, plainFields, typedOf } from '../fields/plain.ts';
import { readRules } from '../rules/model.ts';

import { type CardDraft, changesBetween, type Draft, emptyDraft, toInput } from './draft.ts';
import { t } from './texts.ts';

/** Creates the link, copies its short URL, and registers an undo. */
export async function createLink(draft: Draft): Promise<void> {
  const made = await api.shorten(toInput(draft));
  const isCopied = await copyText(made.shortUrl);
  const shown = made.shortUrl.replace(/^https?:\/\//, '');
  freshId.value = made.id;
  notifyWithUndo(
    isCopied ? t.builder.made(shown) : t.builder.madeUncopied(shown),
    t.builder.removed,
    async () => {
      await api.deleteLink(made.id);
      void changed();
    },
  );
  void changed();
}

/** Converts a link to an editable draft. */
export function draftOf(link: FullLink): Draft {
  const { shortCode, title, folderId, tags, expiresAt } = link;
  return {
    ...emptyDraft,
    url: link.destinationUrl,
    utm: fullUtm(link.utm),
    customCode: shortCode,
    title: title ?? '',
    plain: typedOf(plainFields(), link),
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

/** Returns the API calls that change a link from one state to another. */
function callsFor(link: FullLink, from: Draft, to: Draft): ((match: CallOptions) => Promise<unknown>)[] {
  const [urlBefore, url] = [normalUrl(from.url), normalUrl(to.url)];
  const customCode = to.customCode.trim();
  const fields = changesBetween(from, to);
  return [
    ...(customCode === '' || customCode === from.customCode.trim()
      ? []
      : [(match: CallOptions) => api.changeCode(link.id, { customCode }, match)]),
    ...(url === undefined || url === urlBefore
      ? []
      : [(match: CallOptions) => api.repointLink(link.id, { url }, match)]),
    ...(Object.keys(fields).length === 0
      ? []
      : [(match: CallOptions) => api.updateLink(link.id, fields, match)]),
    ...(from.folderId === to.folderId
      ? []
      : [(match: CallOptions) => api.moveLink(link.id, { folderId: to.folderId }, match)]),
  ];
}

/**
 * Saves changes to a link, and registers an undo.
 * @param link the link as it was when `from` was read
 * @throws ApiError REVISION_MISMATCH if the link has changed since then
 */
export async function saveLink(link: FullLink, from: Draft, to: Draft): Promise<void> {
  const calls = callsFor(link, from, to);
  if (calls.length === 0) return;
  let revision = link.revision;
  const onAnswer = ({ headers }: Answer) => {
    revision = Number(/\d+/.exec(headers.get('etag') ?? '')?.[0] ?? revision);
  };
  for (const call of calls) await call({ ifMatch: revision, onAnswer });
  void changed();
  // The previous password is unknown, so a password change cannot be undone.
  if (from.password === null && to.password !== null) return notify(dataTexts.did.saved);
  notifyWithUndo(dataTexts.did.saved, dataTexts.did.savedBack, async () => {
    for (const call of callsFor(link, to, from)) await call({});
    void changed();
  });
}

/** Errors by API field. `other` contains errors without a field. */
export type Faults = { readonly [N in Exclude<keyof Draft | PlainName, 'rules'> | 'other']?: string } & {
  /** Errors by path, such as `rules[0].when[1]`. */
  readonly rules?: Readonly<Record<string, string>>;
};

/** Converts an API error to errors by field. */
export function faultsIn(error: unknown, explain: (error: unknown) => string): Faults {
  if (!(error instanceof ApiError)) return { other: explain(error) };
  const faults: Record<string, string> = {};
  const rules: Record<string, string> = {};
  for (const { field, message } of error.details) {
    const name = field.replace(/[[.].*$/, '');
    // The form shows the error next to the rule, so the message need not contain the rule's path.
    if (name === 'rules') rules[field] ??= first(message.replace(`${field} `, ''));
    else if (Object.hasOwn(emptyDraft, name) || isPlain(name))
      faults[name] ??= error.details.length === 1 ? explain(error) : message;
  }
  if (Object.keys(rules).length > 0) return { ...faults, rules };
  if (error.code.startsWith('CUSTOM_CODE')) faults['customCode'] ??= explain(error);
  return Object.keys(faults).length === 0 ? { other: explain(error) } : faults;
}

function isPlain(field: string): boolean {
  return plainFields().some(({ name }) => name === field);
}

function first(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
