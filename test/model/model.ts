import assert from 'node:assert/strict';
import { words } from '../support/words.ts';
import {
  type Account,
  type Body,
  bad,
  clicksOf,
  codeRule,
  type Dated,
  day,
  drawnCode,
  type Expected,
  find,
  guarded,
  isReserved,
  type Key,
  type Learned,
  type Link,
  live,
  type Model,
  ok,
  once,
  onFolder,
  onLink,
  origin,
  type Problem,
  reading,
  refuse,
  refuseFields,
  shortUrl,
  textProblem,
  time,
  timeOrNull,
  touch,
  typeProblem,
  uuidV7,
  writing,
} from './basics.ts';
import { aliasesOf, holderOf, isFree, setLive, takeCode } from './codes.ts';
import {
  rulesOfSettings,
  type Settings,
  settingsIn,
  shapeOfSettings,
  shownSettings,
  usual,
} from './settings.ts';
import { stateOf } from './visits.ts';

// Validation of fields: first errors in the value itself, then errors that depend on rules or the clock.

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

const extras = words(`
  title description expiresAt folderId updatedAt startsAt disabled expiredUrl redirectStatus forwardQuery
  rules maxClicks utm archived tags status clicksLeft domain
`);
function wordsIn(include: string | undefined): string[] {
  return (include ?? '').split(',').filter((word) => word !== '');
}
function includeProblems(include: string | undefined): Problem[] {
  return wordsIn(include).every((word) => extras.includes(word)) ? [] : [bad('include', 'unknown_value')];
}

// Responses.

function created(link: Link) {
  return {
    id: link.id,
    shortCode: link.code,
    shortUrl: shortUrl(link),
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
    ...shownSettings(link),
    tags: link.tags.map((tag) => account.tags.get(tag)),
    status: stateOf(link, model.now),
    clicksLeft: link.maxClicks === null ? null : Math.max(0, link.maxClicks - link.usedClicks),
    domain: link.domain || new URL(origin).host,
  };
  const wanted = wordsIn(include);
  return Object.fromEntries(extras.filter((name) => wanted.includes(name)).map((name) => [name, all[name]]));
}

function learnId(model: Model, { id }: Learned): string {
  assert.ok(typeof id === 'string' && uuidV7.test(id), `${id} is not a UUID of version 7.`);
  const known = model.accounts.some(({ links, folders }) => links.has(id) || folders.has(id));
  assert.ok(!known, `${id} is the id of another record.`);
  return id;
}

/** Returns the generated code in a response, which must never have been used on its domain. */
function learnCode(model: Model, domain: string, { shortCode }: Learned): string {
  assert.match(String(shortCode), drawnCode);
  assert.ok(
    holderOf(model, domain, String(shortCode)) === undefined,
    `The drawn code ${shortCode} was in use.`,
  );
  return String(shortCode);
}

/** Changes a record's fields. If no value differs, `updatedAt` stays the same. */
function change<T extends Dated>(model: Model, record: T, fields: Partial<T>): void {
  const different = Object.entries(fields).some(([name, value]) => record[name as keyof T] !== value);
  if (!different) return;
  Object.assign(record, fields);
  touch(model, record);
}

/** Sets a link's tags. Missing tags are created. */
function setTags(model: Model, { account }: Key, link: Link, names: readonly string[]): void {
  for (const name of names)
    if (!account.tags.has(name.toLowerCase())) account.tags.set(name.toLowerCase(), name);
  const tags = [...new Set(names.map((name) => name.toLowerCase()))].sort();
  if (tags.join() !== link.tags.join()) change<Link>(model, link, { tags });
}

// Operations.

