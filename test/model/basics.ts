import type { Settings } from './settings.ts';

/**
 * Reference model of the service, in Maps. Every real response is compared with it. It was written from the OpenAPI
 * document and CONTRACT, without src. Values that only the service knows (IDs, generated codes) are taken from its
 * responses and then checked.
 */
export interface Model {
  now: number;
  readonly accounts: readonly Account[];
  readonly keys: readonly Key[];
  /** Codes by {@link keyOf}, including codes without a live link. */
  readonly codes: Map<string, Holder>;
}

export interface Account {
  readonly name: string;
  /** Host of the account's custom domain. */
  readonly own: string;
  /** Host of the account's default domain: its custom domain, or empty for the shared one. */
  domain: string;
  readonly links: Map<string, Link>;
  readonly folders: Map<string, Folder>;
  /** Tags by lower-case name. Each tag keeps its original spelling. */
  readonly tags: Map<string, string>;
  readonly once: Map<string, { readonly request: string; readonly at: number; readonly expected: Expected }>;
}

export interface Key {
  readonly id: string;
  readonly token: string;
  readonly name: string;
  readonly account: Account;
  readonly plan: 'free' | 'starter';
  readonly scopes: readonly string[];
  revoked: boolean;
}

export interface Dated {
  readonly id: string;
  readonly createdAt: number;
  updatedAt: number;
  deleted: boolean;
}

export interface Folder extends Dated {
  name: string;
}

export interface Link extends Dated, Settings {
  code: string;
  /** Host of the link's domain. Empty if the link is on the shared domain. */
  readonly domain: string;
  destination: string;
  title: string | null;
  description: string | null;
  /** Number of clicks, with the hour and the class as the key. */
  readonly clicks: Map<string, number>;
  /** Number of human visits while the link had a limit. */
  usedClicks: number;
  expiresAt: number | null;
  folder: Folder | null;
  /** Lower-case names, as in {@link Account.tags}, in order. */
  tags: readonly string[];
}

/** The account that has or had a code. A code without a live link does not redirect, and its account may reuse it. */
export interface Holder {
  readonly account: Account;
  /** The last link that used the code. */
  link: Link;
  live: boolean;
  /** The code as entered, or null if it is the link's main code. */
  alias: string | null;
}

/** The expected response. */
export type Expected =
  | { kind: 'json'; status: number; body: object; location?: string; replayed?: boolean }
  | { kind: 'nothing'; status: 204 }
  | { kind: 'refused'; status: number; code: string; problems?: readonly Problem[] }
  | { kind: 'redirect'; status: number; location: string }
  | { kind: 'page'; status: number; holds: string };

/** Values in a response that only the service knows. */
export interface Learned {
  readonly id?: unknown;
  readonly shortCode?: unknown;
}

export type Body = Readonly<Record<string, unknown>>;
export type Problem = readonly [field: string, reason: string, code: string];

export const origin = 'http://short.test';
/** Returns a key that identifies a code on its domain. */
export function keyOf(domain: string, code: string): string {
  return `${domain}|${code.toLowerCase()}`;
}
export function shortUrl({ domain, code }: Pick<Link, 'domain' | 'code'>): string {
  return `${domain === '' ? origin : `http://${domain}`}/${code}`;
}
export const day = 86_400_000;
export const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const drawnCode = /^[23456789bcdfghjkmnpqrstvwxyz]{8}$/;
/** Returns true if a code is reserved. On a custom domain, only the server's own paths are reserved. */
export function isReserved(domain: string, code: string): boolean {
  const word = code.toLowerCase();
  return word === 'api' || (domain === '' && ['admin', 'login'].includes(word));
}

export function time(at: number): string {
  return new Date(at).toISOString();
}
export function timeOrNull(at: number | null): string | null {
  return at === null ? null : time(at);
}
export function live<T extends Dated>(records: ReadonlyMap<string, T>): T[] {
  return [...records.values()].filter(({ deleted }) => !deleted);
}
/** Returns an account's live record by its ID. IDs are case-insensitive. */
export function find<T extends Dated>(records: ReadonlyMap<string, T>, id: unknown): T | undefined {
  const found = records.get(String(id).toLowerCase());
  return found?.deleted ? undefined : found;
}
export function clicksOf(link: Link): number {
  return [...link.clicks.values()].reduce((sum, count) => sum + count, 0);
}

// Responses to requests that fail.

