import type { LinkCard, ShortenInput } from '../../src/client/client.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { noUtm, sentUtm, splitUtm, type Utm } from '../data/links/utm.ts';
import { type PlainName, plainFields, sentOf, type Typed } from '../fields/plain.ts';
import { type RuleDraft, writeRules } from '../rules/model.ts';

/** Social card fields as typed. */
export type CardDraft = Readonly<Record<'title' | 'description' | 'image', string>>;

/** Link draft in the builder. */
export interface Draft {
  readonly url: string;
  /** The selected domain's host, or empty for the default domain. */
  readonly domain: string;
  readonly customCode: string;
  /** Prefix and length for a generated code, as typed. Empty means the default. */
  readonly prefix: string;
  readonly length: string;
  /** Behavior if another link has the same destination. Null means the API's default. */
  readonly ifExists: 'fail' | null;
  readonly title: string;
  /** Fields without their own form control, as typed. */
  readonly plain: Typed;
  readonly utm: Utm;
  readonly folderId: string | null;
  readonly tags: readonly string[];
  /** ISO 8601 in UTC. Null if the link does not expire. */
  readonly expiresAt: string | null;
  /** ISO 8601 in UTC. Null if the link is active immediately. */
  readonly startsAt: string | null;
  readonly disabled: boolean;
  /** Redirect target after expiry. Empty means the default. */
  readonly expiredUrl: string;
  /** Null means the default, 302. */
  readonly redirectStatus: 301 | 302 | 307 | 308 | null;
  /** Null means the default, `none`. */
  readonly forwardQuery: 'none' | 'add' | 'override' | null;
  readonly rules: readonly RuleDraft[];
  /** Click limit as typed. Empty means no limit. */
  readonly maxClicks: string;
  /** Password for visitors. Empty means no password; null keeps the current password. */
  readonly password: string | null;
  readonly card: CardDraft;
}

export const emptyDraft: Draft = {
  url: '',
  domain: '',
  customCode: '',
  prefix: '',
  length: '',
  ifExists: null,
  title: '',
  plain: {},
  utm: noUtm,
  folderId: null,
  tags: [],
  expiresAt: null,
  startsAt: null,
  disabled: false,
  expiredUrl: '',
  redirectStatus: null,
  forwardQuery: null,
  rules: [],
  maxClicks: '',
  password: '',
  card: { title: '', description: '', image: '' },
};

export function isEmpty(draft: Draft): boolean {
  return JSON.stringify({ ...draft, folderId: null }) === JSON.stringify(emptyDraft);
}

/** Returns the draft with a pasted URL. UTM parameters move from the URL to the UTM fields. */
export function withUrl(draft: Draft, text: string): Draft {
  const { url, utm } = splitUtm(text.trim());
  const merged = Object.fromEntries(
    Object.entries(draft.utm).map(([name, value]) => [name, utm[name as keyof Utm] || value]),
  ) as unknown as Utm;
  return { ...draft, url, utm: merged };
}

/** Normalizes a URL that the user typed. Returns the trimmed text if the URL is invalid. */
function addressIn(text: string): string {
  return normalUrl(text) ?? text.trim();
}

/** Returns the fields that affect redirects, in API format. Unset fields are null. */
export function decidingFields(draft: Draft) {
  const { expiresAt, startsAt, disabled, expiredUrl, redirectStatus, forwardQuery, rules, maxClicks, card } =
    draft;
  return {
    expiresAt,
    startsAt,
    disabled,
    expiredUrl: expiredUrl.trim() === '' ? null : addressIn(expiredUrl),
    redirectStatus,
    forwardQuery,
    rules: rules.length === 0 ? null : writeRules(rules, addressIn),
    maxClicks: maxClicks.trim() === '' ? null : Number(maxClicks),
    utm: sentUtm(draft.utm),
    card: cardOf(card),
  };
}

/** Returns the card in API format, with filled-in fields only. */
export function cardOf(card: CardDraft): LinkCard | null {
  const image = card.image.trim();
  const given = Object.entries({ ...card, image: image === '' ? '' : addressIn(image) })
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '');
  return given.length === 0 ? null : Object.fromEntries(given);
}

/** Returns the body of a `PATCH` request with the fields that differ between two drafts. */
export function changesBetween(from: Draft, to: Draft) {
  const before = fieldsOf(from);
  const changed = Object.entries(fieldsOf(to)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  );
  return Object.fromEntries(changed) as Partial<ReturnType<typeof fieldsOf>>;
}

function fieldsOf(draft: Draft) {
  const { title, plain, tags, password } = draft;
  return {
    title: title.trim() || null,
    ...(sentOf(plainFields(), plain) as Pick<ShortenInput, PlainName & keyof ShortenInput>),
    tags: [...tags],
    ...decidingFields(draft),
    password: password === null ? undefined : password || null,
  };
}

/** Returns the body of `POST /shorten`, with filled-in fields only. */
export function toInput(draft: Draft) {
  const { domain, folderId, ifExists } = draft;
  const [customCode, prefix, length] = [draft.customCode.trim(), draft.prefix.trim(), draft.length.trim()];
  const { tags, disabled, ...fields } = fieldsOf(draft);
  // Options for generated codes do not apply to a custom code.
  const drawn =
    customCode !== '' ? { customCode } : { prefix: prefix || null, length: Number(length) || null };
  const given = Object.entries({ ...drawn, domain: domain || null, ifExists, ...fields, folderId }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return {
    url: normalUrl(draft.url) ?? draft.url,
    ...(Object.fromEntries(given) as Partial<Omit<ShortenInput, 'url'>>),
    ...(tags.length === 0 ? {} : { tags }),
    ...(disabled ? { disabled } : {}),
  };
}