export function shorten(
  model: Model,
  key: Key,
  body: Body,
  name: string | undefined,
  learned: Learned,
): Expected {
  const { url, customCode, ifExists, title, description, folderId } = body;
  const expiresAt = key.plan === 'free' ? undefined : body['expiresAt'];
  const shape = [
    ...urlShape(url),
    ...textProblem('customCode', customCode, 3, 50),
    ...([undefined, null, 'new', 'reuse', 'fail'].includes(ifExists as string)
      ? []
      : [bad('ifExists', 'unknown_value')]),
    ...textProblem('title', title, 0, 255),
    ...textProblem('description', description, 0, 2000),
    ...typeProblem('expiresAt', expiresAt),
    ...typeProblem('folderId', folderId),
    ...shapeOfSettings(body),
  ];

  const rules = [
    ...urlRule(url),
    ...codeRule(customCode),
    ...expiryRule(model, expiresAt),
    ...rulesOfSettings(body, expiresAt, urlRule),
  ];

  const perform = (): Expected => {
    const all = [...shape, ...rules];
    // A code's format on a custom domain is checked last, after all other errors.
    const before = all.filter(([field]) => field !== 'customCode');
    const isAskedLater = key.account.domain !== '' && typeof customCode === 'string';
    const problems = isAskedLater && before.length > 0 ? before : all;
    if (problems.length > 0) return refuseFields(problems);
    const folder = typeof folderId === 'string' ? find(key.account.folders, folderId) : null;
    if (folder === undefined) return refuse('FOLDER_NOT_FOUND');
    const wished = typeof customCode === 'string' ? customCode : undefined;
    if (wished !== undefined && isReserved(key.account.domain, wished)) return refuse('CUSTOM_CODE_RESERVED');
    const settings = { ...usual, ...settingsIn(body) };
    const { domain } = key.account;
    const there = sameDestination(
      model,
      key.account,
      String(url),
      settings,
      ifExists === 'reuse' ? wished : undefined,
    );
    if (ifExists === 'reuse' && there !== undefined) return ok(created(there));
    if (ifExists === 'fail' && there !== undefined)
      return { ...refuse('LINK_EXISTS'), problems: [bad('url', 'exists', 'LINK_EXISTS')] } as Expected;
    if (wished !== undefined && !isFree(model, key.account, domain, wished))
      return refuse('CUSTOM_CODE_TAKEN');

    const code = wished ?? learnCode(model, domain, learned);
    const chosen = typeof expiresAt === 'string' ? Date.parse(expiresAt) : null;
    const link: Link = {
      ...settings,
      id: learnId(model, learned),
      code,
      domain,
      destination: String(url).trim(),
      title: (title as string | undefined) ?? null,
      description: (description as string | undefined) ?? null,
      clicks: new Map(),
      usedClicks: 0,
      expiresAt: key.plan === 'free' ? model.now + 15 * day : chosen,
      folder,
      tags: [],
      createdAt: model.now,
      updatedAt: model.now,
      deleted: false,
    };
    setTags(model, key, link, (body['tags'] as string[] | null | undefined) ?? []);
    key.account.links.set(link.id, link);
    takeCode(model, key.account, link, code);
    const location = `${origin}/api/v1/links/${link.id}`;
    return { kind: 'json', status: 201, body: { success: true, data: created(link) }, location };
  };
  const request = `shorten ${JSON.stringify(body)}`;
  return guarded(key, writing, [], () => once(model, key, name, request, shape, rules, perform));
}

/**
 * Returns the account's oldest active link to a destination. If a code is given, only the link with that code counts.
 */
function sameDestination(
  model: Model,
  account: Account,
  url: string,
  { utm }: Settings,
  code: string | undefined,
): Link | undefined {
  const { href } = new URL(url.trim());
  const { domain } = account;
  const coded = code === undefined ? undefined : holderOf(model, domain, code);
  return live(account.links).find(
    (link) =>
      link.domain === domain &&
      new URL(link.destination).href === href &&
      link.utm === utm &&
      ['active', 'scheduled'].includes(stateOf(link, model.now)) &&
      (code === undefined || (coded?.live && coded.link === link)),
  );
}