const statuses: Readonly<Record<string, number>> = {
  INVALID_API_KEY: 401,
  INSUFFICIENT_SCOPE: 403,
  LINK_NOT_FOUND: 404,
  FOLDER_NOT_FOUND: 404,
  CODE_NOT_FOUND: 404,
  CUSTOM_CODE_TAKEN: 409,
  CUSTOM_CODE_RESERVED: 409,
  ALIAS_NOT_FOUND: 404,
  LINK_EXISTS: 409,
  LINK_NOT_STARTED: 404,
  LINK_UNAVAILABLE: 410,
  LINK_EXHAUSTED: 410,
  METHOD_NOT_ALLOWED: 405,
  LIMIT_REACHED: 403,
  IDEMPOTENCY_KEY_REUSED: 409,
  LINK_EXPIRED: 410,
  INVALID_CUSTOM_CODE: 422,
  SELF_REFERENTIAL_URL: 422,
  EXPIRY_IN_PAST: 422,
};
function statusOf(code: string): number {
  return statuses[code] ?? 400;
}
export function refuse(code: string): Expected {
  return { kind: 'refused', status: statusOf(code), code };
}

/**
 * Returns the error for invalid fields. The status is 400 if any field has status 400. If all errors are of one kind,
 * the error code names that kind (CONTRACT §1.3).
 */
export function refuseFields(problems: readonly Problem[]): Expected {
  const [first = '', ...more] = new Set(problems.map(([, , code]) => code));
  const status = [first, ...more].every((code) => statusOf(code) === 422) ? 422 : 400;
  return { kind: 'refused', status, code: more.length === 0 ? first : 'VALIDATION_ERROR', problems };
}

/**
 * Performs the checks in order (CONTRACT §1.4): key, scope, fields. Then runs the operation. Neither scope implies the
 * other.
 */
export function guarded(
  key: Key,
  scope: string | null,
  problems: readonly Problem[],
  work: () => Expected,
): Expected {
  if (key.revoked) return refuse('INVALID_API_KEY');
  if (scope !== null && !key.scopes.includes(scope)) return refuse('INSUFFICIENT_SCOPE');
  return problems.length > 0 ? refuseFields(problems) : work();
}
export const reading = 'links:read';
export const writing = 'links:write';

export function onLink(key: Key, id: string, work: (link: Link) => Expected): Expected {
  const link = find(key.account.links, id);
  return link === undefined ? refuse('LINK_NOT_FOUND') : work(link);
}
export function onFolder(key: Key, id: string, work: (folder: Folder) => Expected): Expected {
  const folder = find(key.account.folders, id);
  return folder === undefined ? refuse('FOLDER_NOT_FOUND') : work(folder);
}

// Field validation errors.

export function bad(field: string, reason: string, code = 'VALIDATION_ERROR'): Problem {
  return [field, reason, code];
}

export function typeProblem(field: string, value: unknown): Problem[] {
  return value === undefined || value === null || typeof value === 'string' ? [] : [bad(field, 'wrong_type')];
}

export function textProblem(field: string, value: unknown, min: number, max: number): Problem[] {
  if (typeof value !== 'string') return typeProblem(field, value);
  const characters = [...value];
  if (characters.length < min) return [bad(field, 'too_short')];
  if (characters.length > max) return [bad(field, 'too_long')];
  const allowed = field === 'description' ? '\n\t' : '';
  return characters.some((one) => one < ' ' && !allowed.includes(one))
    ? [bad(field, 'invalid_characters')]
    : [];
}

export function codeRule(code: unknown): Problem[] {
  return typeof code !== 'string' ||
    code.length < 3 ||
    code.length > 50 ||
    /^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9_-]*)?$/i.test(code)
    ? []
    : [bad('customCode', 'invalid_characters', 'INVALID_CUSTOM_CODE')];
}

// Responses.

export function ok(data: object): Expected {
  return { kind: 'json', status: 200, body: { success: true, data } };
}

/**
 * Applies an idempotency key. The first success is replayed for a day, even after later changes. A different request
 * with the same key is rejected, but its field errors are reported first.
 */
export function once(
  model: Model,
  { account }: Key,
  name: string | undefined,
  request: string,
  shape: readonly Problem[],
  rules: readonly Problem[],
  perform: () => Expected,
): Expected {
  const earlier = name === undefined ? undefined : account.once.get(name);
  if (earlier !== undefined && earlier.at > model.now - day) {
    const wrong = [...shape, ...rules];
    if (earlier.request !== request) {
      return wrong.length > 0 ? refuseFields(wrong) : refuse('IDEMPOTENCY_KEY_REUSED');
    }
    return shape.length > 0 ? refuseFields(shape) : ({ ...earlier.expected, replayed: true } as Expected);
  }
  const expected = perform();
  const remember = name !== undefined && expected.kind === 'json';
  if (remember) account.once.set(name, { request, at: model.now, expected });
  return expected;
}

/** Updates `updatedAt`, even if no other field has changed. */
export function touch(model: Model, record: Dated): void {
  record.updatedAt = Math.max(record.updatedAt, model.now);
}
