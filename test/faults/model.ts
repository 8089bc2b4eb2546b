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
  /** Who holds or held a code, by its folded form; the link is null while none is live under it. */
  readonly codes: Map<string, { readonly account: Account; link: Link | null }>;
}

export interface Account {
  readonly name: string;
  readonly links: Map<string, Link>;
  readonly folders: Map<string, Folder>;
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

export interface Link {
  readonly id: string;
  readonly code: string;
  destination: string;
  title: string | null;
  description: string | null;
  /** Clicks by `hour class`. */
  readonly clicks: Map<string, number>;
  expiresAt: number | null;
  folder: Folder | null;
  readonly createdAt: number;
  updatedAt: number;
  deleted: boolean;
}

export interface Folder {
  readonly id: string;
  name: string;
  readonly createdAt: number;
  updatedAt: number;
  deleted: boolean;
}

/** What must be answered. */
export type Expected =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: object;
      readonly location?: string;
      readonly replayed?: boolean;
    }
  | { readonly kind: 'nothing'; readonly status: 204 }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly problems?: readonly Problem[];
    }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'page'; readonly status: number; readonly holds: string };

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

const time = (at: number): string => new Date(at).toISOString();
const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));
export const totalOf = (link: Link): number =>
  [...link.clicks.values()].reduce((sum, count) => sum + count, 0);
export const liveLinks = (account: Account): Link[] =>
  [...account.links.values()].filter((link) => !link.deleted);

// Refusals.

const statusOf = (code: string): number => {
  if (code.endsWith('_NOT_FOUND')) return 404;
  if (/^(CUSTOM_CODE|IDEMPOTENCY)_/.test(code)) return 409;
  if (/^(INVALID_CUSTOM_CODE|SELF_REFERENTIAL_URL|EXPIRY_IN_PAST)$/.test(code)) return 422;
  if (code === 'INVALID_API_KEY') return 401;
  if (code === 'INSUFFICIENT_SCOPE') return 403;
  return code === 'LINK_EXPIRED' ? 410 : 400;
};

const refuse = (code: string): Expected => ({ kind: 'refused', status: statusOf(code), code });

/** Several problems at once: any 400 makes it 400; the specific code when it is the only kind (CONTRACT §1.3). */
const refuseFields = (problems: readonly Problem[]): Expected => {
  const codes = [...new Set(problems.map(([, , code]) => code))];
  const status = codes.every((code) => statusOf(code) === 422) ? 422 : 400;
  return {
    kind: 'refused',
    status,
    code: codes.length === 1 ? (codes[0] ?? '') : 'VALIDATION_ERROR',
    problems,
  };
};

/** Who may: a revoked key is unknown, and neither scope implies the other. */
const admit = (key: Key, scope: string | null): Expected | undefined => {
  if (key.revoked) return refuse('INVALID_API_KEY');
  return scope === null || key.scopes.includes(scope) ? undefined : refuse('INSUFFICIENT_SCOPE');
};

// Fields. What is wrong by itself comes first, then what needs rules or the clock.

const bad = (field: string, reason: string, code = 'VALIDATION_ERROR'): Problem => [field, reason, code];

const textProblem = (field: string, value: unknown, min: number, max: number): Problem[] => {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'string') return [bad(field, 'wrong_type')];
  if ([...value].length < min) return [bad(field, 'too_short')];
  if ([...value].length > max) return [bad(field, 'too_long')];
  const control = field === 'description' ? /[\u0000-\u0008\u000b-\u001f]/ : /[\u0000-\u001f]/;
  return control.test(value) ? [bad(field, 'invalid_characters')] : [];
};

const typeProblem = (field: string, value: unknown): Problem[] =>
  value === undefined || value === null || typeof value === 'string' ? [] : [bad(field, 'wrong_type')];

const urlShape = (url: unknown): Problem[] => {
  if (url === undefined) return [bad('url', 'missing')];
  return typeof url === 'string' ? [] : [bad('url', 'wrong_type')];
};

