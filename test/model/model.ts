import assert from 'node:assert/strict';

/**
 * What the service means, once more, in Maps: the reference that every answer of the real one is compared with. Written
 * from the document and CONTRACT, without a line of src. What only the service can know (ids, drawn codes) is learned
 * from its answer and then held against it.
 */
export interface Model {
  now: number;
  readonly accounts: readonly Account[];
  readonly keys: readonly Key[];
  /** The account that holds or held a code, by its folded form; the link is null while none is live under it. */
  readonly codes: Map<string, { readonly account: Account; link: Link | null }>;
}

export interface Account {
  readonly name: string;
  readonly links: Map<string, Link>;
  readonly folders: Map<string, Folder>;
  /** By their names in small letters; each is spelled as it was first. */
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

interface Dated {
  readonly id: string;
  readonly createdAt: number;
  updatedAt: number;
  deleted: boolean;
}

export interface Folder extends Dated {
  name: string;
}

export interface Link extends Dated {
  readonly code: string;
  destination: string;
  title: string | null;
  description: string | null;
  /** Clicks by `hour class`. */
  readonly clicks: Map<string, number>;
  expiresAt: number | null;
  folder: Folder | null;
  /** As in {@link Account.tags}, in their order. */
  tags: readonly string[];
}

/** What must be answered. */
export type Expected =
  | { kind: 'json'; status: number; body: object; location?: string; replayed?: boolean }
  | { kind: 'nothing'; status: 204 }
  | { kind: 'refused'; status: number; code: string; problems?: readonly Problem[] }
  | { kind: 'redirect'; location: string }
  | { kind: 'page'; status: number; holds: string };

/** What the service alone can know. */
export interface Learned {
  readonly id?: unknown;
  readonly shortCode?: unknown;
}

export type Body = Readonly<Record<string, unknown>>;
type Problem = readonly [field: string, reason: string, code: string];

export const origin = 'http://short.test';
const day = 86_400_000;
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const drawnCode = /^[23456789bcdfghjkmnpqrstvwxyz]{8}$/;
const reserved: ReadonlySet<string> = new Set(['admin', 'api', 'login']);

function time(at: number): string {
  return new Date(at).toISOString();
}
function timeOrNull(at: number | null): string | null {
  return at === null ? null : time(at);
}
function live<T extends Dated>(records: ReadonlyMap<string, T>): T[] {
  return [...records.values()].filter(({ deleted }) => !deleted);
}
/** Only an account's own live records exist for it; an id is found in capitals too. */
function find<T extends Dated>(records: ReadonlyMap<string, T>, id: unknown): T | undefined {
  const found = records.get(String(id).toLowerCase());
  return found?.deleted ? undefined : found;
}
function clicksOf(link: Link): number {
  return [...link.clicks.values()].reduce((sum, count) => sum + count, 0);
}

// Refusals.

const statuses: Readonly<Record<string, number>> = {
  INVALID_API_KEY: 401,
  INSUFFICIENT_SCOPE: 403,
  LINK_NOT_FOUND: 404,
  FOLDER_NOT_FOUND: 404,
  CODE_NOT_FOUND: 404,
  CUSTOM_CODE_TAKEN: 409,
  CUSTOM_CODE_RESERVED: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  LINK_EXPIRED: 410,
  INVALID_CUSTOM_CODE: 422,
  SELF_REFERENTIAL_URL: 422,
  EXPIRY_IN_PAST: 422,
};
function statusOf(code: string): number {
  return statuses[code] ?? 400;
}
function refuse(code: string): Expected {
  return { kind: 'refused', status: statusOf(code), code };
}

/** Several problems at once: any 400 makes it 400; the specific code when it is the only kind (CONTRACT §1.3). */
function refuseFields(problems: readonly Problem[]): Expected {
  const [first = '', ...more] = new Set(problems.map(([, , code]) => code));
  const status = [first, ...more].every((code) => statusOf(code) === 422) ? 422 : 400;
  return { kind: 'refused', status, code: more.length === 0 ? first : 'VALIDATION_ERROR', problems };
}

/** The order of checks (CONTRACT §1.4): key, scope, fields; then the work. Neither scope implies the other. */
function guarded(
  key: Key,
  scope: string | null,
  problems: readonly Problem[],
  work: () => Expected,
): Expected {
  if (key.revoked) return refuse('INVALID_API_KEY');
  if (scope !== null && !key.scopes.includes(scope)) return refuse('INSUFFICIENT_SCOPE');
  return problems.length > 0 ? refuseFields(problems) : work();
}
const reading = 'links:read';
const writing = 'links:write';

function onLink(key: Key, id: string, work: (link: Link) => Expected): Expected {
  const link = find(key.account.links, id);
  return link === undefined ? refuse('LINK_NOT_FOUND') : work(link);
}
function onFolder(key: Key, id: string, work: (folder: Folder) => Expected): Expected {
  const folder = find(key.account.folders, id);
  return folder === undefined ? refuse('FOLDER_NOT_FOUND') : work(folder);
}

// Fields: first what is wrong by itself, then what only rules or the clock can tell.

function bad(field: string, reason: string, code = 'VALIDATION_ERROR'): Problem {
  return [field, reason, code];
}

function typeProblem(field: string, value: unknown): Problem[] {
  return value === undefined || value === null || typeof value === 'string' ? [] : [bad(field, 'wrong_type')];
}

function textProblem(field: string, value: unknown, min: number, max: number): Problem[] {
  if (typeof value !== 'string') return typeProblem(field, value);
  const characters = [...value];
  if (characters.length < min) return [bad(field, 'too_short')];
  if (characters.length > max) return [bad(field, 'too_long')];
  const allowed = field === 'description' ? '\n\t' : '';
  return characters.some((one) => one < ' ' && !allowed.includes(one))
    ? [bad(field, 'invalid_characters')]
    : [];
}

function urlShape(url: unknown): Problem[] {
  if (url === undefined) return [bad('url', 'missing')];
  return typeof url === 'string' ? [] : [bad('url', 'wrong_type')];
}

function urlRule(url: unknown): Problem[] {
  if (typeof url !== 'string') return [];
  const trimmed = url.trim();
  if (trimmed === '') return [bad('url', 'too_short')];
  if (trimmed.length > 2048) return [bad('url', 'too_long')];
  const sound = /^https?:\/\/[^/?#@\s\\]+([/?#][^\s\\]*)?$/i.test(trimmed);
  if (!sound) return [bad('url', 'invalid_format', 'INVALID_URL')];
  return new URL(trimmed).origin === origin ? [bad('url', 'not_allowed', 'SELF_REFERENTIAL_URL')] : [];
}

function codeRule(code: unknown): Problem[] {
  return typeof code !== 'string' ||
    code.length < 3 ||
    code.length > 50 ||
    /^[a-z0-9][a-z0-9_-]*$/i.test(code)
    ? []
    : [bad('customCode', 'invalid_characters', 'INVALID_CUSTOM_CODE')];
}

function expiryRule(model: Model, wished: unknown): Problem[] {
  if (typeof wished !== 'string') return [];
  const at = Date.parse(wished);
  if (Number.isNaN(at)) return [bad('expiresAt', 'invalid_format')];
  return at > model.now ? [] : [bad('expiresAt', 'in_the_past', 'EXPIRY_IN_PAST')];
}

function nameProblems(name: unknown): Problem[] {
  if (name === undefined) return [bad('name', 'missing')];
  const shape = textProblem('name', name ?? 0, 1, 50);
  return shape.length > 0 || String(name).trim() !== '' ? shape : [bad('name', 'too_short')];
}

function pageProblems(field: string, text: string | undefined, max: number): Problem[] {
  if (text === undefined) return [];
  if (!/^\d{1,16}$/.test(text)) return [bad(field, 'invalid_format')];
  return Number(text) >= 1 && Number(text) <= max ? [] : [bad(field, 'out_of_range')];
}

const extras = ['title', 'description', 'expiresAt', 'folderId', 'updatedAt', 'tags', 'status'];
function wordsIn(include: string | undefined): string[] {
  return (include ?? '').split(',').filter((word) => word !== '');
}
function includeProblems(include: string | undefined): Problem[] {
  return wordsIn(include).every((word) => extras.includes(word)) ? [] : [bad('include', 'unknown_value')];
}

// Answers.

function ok(data: object): Expected {
  return { kind: 'json', status: 200, body: { success: true, data } };
}

function created(link: Link) {
  return {
    id: link.id,
    shortCode: link.code,
    shortUrl: `${origin}/${link.code}`,
    destinationUrl: link.destination,
    createdAt: time(link.createdAt),
  };
}

function included(model: Model, { account }: Key, link: Link, include: string | undefined) {
  const all: Body = {
    title: link.title,
    description: link.description,
    expiresAt: timeOrNull(link.expiresAt),
    folderId: link.folder?.id ?? null,
    updatedAt: time(link.updatedAt),
    tags: link.tags.map((tag) => account.tags.get(tag)),
    status: link.expiresAt !== null && link.expiresAt <= model.now ? 'expired' : 'active',
  };
  const wanted = wordsIn(include);
  return Object.fromEntries(extras.filter((name) => wanted.includes(name)).map((name) => [name, all[name]]));
}

/**
 * Idempotency: the first success answers for a day, also after later changes; another request is refused, after what is
 * wrong with its fields.
 */
function once(
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

function learnId(model: Model, { id }: Learned): string {
  assert.ok(typeof id === 'string' && uuidV7.test(id), `${id} is not a UUID of version 7.`);
  const known = model.accounts.some(({ links, folders }) => links.has(id) || folders.has(id));
  assert.ok(!known, `${id} is the id of another record.`);
  return id;
}

/** A drawn code is one that no link ever had. */
function learnCode(model: Model, { shortCode }: Learned): string {
  assert.match(String(shortCode), drawnCode);
  assert.ok(!model.codes.has(String(shortCode)), `The drawn code ${shortCode} was in use.`);
  return String(shortCode);
}

/** What is so already changes nothing, `updatedAt` included. */
function change<T extends Dated>(model: Model, record: T, fields: Partial<T>): void {
  const different = Object.entries(fields).some(([name, value]) => record[name as keyof T] !== value);
  if (different) Object.assign(record, fields, { updatedAt: Math.max(record.updatedAt, model.now) });
}

/** Makes the tags of a link those named. A tag is made when it is named first. */
function setTags(model: Model, { account }: Key, link: Link, names: readonly string[]): void {
  for (const name of names)
    if (!account.tags.has(name.toLowerCase())) account.tags.set(name.toLowerCase(), name);
  const tags = [...new Set(names.map((name) => name.toLowerCase()))].sort();
  if (tags.join() !== link.tags.join()) change<Link>(model, link, { tags });
}

// The operations.

export function shorten(
  model: Model,
  key: Key,
  body: Body,
  name: string | undefined,
  learned: Learned,
): Expected {
  const { url, customCode, title, description, folderId } = body;
  const expiresAt = key.plan === 'free' ? undefined : body['expiresAt'];
  const shape = [
    ...urlShape(url),
    ...textProblem('customCode', customCode, 3, 50),
    ...textProblem('title', title, 0, 255),
    ...textProblem('description', description, 0, 2000),
    ...typeProblem('expiresAt', expiresAt),
    ...typeProblem('folderId', folderId),
  ];

  const rules = [...urlRule(url), ...codeRule(customCode), ...expiryRule(model, expiresAt)];

  const perform = (): Expected => {
    const problems = [...shape, ...rules];
    if (problems.length > 0) return refuseFields(problems);
    const folder = typeof folderId === 'string' ? find(key.account.folders, folderId) : null;
    if (folder === undefined) return refuse('FOLDER_NOT_FOUND');
    const wished = typeof customCode === 'string' ? customCode : undefined;
    if (wished !== undefined && reserved.has(wished.toLowerCase())) return refuse('CUSTOM_CODE_RESERVED');
    const holder = wished === undefined ? undefined : model.codes.get(wished.toLowerCase());
    const free = holder === undefined || (holder.link === null && holder.account === key.account);
    if (!free) return refuse('CUSTOM_CODE_TAKEN');

    const code = wished ?? learnCode(model, learned);
    const chosen = typeof expiresAt === 'string' ? Date.parse(expiresAt) : null;
    const link: Link = {
      id: learnId(model, learned),
      code,
      destination: String(url).trim(),
      title: (title as string | undefined) ?? null,
      description: (description as string | undefined) ?? null,
      clicks: new Map(),
      expiresAt: key.plan === 'free' ? model.now + 15 * day : chosen,
      folder,
      tags: [],
      createdAt: model.now,
      updatedAt: model.now,
      deleted: false,
    };
    setTags(model, key, link, (body['tags'] as string[] | null | undefined) ?? []);
    key.account.links.set(link.id, link);
    model.codes.set(code.toLowerCase(), { account: key.account, link });
    const location = `${origin}/api/v1/links/${link.id}`;
    return { kind: 'json', status: 201, body: { success: true, data: created(link) }, location };
  };
  const request = `shorten ${JSON.stringify(body)}`;
  return guarded(key, writing, [], () => once(model, key, name, request, shape, rules, perform));
}

export interface ListQuery {
  readonly page?: string;
  readonly limit?: string;
  readonly folderId?: string;
  readonly tag?: string;
  readonly search?: string;
  readonly include?: string;
}

export function list(model: Model, key: Key, query: ListQuery): Expected {
  const problems = [
    ...pageProblems('page', query.page, Number.MAX_SAFE_INTEGER),
    ...pageProblems('limit', query.limit, 100),
    ...includeProblems(query.include),
  ];
  return guarded(key, reading, problems, () => {
    const [page, limit] = [Number(query.page ?? 1), Number(query.limit ?? 20)];
    const folderId = query.folderId?.toLowerCase();
    const matching = live(key.account.links)
      .filter(({ folder }) => folderId === undefined || (folder?.id ?? 'none') === folderId)
      .filter(({ tags }) => query.tag === undefined || tags.includes(query.tag.toLowerCase()))
      .filter((link) => query.search === undefined || isFound(link, query.search.toLowerCase()))
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    const data = matching.slice((page - 1) * limit, page * limit).map((link) => {
      const { createdAt, ...rest } = created(link);
      return { ...rest, clicks: clicksOf(link), createdAt, ...included(model, key, link, query.include) };
    });
    const pagination = { page, limit, total: matching.length };
    return { kind: 'json', status: 200, body: { success: true, data, pagination } };
  });
}

/** A word of three letters or more is found in texts and in names of tags. */
function isFound({ code, destination, title, description, tags }: Link, word: string): boolean {
  const texts = [code, destination, new URL(destination).href, title ?? '', description ?? '', ...tags];
  return texts.some((text) => text.toLowerCase().includes(word));
}

export function get(model: Model, key: Key, id: string, include: string | undefined): Expected {
  return guarded(key, reading, includeProblems(include), () =>
    onLink(key, id, (link) => {
      const { createdAt, ...rest } = created(link);
      const more = included(model, key, link, include);
      return ok({ ...rest, title: link.title, clicks: clicksOf(link), createdAt, ...more });
    }),
  );
}

function immutable(link: Link): Body {
  return {
    url: link.destination,
    destinationUrl: link.destination,
    shortCode: link.code,
    customCode: link.code,
    folderId: link.folder?.id ?? null,
  };
}

/** Fields that PATCH ignores while they say what is so anyway. */
export function unchanging(link: Link, fields: readonly string[]): Body {
  return Object.fromEntries(Object.entries(immutable(link)).filter(([field]) => fields.includes(field)));
}

export function patch(model: Model, key: Key, id: string, body: Body): Expected {
  const { title, description } = body;
  const expiresAt = key.plan === 'free' ? undefined : body['expiresAt'];
  const problems = [
    ...textProblem('title', title, 0, 255),
    ...textProblem('description', description, 0, 2000),
    ...typeProblem('expiresAt', expiresAt),
    ...expiryRule(model, expiresAt),
  ];
  const fields = {
    ...(title !== undefined && { title: title as string | null }),
    ...(description !== undefined && { description: description as string | null }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : Date.parse(String(expiresAt)) }),
  };
  return guarded(key, writing, problems, () =>
    onLink(key, id, (link) => {
      const other = Object.entries(immutable(link)).filter(
        ([name, value]) => name in body && body[name] !== value,
      );
      if (other.length > 0)
        return refuseFields(other.map(([name]) => bad(name, 'immutable', 'IMMUTABLE_FIELD')));
      change(model, link, fields);
      if (body['tags'] !== undefined) setTags(model, key, link, (body['tags'] as string[] | null) ?? []);
      const [expiry, updatedAt] = [timeOrNull(link.expiresAt), time(link.updatedAt)];
      return ok({ id: link.id, shortCode: link.code, title: link.title, expiresAt: expiry, updatedAt });
    }),
  );
}

export function repoint(model: Model, key: Key, id: string, { url }: Body): Expected {
  return guarded(key, writing, [...urlShape(url), ...urlRule(url)], () =>
    onLink(key, id, (link) => {
      change(model, link, { destination: String(url).trim() });
      return ok({ id: link.id, destinationUrl: link.destination, updatedAt: time(link.updatedAt) });
    }),
  );
}

export function move(model: Model, key: Key, id: string, { folderId }: Body): Expected {
  const absent = folderId === undefined ? [bad('folderId', 'missing')] : [];
  return guarded(key, writing, [...absent, ...typeProblem('folderId', folderId)], () =>
    onLink(key, id, (link) => {
      const folder = folderId === null ? null : find(key.account.folders, folderId);
      if (folder === undefined) return refuse('FOLDER_NOT_FOUND');
      change(model, link, { folder });
      return ok({ id: link.id, folderId: folder?.id ?? null });
    }),
  );
}

export function remove(model: Model, key: Key, id: string): Expected {
  return guarded(key, writing, [], () =>
    onLink(key, id, (link) => {
      link.deleted = true;
      const holder = model.codes.get(link.code.toLowerCase());
      if (holder !== undefined) holder.link = null;
      return { kind: 'nothing', status: 204 };
    }),
  );
}

export function restore(model: Model, key: Key, id: string, name: string | undefined): Expected {
  const perform = (): Expected => {
    const link = key.account.links.get(id.toLowerCase());
    if (link === undefined) return refuse('LINK_NOT_FOUND');
    if (!link.deleted) return ok(created(link));
    const holder = model.codes.get(link.code.toLowerCase());
    if (holder === undefined || holder.link !== null) return refuse('CUSTOM_CODE_TAKEN');
    holder.link = link;
    change<Link>(model, link, { deleted: false });
    return ok(created(link));
  };
  return guarded(key, writing, [], () => once(model, key, name, `restore ${id}`, [], [], perform));
}

/** Many links at once, each by itself; what a single call would be refused with stands in its row. */
export function bulk(model: Model, key: Key, body: Body): Expected {
  const { action, tags } = body;
  const { add = [], remove: off = [] } = (tags ?? {}) as Readonly<Record<string, string[]>>;
  const rowOf = (sent: string) => {
    const link = key.account.links.get(sent.toLowerCase());
    const failed = (code: string, message: string) => ({
      ...{ status: 'failed', id: link?.id ?? (sent === 'no-id' ? sent : sent.toLowerCase()), link: null },
      error: { code, field: null, message },
    });
    if (link === undefined || (link.deleted && action !== 'restore'))
      return failed('LINK_NOT_FOUND', 'There is no such link.');
    if (action === 'restore') {
      const holder = model.codes.get(link.code.toLowerCase());
      if (link.deleted && (holder === undefined || holder.link !== null)) {
        const advice = 'Another link of this account has it now: delete that one first.';
        return failed('CUSTOM_CODE_TAKEN', `The code "${link.code}" is taken. ${advice}`);
      }
      restore(model, key, link.id, undefined);
    }
    if (action === 'delete') remove(model, key, link.id);
    if (action === 'tag') {
      const gone = off.map((name) => name.toLowerCase());
      const kept = link.tags
        .filter((tag) => !gone.includes(tag))
        .map((tag) => key.account.tags.get(tag) ?? tag);
      setTags(model, key, link, [...kept, ...add]);
    }
    return { status: 'done', id: link.id, link: action === 'delete' ? null : created(link), error: null };
  };
  return guarded(key, writing, [], () => {
    const results = (body['ids'] as string[]).map(rowOf);
    const done = results.filter(({ status }) => status === 'done').length;
    return ok({ done, failed: results.length - done, remaining: 0, nextCursor: null, results });
  });
}

export function createFolder(
  model: Model,
  key: Key,
  { name }: Body,
  onceName: string | undefined,
  learned: Learned,
): Expected {
  const problems = nameProblems(name);
  const perform = (): Expected => {
    if (problems.length > 0) return refuseFields(problems);
    const { now } = model;
    const dates = { createdAt: now, updatedAt: now, deleted: false };
    const folder = { id: learnId(model, learned), name: String(name).trim(), ...dates };
    key.account.folders.set(folder.id, folder);
    const body = { success: true, folder: { id: folder.id, name: folder.name, createdAt: time(now) } };
    return { kind: 'json', status: 201, body, location: `${origin}/api/v1/folders/${folder.id}` };
  };
  const request = `folders ${JSON.stringify({ name })}`;
  return guarded(key, writing, [], () => once(model, key, onceName, request, problems, [], perform));
}

export function renameFolder(model: Model, key: Key, id: string, { name }: Body): Expected {
  return guarded(key, writing, nameProblems(name), () =>
    onFolder(key, id, (folder) => {
      change(model, folder, { name: String(name).trim() });
      const { updatedAt } = folder;
      const body = {
        success: true,
        folder: { id: folder.id, name: folder.name, updatedAt: time(updatedAt) },
      };
      return { kind: 'json', status: 200, body };
    }),
  );
}

export function deleteFolder(key: Key, id: string): Expected {
  return guarded(key, writing, [], () =>
    onFolder(key, id, (folder) => {
      folder.deleted = true;
      for (const link of key.account.links.values()) if (link.folder === folder) link.folder = null;
      return { kind: 'nothing', status: 204 };
    }),
  );
}

export function listFolders(key: Key): Expected {
  return guarded(key, reading, [], () => {
    const links = live(key.account.links);
    const folders = live(key.account.folders)
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      .map((folder) => ({
        id: folder.id,
        name: folder.name,
        linkCount: links.filter((link) => link.folder === folder).length,
        createdAt: time(folder.createdAt),
      }));
    return { kind: 'json', status: 200, body: { success: true, folders } };
  });
}

export function me(key: Key): Expected {
  return guarded(key, null, [], () => {
    const { account, name, scopes, plan, id } = key;
    const limits = {
      links: null,
      folders: 1_000,
      requestsPerMinute: null,
      linkLifetimeDays: plan === 'free' ? 15 : null,
    };
    const usage = { links: live(account.links).length, folders: live(account.folders).length };
    return ok({ account: account.name, key: { id, name, expiresAt: null }, scopes, plan, limits, usage });
  });
}

export interface Visit {
  readonly method: 'GET' | 'HEAD';
  readonly preview: boolean;
  readonly html: boolean;
  /** The class under which a GET that is sent on counts. */
  readonly visitor: string;
}

/** The public side. `clicks` is the number of GETs answered with 302, of visitors of every class (CONTRACT §6). */
export function follow(model: Model, code: string, visit: Visit): Expected {
  const page = (status: number, holds: string): Expected => ({ kind: 'page', status, holds });
  const link = model.codes.get(code.toLowerCase())?.link ?? null;
  if (link === null) return visit.html ? page(404, 'This link does not exist') : refuse('CODE_NOT_FOUND');
  const expired = link.expiresAt !== null && model.now >= link.expiresAt;
  if (expired) return visit.html ? page(410, 'This link has expired') : refuse('LINK_EXPIRED');
  const location = new URL(link.destination).href;
  if (visit.preview) return page(200, `href="${location.replaceAll('&', '&amp;')}"`);
  if (visit.method === 'GET') {
    const sum = `${Math.floor(model.now / 3_600_000)} ${visit.visitor}`;
    link.clicks.set(sum, (link.clicks.get(sum) ?? 0) + 1);
  }
  return { kind: 'redirect', location };
}