export interface ListQuery {
  readonly archived?: string;
  readonly status?: string;
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
      .filter(({ archived }) => query.archived === undefined || String(archived) === query.archived)
      .filter((link) => query.status === undefined || stateOf(link, model.now) === query.status)
      .filter(({ tags }) => query.tag === undefined || tags.includes(query.tag.toLowerCase()))
      .filter((link) => query.search === undefined || isFound(model, link, query.search.toLowerCase()))
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    const data = matching.slice((page - 1) * limit, page * limit).map((link) => {
      const { createdAt, ...rest } = created(link);
      return { ...rest, clicks: clicksOf(link), createdAt, ...included(model, key, link, query.include) };
    });
    const pagination = { page, limit, total: matching.length };
    return { kind: 'json', status: 200, body: { success: true, data, pagination } };
  });
}

/**
 * Returns true if a search for a word finds a link. Words of three letters or more match in text columns and tag names.
 */
function isFound(model: Model, link: Link, word: string): boolean {
  const { code, destination, title, description, tags } = link;
  const texts = [
    code,
    ...aliasesOf(model, link),
    destination,
    new URL(destination).href,
    title ?? '',
    description ?? '',
    ...tags,
  ];
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

/** Returns immutable fields with their current values, which PATCH accepts and ignores. */
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
    ...shapeOfSettings(body),
    ...expiryRule(model, expiresAt),
    ...rulesOfSettings(body, expiresAt, urlRule),
  ];
  const fields = {
    ...(title !== undefined && { title: title as string | null }),
    ...(description !== undefined && { description: description as string | null }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : Date.parse(String(expiresAt)) }),
  };
  const settings = problems.length > 0 ? {} : settingsIn(body);
  return guarded(key, writing, problems, () =>
    onLink(key, id, (link) => {
      const other = Object.entries(immutable(link)).filter(
        ([name, value]) => name in body && body[name] !== value,
      );
      if (other.length > 0)
        return refuseFields(other.map(([name]) => bad(name, 'immutable', 'IMMUTABLE_FIELD')));
      change(model, link, { ...fields, ...settings });
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
      setLive(model, link, false);
      return { kind: 'nothing', status: 204 };
    }),
  );
}

export function restore(model: Model, key: Key, id: string, name: string | undefined): Expected {
  const perform = (): Expected => {
    const link = key.account.links.get(id.toLowerCase());
    if (link === undefined) return refuse('LINK_NOT_FOUND');
    if (!link.deleted) return ok(created(link));
    if (holderOf(model, link.domain, link.code)?.live) return refuse('CUSTOM_CODE_TAKEN');
    setLive(model, link, true);
    change<Link>(model, link, { deleted: false });
    return ok(created(link));
  };
  return guarded(key, writing, [], () => once(model, key, name, `restore ${id}`, [], [], perform));
}

/** Performs a bulk change. Each row is handled separately, and has the same error as a single request would. */
export function bulk(model: Model, key: Key, body: Body): Expected {
  const { action, tags } = body;
  const { add = [], remove: off = [] } = (tags ?? {}) as Readonly<Record<string, string[]>>;
  const rowOf = (sent: string) => {
    const link = key.account.links.get(sent.toLowerCase());
    const failed = (code: string, message: string) => ({
      status: 'failed',
      id: link?.id ?? (sent === 'no-id' ? sent : sent.toLowerCase()),
      link: null,
      error: { code, field: null, message },
    });
    if (link === undefined || (link.deleted && action !== 'restore'))
      return failed('LINK_NOT_FOUND', 'Link not found.');
    if (action === 'restore') {
      if (link.deleted && holderOf(model, link.domain, link.code)?.live) {
        const advice = 'Another link in this account uses the code now. Delete that link first.';
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
    const named = { id, name, expiresAt: null };
    const bounds = { domains: null, folders: null };
    return ok({
      account: account.name,
      key: named,
      person: null,
      isOperator: false,
      scopes,
      plan,
      ...bounds,
      limits,
      usage,
    });
  });
}
