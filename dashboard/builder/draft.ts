import type { LinkCard, ShortenInput } from '../../src/client/client.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { noUtm, sentUtm, splitUtm, type Utm } from '../data/links/utm.ts';
import { type PlainName, sentOf, type Typed } from '../fields/plain.ts';
import { type RuleDraft, writeRules } from '../rules/model.ts';

/** What chats and networks show of the link, as typed. */
export type CardDraft = Readonly<Record<'title' | 'description' | 'image', string>>;

/** What a link will be, as it stands in the builder. */
export interface Draft {
  readonly url: string;
  /** The host of the domain that was chosen; empty for the default one. */
  readonly domain: string;
  readonly customCode: string;
  /** What a drawn code begins with, and how many symbols are drawn; as typed, empty for what is usual. */
  readonly prefix: string;
  readonly length: string;
  /** What becomes of a second link to the same destination; null for what the API does by itself. */
  readonly ifExists: 'fail' | null;
  readonly title: string;
  /** The fields that need no form of their own, as typed. */
  readonly plain: Typed;
  readonly utm: Utm;
  readonly folderId: string | null;
  readonly tags: readonly string[];
  /** ISO, UTC; null for never. */
  readonly expiresAt: string | null;
  /** ISO, UTC; null for at once. */
  readonly startsAt: string | null;
  readonly disabled: boolean;
  /** Empty for a page that says so. */
  readonly expiredUrl: string;
  /** Null for 302. */
  readonly redirectStatus: 301 | 302 | 307 | 308 | null;
  /** Null for none. */
  readonly forwardQuery: 'none' | 'add' | 'override' | null;
  readonly rules: readonly RuleDraft[];
  /** How often people may follow it, as typed; empty for no limit. */
  readonly maxClicks: string;
  /** What visitors have to give; empty for nothing, null for the one that the link has. */
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

/** A pasted address: its UTM parameters move into their fields. */
export function withUrl(draft: Draft, text: string): Draft {
  const { url, utm } = splitUtm(text.trim());
  const merged = Object.fromEntries(
    Object.entries(draft.utm).map(([name, value]) => [name, utm[name as keyof Utm] || value]),
  ) as unknown as Utm;
  return { ...draft, url, utm: merged };
}

/** What was typed as an address; as it is, where it is none. */
function addressIn(text: string): string {
  return normalUrl(text) ?? text.trim();
}

/** What decides on the visits of the link, as the API takes it; null for what was not asked for. */
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

/** A card as the API takes it, only with what was filled in. */
export function cardOf(card: CardDraft): LinkCard | null {
  const image = card.image.trim();
  const given = Object.entries({ ...card, image: image === '' ? '' : addressIn(image) })
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '');
  return given.length === 0 ? null : Object.fromEntries(given);
}

/** The fields in which two drafts differ, as `PATCH` takes them. */
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
    ...(sentOf(plain) as Pick<ShortenInput, PlainName & keyof ShortenInput>),
    tags: [...tags],
    ...decidingFields(draft),
    password: password === null ? undefined : password || null,
  };
}

/** The draft as `POST /shorten` takes it, only with what was filled in. */
export function toInput(draft: Draft) {
  const { domain, folderId, ifExists } = draft;
  const [customCode, prefix, length] = [draft.customCode.trim(), draft.prefix.trim(), draft.length.trim()];
  const { tags, disabled, ...fields } = fieldsOf(draft);
  // A code that is given is not drawn.
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