const urlRule = (url: unknown): Problem[] => {
  if (typeof url !== 'string') return [];
  const trimmed = url.trim();
  if (trimmed === '') return [bad('url', 'too_short')];
  if ([...trimmed].length > 2048) return [bad('url', 'too_long')];
  if (!/^https?:\/\/[^/?#@\s\\]+([/?#][^\s\\]*)?$/i.test(trimmed))
    return [bad('url', 'invalid_format', 'INVALID_URL')];
  const own = new URL(trimmed).origin === origin;
  return own ? [bad('url', 'not_allowed', 'SELF_REFERENTIAL_URL')] : [];
};

const codeRule = (code: unknown): Problem[] =>
  typeof code !== 'string' || code.length < 3 || code.length > 50 || /^[a-z0-9][a-z0-9_-]*$/i.test(code)
    ? []
    : [bad('customCode', 'invalid_characters', 'INVALID_CUSTOM_CODE')];

const expiryRule = (model: Model, wished: unknown): Problem[] => {
  if (typeof wished !== 'string') return [];
  const at = Date.parse(wished);
  if (Number.isNaN(at)) return [bad('expiresAt', 'invalid_format')];
  return at > model.now ? [] : [bad('expiresAt', 'in_the_past', 'EXPIRY_IN_PAST')];
};

const nameProblems = (name: unknown): Problem[] => {
  if (name === undefined) return [bad('name', 'missing')];
  const shape = textProblem('name', name ?? 0, 1, 50);
  return shape.length > 0 || String(name).trim() !== '' ? shape : [bad('name', 'too_short')];
};

/** Only an account's own live records exist for it; an id is found in capitals too. */
const linkOf = ({ links }: Account, id: string): Link | undefined => liveIn(links, id);
const folderOf = ({ folders }: Account, id: unknown): Folder | undefined => liveIn(folders, String(id));
const liveIn = <T extends { readonly deleted: boolean }>(
  records: ReadonlyMap<string, T>,
  id: string,
): T | undefined => {
  const found = records.get(id.toLowerCase());
  return found?.deleted ? undefined : found;
};

// Answers.

const json = (status: number, body: object, more: { location?: string } = {}): Expected => ({
  ...{ kind: 'json', status, body },
  ...more,
});

const created = (link: Link) => ({
  id: link.id,
  shortCode: link.code,
  shortUrl: `${origin}/${link.code}`,
  destinationUrl: link.destination,
  createdAt: time(link.createdAt),
});

const extras = ['title', 'description', 'expiresAt', 'folderId', 'updatedAt', 'status'];

const included = (model: Model, link: Link, wanted: readonly string[]) => {
  const all: Body = {
    title: link.title,
    description: link.description,
    expiresAt: timeOrNull(link.expiresAt),
    folderId: link.folder?.id ?? null,
    updatedAt: time(link.updatedAt),
    status: link.expiresAt !== null && link.expiresAt <= model.now ? 'expired' : 'active',
  };
  return Object.fromEntries(extras.filter((name) => wanted.includes(name)).map((name) => [name, all[name]]));
};

const wantedIn = (include: string | undefined): string[] | undefined => {
  const words = (include ?? '').split(',').filter((word) => word !== '');
  return words.every((word) => extras.includes(word)) ? words : undefined;
};

/** Idempotency: the first success answers for a day, whatever happened since; another request is refused. */
const once = (
  model: Model,
  account: Account,
  name: string | undefined,
  request: string,
  shape: readonly Problem[],
  perform: () => Expected,
): Expected => {
  const earlier = name === undefined ? undefined : account.once.get(name);
  const remembered = earlier !== undefined && earlier.at > model.now - day;
  if (remembered && earlier.request !== request) return refuse('IDEMPOTENCY_KEY_REUSED');
  if (remembered && shape.length > 0) return refuseFields(shape);
  if (remembered) return { ...earlier.expected, replayed: true } as Expected;
  const expected = perform();
  if (name !== undefined && expected.kind === 'json')
    account.once.set(name, { request, at: model.now, expected });
  return expected;
};

const learnId = (model: Model, { id }: Learned): string => {
  assert.ok(typeof id === 'string' && uuidV7.test(id), `${id} is not a UUID of version 7.`);
  const known = model.accounts.some(({ links, folders }) => links.has(id) || folders.has(id));
  assert.ok(!known, `${id} is the id of another record.`);
  return id;
};

const change = <T extends { updatedAt: number }>(model: Model, record: T, fields: Partial<T>): void => {
  const different = Object.entries(fields).some(([name, value]) => record[name as keyof T] !== value);
  if (different) Object.assign(record, fields, { updatedAt: Math.max(record.updatedAt, model.now) });
};

export const shorten = (
  model: Model,
  key: Key,
  body: Body,
  name: string | undefined,
  learned: Learned,
): Expected => {
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
  return (
    admit(key, 'links:write') ??
    once(model, key.account, name, `shorten ${JSON.stringify(body)}`, shape, () => {
      const problems = [...shape, ...urlRule(url), ...codeRule(customCode), ...expiryRule(model, expiresAt)];
      if (problems.length > 0) return refuseFields(problems);
      const folder = typeof folderId === 'string' ? folderOf(key.account, folderId) : null;
      if (folder === undefined) return refuse('FOLDER_NOT_FOUND');
      const wished = typeof customCode === 'string' ? customCode : undefined;
      if (wished !== undefined && reserved.has(wished.toLowerCase())) return refuse('CUSTOM_CODE_RESERVED');
      const holder = wished === undefined ? undefined : model.codes.get(wished.toLowerCase());
      if (holder !== undefined && (holder.link !== null || holder.account !== key.account))
        return refuse('CUSTOM_CODE_TAKEN');

      const code = wished ?? String(learned.shortCode);
      if (wished === undefined) {
        assert.match(code, drawnCode);
        assert.ok(!model.codes.has(code), `The drawn code ${code} was in use.`);
      }
      const link: Link = {
        id: learnId(model, learned),
        code,
        destination: String(url).trim(),
        title: (title as string | undefined) ?? null,
        description: (description as string | undefined) ?? null,
        clicks: new Map(),
        expiresAt: typeof expiresAt === 'string' ? Date.parse(expiresAt) : null,
        folder,
        createdAt: model.now,
        updatedAt: model.now,
        deleted: false,
      };
      if (key.plan === 'free') link.expiresAt = model.now + 15 * day;
      key.account.links.set(link.id, link);
      model.codes.set(code.toLowerCase(), { account: key.account, link });
      return json(
        201,
        { success: true, data: created(link) },
        { location: `${origin}/api/v1/links/${link.id}` },
      );
    })
  );
};

export interface ListQuery {
  readonly page?: string;
  readonly limit?: string;
  readonly folderId?: string;
  readonly include?: string;
}

const numberProblem = (field: string, text: string | undefined, max: number): Problem[] => {
  if (text === undefined) return [];
  if (!/^\d{1,16}$/.test(text)) return [bad(field, 'invalid_format')];
  return Number(text) >= 1 && Number(text) <= max ? [] : [bad(field, 'out_of_range')];
};

export const list = (model: Model, key: Key, query: ListQuery): Expected => {
  const wanted = wantedIn(query.include);
  const problems = [
    ...numberProblem('page', query.page, Number.MAX_SAFE_INTEGER),
    ...numberProblem('limit', query.limit, 100),
    ...(wanted === undefined ? [bad('include', 'unknown_value')] : []),
  ];
  const refused = admit(key, 'links:read') ?? (problems.length > 0 ? refuseFields(problems) : undefined);
  if (refused !== undefined) return refused;
  const [page, limit] = [Number(query.page ?? 1), Number(query.limit ?? 20)];
  const folderId = query.folderId?.toLowerCase();
  const matching = liveLinks(key.account)
    .filter(({ folder }) => folderId === undefined || (folder?.id ?? 'none') === folderId)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const data = matching.slice((page - 1) * limit, page * limit).map((link) => {
    const { createdAt, ...rest } = created(link);
    return { ...rest, clicks: totalOf(link), createdAt, ...included(model, link, wanted ?? []) };
  });
  return json(200, { success: true, data, pagination: { page, limit, total: matching.length } });
};

export const get = (model: Model, key: Key, id: string, include: string | undefined): Expected => {
  const refused = admit(key, 'links:read');
  if (refused !== undefined) return refused;
  const wanted = wantedIn(include);
  if (wanted === undefined) return refuseFields([bad('include', 'unknown_value')]);
  const link = linkOf(key.account, id);
  if (link === undefined) return refuse('LINK_NOT_FOUND');
  const { createdAt, ...rest } = created(link);
  const data = {
    ...rest,
    title: link.title,
    clicks: totalOf(link),
    createdAt,
    ...included(model, link, wanted),
  };
  return json(200, { success: true, data });
};

const immutable = (link: Link): Body => ({
  url: link.destination,
  destinationUrl: link.destination,
  shortCode: link.code,
  customCode: link.code,
  folderId: link.folder?.id ?? null,
});

/** Fields that PATCH ignores while they say what is so anyway. */
export const unchanging = (link: Link, fields: readonly string[]): Body =>
  Object.fromEntries(Object.entries(immutable(link)).filter(([field]) => fields.includes(field)));

export const patch = (model: Model, key: Key, id: string, body: Body): Expected => {
  const { title, description } = body;
  const expiresAt = key.plan === 'free' ? undefined : body['expiresAt'];
  const problems = [
    ...textProblem('title', title, 0, 255),
    ...textProblem('description', description, 0, 2000),
    ...typeProblem('expiresAt', expiresAt),
    ...expiryRule(model, expiresAt),
  ];
  const refused = admit(key, 'links:write') ?? (problems.length > 0 ? refuseFields(problems) : undefined);
  if (refused !== undefined) return refused;
  const link = linkOf(key.account, id);
  if (link === undefined) return refuse('LINK_NOT_FOUND');
  const others = Object.entries(immutable(link)).filter(
    ([field, value]) => field in body && body[field] !== value,
  );
  if (others.length > 0)
    return refuseFields(others.map(([field]) => bad(field, 'immutable', 'IMMUTABLE_FIELD')));
  change(model, link, {
    ...(title !== undefined && { title: title as string | null }),
    ...(description !== undefined && { description: description as string | null }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : Date.parse(String(expiresAt)) }),
  });
  const { code: shortCode } = link;
  const [expiry, updatedAt] = [timeOrNull(link.expiresAt), time(link.updatedAt)];
  return json(200, {
    success: true,
    data: { id: link.id, shortCode, title: link.title, expiresAt: expiry, updatedAt },
  });
};

export const repoint = (model: Model, key: Key, id: string, body: Body): Expected => {
  const problems = [...urlShape(body['url']), ...urlRule(body['url'])];
  const refused = admit(key, 'links:write') ?? (problems.length > 0 ? refuseFields(problems) : undefined);
  if (refused !== undefined) return refused;
  const link = linkOf(key.account, id);
  if (link === undefined) return refuse('LINK_NOT_FOUND');
  change(model, link, { destination: String(body['url']).trim() });
  const data = { id: link.id, destinationUrl: link.destination, updatedAt: time(link.updatedAt) };
  return json(200, { success: true, data });
};

export const move = (model: Model, key: Key, id: string, body: Body): Expected => {
  const { folderId } = body;
  const problems = folderId === undefined ? [bad('folderId', 'missing')] : typeProblem('folderId', folderId);
  const refused = admit(key, 'links:write') ?? (problems.length > 0 ? refuseFields(problems) : undefined);
  if (refused !== undefined) return refused;
  const link = linkOf(key.account, id);
  if (link === undefined) return refuse('LINK_NOT_FOUND');
  const folder = folderId === null ? null : folderOf(key.account, folderId);
  if (folder === undefined) return refuse('FOLDER_NOT_FOUND');
  change(model, link, { folder });
  return json(200, { success: true, data: { id: link.id, folderId: folder?.id ?? null } });
};

export const remove = (model: Model, key: Key, id: string): Expected => {
  const refused = admit(key, 'links:write');
  if (refused !== undefined) return refused;
  const link = linkOf(key.account, id);
  if (link === undefined) return refuse('LINK_NOT_FOUND');
  link.deleted = true;
  const holder = model.codes.get(link.code.toLowerCase());
  if (holder !== undefined) holder.link = null;
  return { kind: 'nothing', status: 204 };
};

export const restore = (model: Model, key: Key, id: string, name: string | undefined): Expected =>
  admit(key, 'links:write') ??
  once(model, key.account, name, `restore ${id}`, [], () => {
    const link = key.account.links.get(id.toLowerCase());
    if (link === undefined) return refuse('LINK_NOT_FOUND');
    if (link.deleted) {
      const holder = model.codes.get(link.code.toLowerCase());
      if (holder === undefined || holder.link !== null) return refuse('CUSTOM_CODE_TAKEN');
      holder.link = link;
      link.deleted = false;
      link.updatedAt = Math.max(link.updatedAt, model.now);
    }
    return json(200, { success: true, data: created(link) });
  });

export const createFolder = (
  model: Model,
  key: Key,
  body: Body,
  name: string | undefined,
  learned: Learned,
): Expected => {
  const problems = nameProblems(body['name']);
  return (
    admit(key, 'links:write') ??
    once(model, key.account, name, `folders ${JSON.stringify(body)}`, problems, () => {
      if (problems.length > 0) return refuseFields(problems);
      const id = learnId(model, learned);
      const folder = {
        id,
        name: String(body['name']).trim(),
        createdAt: model.now,
        updatedAt: model.now,
        deleted: false,
      };
      key.account.folders.set(id, folder);
      const data = { id, name: folder.name, createdAt: time(model.now) };
      return json(201, { success: true, folder: data }, { location: `${origin}/api/v1/folders/${id}` });
    })
  );
};

export const renameFolder = (model: Model, key: Key, id: string, body: Body): Expected => {
  const problems = nameProblems(body['name']);
  const refused = admit(key, 'links:write') ?? (problems.length > 0 ? refuseFields(problems) : undefined);
  if (refused !== undefined) return refused;
  const folder = folderOf(key.account, id);
  if (folder === undefined) return refuse('FOLDER_NOT_FOUND');
  change(model, folder, { name: String(body['name']).trim() });
  return json(200, {
    success: true,
    folder: { id: folder.id, name: folder.name, updatedAt: time(folder.updatedAt) },
  });
};

export const deleteFolder = (key: Key, id: string): Expected => {
  const refused = admit(key, 'links:write');
  if (refused !== undefined) return refused;
  const folder = folderOf(key.account, id);
  if (folder === undefined) return refuse('FOLDER_NOT_FOUND');
  folder.deleted = true;
  for (const link of key.account.links.values()) if (link.folder === folder) link.folder = null;
  return { kind: 'nothing', status: 204 };
};

export const listFolders = (key: Key): Expected => {
  const refused = admit(key, 'links:read');
  if (refused !== undefined) return refused;
  const live = liveLinks(key.account);
  const folders = liveFolders(key.account)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .map((folder) => ({
      id: folder.id,
      name: folder.name,
      linkCount: live.filter((link) => link.folder === folder).length,
      createdAt: time(folder.createdAt),
    }));
  return json(200, { success: true, folders });
};

export const me = (key: Key): Expected => {
  const { account, name, scopes, plan, id } = key;
  const limits = { links: null, requestsPerMinute: null, linkLifetimeDays: plan === 'free' ? 15 : null };
  const usage = { links: liveLinks(account).length, folders: liveFolders(account).length };
  const data = { account: account.name, key: { id, name, expiresAt: null }, scopes, plan, limits, usage };
  return admit(key, null) ?? json(200, { success: true, data });
};

/** The public side: whoever asks, and by which class a GET that is sent on is counted. */
export const follow = (
  model: Model,
  code: string,
  request: {
    readonly method: 'GET' | 'HEAD';
    readonly preview: boolean;
    readonly html: boolean;
    readonly visitor: string;
  },
): Expected => {
  const link = model.codes.get(code.toLowerCase())?.link ?? null;
  if (link === null) {
    return request.html
      ? { kind: 'page', status: 404, holds: 'This link does not exist' }
      : refuse('CODE_NOT_FOUND');
  }
  if (link.expiresAt !== null && model.now >= link.expiresAt) {
    return request.html
      ? { kind: 'page', status: 410, holds: 'This link has expired' }
      : refuse('LINK_EXPIRED');
  }
  const location = new URL(link.destination).href;
  if (request.preview)
    return { kind: 'page', status: 200, holds: `href="${location.replaceAll('&', '&amp;')}"` };
  if (request.method === 'GET') {
    const sum = `${Math.floor(model.now / 3_600_000)} ${request.visitor}`;
    link.clicks.set(sum, (link.clicks.get(sum) ?? 0) + 1);
  }
  return { kind: 'redirect', location };
};
