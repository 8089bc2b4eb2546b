import fc from 'fast-check';
import {
  type Account,
  type Body,
  type Expected,
  type Key,
  type Learned,
  type Link,
  type Model,
  origin,
} from './basics.ts';
import * as codes from './codes.ts';
import * as expecting from './model.ts';
import {
  code,
  description,
  expiresAt,
  often,
  settings,
  title,
  url,
  type Which,
  type WhichCode,
  which,
} from './values.ts';
import { follow as expectVisit, type Visit } from './visits.ts';

type Sent = Readonly<Record<string, unknown>>;

type LinkStep =
  | { readonly do: 'get'; readonly key: number; readonly link: Which; readonly include?: string }
  | {
      readonly do: 'patch';
      readonly key: number;
      readonly link: Which;
      readonly body: Sent;
      /** Immutable fields sent with their current value. */
      readonly same?: readonly string[];
    }
  | { readonly do: 'recode'; readonly key: number; readonly link: Which; readonly body: Sent }
  | {
      readonly do: 'alias';
      readonly key: number;
      readonly link: Which;
      readonly body: Sent;
      readonly once?: number;
    }
  | { readonly do: 'aliases'; readonly key: number; readonly link: Which }
  | { readonly do: 'repoint' | 'move'; readonly key: number; readonly link: Which; readonly body: Sent }
  | { readonly do: 'remove'; readonly key: number; readonly link: Which }
  | { readonly do: 'restore'; readonly key: number; readonly link: Which; readonly once?: number };

type OtherStep =
  | {
      readonly do: 'shorten' | 'createFolder';
      readonly key: number;
      readonly body: Sent;
      readonly once?: number;
    }
  | {
      readonly do: 'list';
      readonly key: number;
      readonly query: expecting.ListQuery;
      readonly folder?: Which | 'none';
    }
  | { readonly do: 'renameFolder'; readonly key: number; readonly folder: Which; readonly body: Sent }
  | { readonly do: 'deleteFolder'; readonly key: number; readonly folder: Which }
  | {
      readonly do: 'bulk';
      readonly key: number;
      readonly action: 'tag' | 'delete' | 'restore';
      readonly links: readonly Which[];
      readonly tags: Readonly<Record<'add' | 'remove', readonly string[]>>;
    }
  | { readonly do: 'unalias'; readonly key: number; readonly code: WhichCode }
  | { readonly do: 'listFolders' | 'me'; readonly key: number };

interface VisitStep extends Omit<Visit, 'visitor'> {
  readonly do: 'follow';
  readonly code: WhichCode;
  /** Index into {@link visitors}. */
  readonly visitor: number;
  readonly times: number;
  /** Index of the host: the link's host, the shared host, then the accounts' hosts. Defaults to the first. */
  readonly at?: number;
}

/** Steps that are not requests. */
type WorldStep =
  /** Sets an account's default domain to its custom domain, or back to the shared one. */
  | { readonly do: 'default'; readonly account: number; readonly own: boolean }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'revoke'; readonly key: number }
  /** Moves the clock to a link's start or expiry, or to just before it. */
  | { readonly do: 'expire'; readonly link: Which; readonly earlyMs: number }
  /** Several editors read a link and then change it at the same time. */
  | { readonly do: 'race'; readonly key: number; readonly link: Which; readonly editors: number }
  /** Repeats one of the most recent requests that had an idempotency key. */
  | { readonly do: 'again'; readonly pick: number }
  | { readonly do: 'restart' }
  | { readonly do: 'kill' };

export type RequestStep = LinkStep | OtherStep | VisitStep;

/**
 * A step as plain data, so that fast-check can shrink it, failures can print it, and `regressions.ts` can store it. In
 * bodies `{ which }`, `{ code }` and `{ inMs }` stand for a folder ID, a code and a time, resolved when the step runs.
 */
export type Step = RequestStep | WorldStep;

/** Visitors: the headers that they send, and their expected class. */
export const visitors = [
  {
    visitor: 'human',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  },
  {
    visitor: 'bot',
    headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
  },
  {
    visitor: 'preview',
    headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
  },
  {
    visitor: 'prefetch',
    headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0', 'sec-purpose': 'prefetch;prerender' },
  },
  { visitor: 'bot', headers: { 'user-agent': '' } },
] as const;

// Arbitraries. Most values are valid, because otherwise nearly all requests would only return errors.

const { constantFrom, constant, nat, record, oneof, boolean } = fc;
const day = 86_400_000;

/**
 * Indexes of an account's keys. On the free plan: 0 has both scopes, 1 read, 2 write. On the starter plan: 3 to 5, in
 * the same order.
 */
const key: fc.Arbitrary<number> = often(constantFrom(0, 3, 3, 6, 9, 9), nat(11), 5);
const visited = record({ of: which, loud: boolean(), alias: boolean() });
/** An account's idempotency keys. */
const name: fc.Arbitrary<number> = nat(9);

const customCode: fc.Arbitrary<unknown> = often<unknown>(
  oneof(constantFrom(undefined, undefined, null), record({ code })),
  constantFrom<unknown>('ab', 'x'.repeat(51), '-dash', 'no space', 'Admin', 'api', 9),
);
const folder: fc.Arbitrary<unknown> = often<unknown>(
  oneof(constantFrom(undefined, null), record({ which })),
  constantFrom<unknown>('no-id', 4, ''),
);
const tagName = constantFrom('Alpha', 'ALPHA', 'beta', 'Gamma ray');
const tags: fc.Arbitrary<unknown> = oneof(
  constantFrom(undefined, undefined, null),
  fc.array(tagName, { maxLength: 3 }),
);
const folderName: fc.Arbitrary<unknown> = often<unknown>(
  constantFrom('Posters', '  Billboards ', '🦊'.repeat(50), 'Posters', 'ß'),
  constantFrom<unknown>(undefined, null, 5, '', '   ', 'x'.repeat(51), 'a\nb'),
);
const include = constantFrom(
  undefined,
  'title,description,expiresAt,folderId,updatedAt,tags,status',
  'rules,utm,expiredUrl,redirectStatus,forwardQuery,startsAt',
  'tags,clicksLeft,maxClicks,archived,disabled,domain',
  'status',
  'updatedAt,expiresAt',
  'secrets',
  '',
);
const ifExists: fc.Arbitrary<unknown> = often<unknown>(
  constantFrom(undefined, undefined, undefined, null, 'new', 'reuse', 'reuse', 'fail'),
  constantFrom<unknown>('maybe', true),
  48,
);
function sparse(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Sent> {
  return record(fields, { requiredKeys: [] });
}

const shorten: fc.Arbitrary<Step> = record(
  {
    do: constant('shorten' as const),
    key,
    body: record({
      url,
      customCode,
      ifExists,
      title,
      description,
      expiresAt,
      folderId: folder,
      ...settings,
      tags,
    }),
    once: name,
  },
  { requiredKeys: ['do', 'key', 'body'] },
);
const follow: fc.Arbitrary<Step> = record({
  do: constant('follow' as const),
  code: often<WhichCode>(visited, code, 3),
  method: often<Visit['method']>(constant('GET'), constantFrom('HEAD', 'POST', 'POST'), 8),
  query: constantFrom('', '', 'vip', 'b=1&ref=mail', 'utm_source=x&trigger=qr&new=%C3%BC'),
  preview: often(constant(false), constant(true)),
  html: boolean(),
  visitor: nat(visitors.length - 1),
  times: often(constant(1), constant(7), 6),
  at: often(constant(0), nat(3), 3),
});
const patch: fc.Arbitrary<Step> = record(
  {
    do: constant('patch' as const),
    key,
    link: which,
    body: often(
      oneof(sparse({ title, description, expiresAt, tags }), sparse(settings)),
      sparse({
        title,
        expiresAt,
        url,
        destinationUrl: url,
        shortCode: constant('other'),
        customCode,
        folderId: folder,
      }),
    ),
    same: fc.subarray(['url', 'destinationUrl', 'shortCode', 'customCode', 'folderId']),
  },
  { requiredKeys: ['do', 'key', 'link', 'body'] },
);
const list: fc.Arbitrary<Step> = record(
  {
    do: constant('list' as const),
    key,
    query: record(
      {
        page: often(constantFrom('1', '2', '3'), constantFrom('0', '-1', 'x', '999999')),
        limit: often(constantFrom('1', '2', '100'), constantFrom('0', '101', '', '1.0'), 6),
        include,
        tag: tagName,
        search: constantFrom('alp', 'ray', 'example', 'spring', 'code0', 'code1'),
        archived: constantFrom('true', 'false'),
        status: constantFrom('active', 'scheduled', 'expired', 'disabled', 'exhausted'),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<expecting.ListQuery>,
    folder: oneof(which, constant('none' as const)),
  },
  { requiredKeys: ['do', 'key', 'query'] },
);
const newCode: fc.Arbitrary<unknown> = often<unknown>(record({ code }), customCode, 8);
const alias = record(
  {
    do: constant('alias' as const),
    key,
    link: which,
    body: record({ customCode: newCode }),
    once: name,
  },
  { requiredKeys: ['do', 'key', 'link', 'body'] },
) as fc.Arbitrary<Step>;
const remove: fc.Arbitrary<Step> = record({ do: constant('remove' as const), key, link: which });
const restore = record(
  {
    do: constant('restore' as const),
    key,
    link: oneof(record({ whose: constant<Which['whose']>('gone'), pick: nat(2) }), which),
    once: name,
  },
  { requiredKeys: ['do', 'key', 'link'] },
) as fc.Arbitrary<Step>;
const waits = constantFrom(1, 40, 1000, 61_000, 3_600_000, 7 * 3_600_000, day, 5 * day, 14 * day, 20 * day);

const moved = oneof(folder, record({ which }));
const named = record({ name: folderName });
const createFolder = record(
  { do: constant('createFolder' as const), key, body: named, once: name },
  { requiredKeys: ['do', 'key', 'body'] },
) as fc.Arbitrary<Step>;

const weighted: readonly (readonly [weight: number, steps: fc.Arbitrary<Step>])[] = [
  [12, shorten],
  [14, follow],
  [6, patch],
  [4, list],
  [
    4,
    record({
      do: constant('bulk' as const),
      key,
      action: constantFrom('tag' as const, 'tag' as const, 'delete' as const, 'restore' as const),
      links: fc.array(which, { minLength: 1, maxLength: 4 }),
      tags: record({
        add: fc.array(tagName, { minLength: 1, maxLength: 2 }),
        remove: fc.array(tagName, { maxLength: 1 }),
      }),
    }),
  ],
  [2, record({ do: constant('get' as const), key, link: which, include }) as fc.Arbitrary<Step>],
  [2, record({ do: constant('repoint' as const), key, link: which, body: record({ url }) })],
  [3, record({ do: constant('move' as const), key, link: which, body: record({ folderId: moved }) })],
  [3, record({ do: constant('recode' as const), key, link: which, body: record({ customCode: newCode }) })],
  [4, alias],
  [2, record({ do: constant('aliases' as const), key, link: which })],
  [2, record({ do: constant('unalias' as const), key, code: oneof(visited, code) })],
  [3, record({ do: constant('race' as const), key, link: which, editors: constantFrom(2, 4) })],
  [5, remove],
  [4, restore],
  [3, createFolder],
  [2, record({ do: constant('renameFolder' as const), key, folder: which, body: named })],
  [2, record({ do: constant('deleteFolder' as const), key, folder: which })],
  [1, record({ do: constantFrom('listFolders' as const, 'me' as const), key })],
  [4, record({ do: constant('again' as const), pick: nat(2) })],
  [3, record({ do: constant('wait' as const), ms: waits })],
  [1, record({ do: constant('expire' as const), link: which, earlyMs: constantFrom(0, 1) })],
  [1, record({ do: constant('revoke' as const), key: nat(11) })],
  [3, record({ do: constant('default' as const), account: nat(1), own: boolean() })],
  [1, constantFrom<Step[]>({ do: 'restart' }, { do: 'kill' })],
];

/** All steps. Each occurs as often as its weight. */
export const anyStep: readonly fc.Arbitrary<Step>[] = weighted.flatMap(([weight, steps]) =>
  Array.from({ length: weight }, () => steps),
);

const firstSettings: Readonly<Record<number, Body>> = {
  0: { rules: [{ when: [{ fact: 'class', values: ['bot'] }], to: { gone: true } }], utm: { source: 'mail' } },
  3: { maxClicks: 2, forwardQuery: 'add' },
  9: { startsAt: '2030-01-03T00:00:00Z', expiredUrl: 'https://over.example', redirectStatus: 307 },
};

/** The first steps in every run create two links and a folder per account. */
export const firstSteps: readonly Step[] = [0, 3, 6, 9].flatMap((asked): Step[] => [
  { do: 'createFolder', key: asked, body: { name: 'First' } },
  {
    do: 'shorten',
    key: asked,
    body: { url: 'https://example.com', folderId: { which: { whose: 'own', pick: 0 } } },
  },
  { do: 'shorten', key: asked, body: { url: 'https://example.org', ...firstSettings[asked] } },
]);

// Runs a step: creates its request, and derives the expected response, using the real one where needed.

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly key?: Key;
  readonly body?: Body;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Taken {
  readonly request: Request;
  readonly idempotent: boolean;
  /** Changes the model and returns the expected response. */
  readonly expect: (learned: Learned) => Expected;
}

function otherThan(model: Model, account: Account): Account {
  return model.accounts.find((other) => other !== account) ?? account;
}

function idIn(
  own: Iterable<{ readonly id: string; readonly deleted: boolean }>,
  foreign: Iterable<{ readonly id: string; readonly deleted: boolean }>,
  { whose, pick }: Which,
): string {
  const unknown = `01890000-0000-7000-8000-00000000000${pick}`;
  if (whose === 'noId') return 'no-id';
  if (whose === 'unknown') return unknown;
  const theirs = whose === 'foreign' || whose === 'foreignGone';
  const gone = whose === 'gone' || whose === 'foreignGone';
  const from = [...(theirs ? foreign : own)].filter(({ deleted }) => deleted === gone);
  // Counts from the newest record, because recent records are the most likely to reveal bugs.
  const id = from.at(-1 - (pick % Math.max(1, from.length)))?.id ?? unknown;
  return whose === 'capitals' ? id.toUpperCase() : id;
}

function linkId(model: Model, account: Account, link: Which): string {
  return idIn(account.links.values(), otherThan(model, account).links.values(), link);
}
function folderId(model: Model, account: Account, folder: Which | undefined): string | undefined {
  return folder && idIn(account.folders.values(), otherThan(model, account).folders.values(), folder);
}

/** @param run prefix of the run's codes, because several runs share a server */
function codeOf(model: Model, account: Account, run: string, what: WhichCode): string {
  const link = 'of' in what ? anyLink(model, linkId(model, account, what.of)) : undefined;
  const alias =
    link !== undefined && 'alias' in what && what.alias ? codes.aliasesOf(model, link)[0] : undefined;
  const word = 'word' in what ? what.word : 's';
  const text = alias ?? link?.code ?? `${run}${word === 3 ? '/' : '-'}code${word}`;
  return what.loud ? text.toUpperCase() : text;
}

/** Returns the time in ms until a link starts or expires, or 0 if it never does or already has. */
export function untilExpiry(model: Model, step: { readonly link: Which; readonly earlyMs: number }): number {
  const [account] = model.accounts as readonly [Account, Account];
  const { startsAt = null, expiresAt = null } = anyLink(model, linkId(model, account, step.link)) ?? {};
  const ahead = [startsAt ?? 0, expiresAt ?? 0].filter((at) => at > model.now);
  return ahead.length === 0 ? 0 : Math.min(...ahead) - step.earlyMs - model.now;
}

function anyLink(model: Model, id: string): Link | undefined {
  return model.accounts.map(({ links }) => links.get(id.toLowerCase())).find((link) => link !== undefined);
}

function timeText(at: number, form: number): string {
  const text = new Date(at).toISOString();
  return form === 0 ? text : form === 1 ? `${text.slice(0, -1)}+00:00` : text.slice(0, 10);
}

/** Replaces the placeholders in a body with real IDs, codes and times. */
function filled(model: Model, account: Account, run: string, body: Sent): Body {
  return JSON.parse(
    JSON.stringify(
      Object.fromEntries(
        Object.entries(body).map(([field, value]) => {
          if (typeof value !== 'object' || value === null || Array.isArray(value)) return [field, value];
          if ('which' in value) return [field, folderId(model, account, value.which as Which)];
          if ('code' in value) return [field, codeOf(model, account, run, value.code as WhichCode)];
          if (!('inMs' in value)) return [field, value];
          const { inMs, form } = value as { inMs: number; form: number };
          return [field, timeText(model.now + inMs, form)];
        }),
      ),
    ),
  ) as Body;
}

function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Returns the request for a step, and the model's response. */
export function take(model: Model, run: string, step: RequestStep): Taken {
  if (step.do === 'follow') return takeVisit(model, run, step);
  const key = model.keys[step.key];
  if (key === undefined) throw new Error(`There is no key ${step.key}.`);
  return 'link' in step ? takeLink(model, run, step, key) : takeOther(model, run, step, key);
}

function takeVisit(model: Model, run: string, step: VisitStep): Taken {
  const [account] = model.accounts as readonly [Account, Account];
  const code = codeOf(model, account, run, step.code);
  const { visitor, headers } = visitors[step.visitor] ?? visitors[0];
  const accept = step.html ? 'text/html,*/*' : '*/*';
  const link = 'of' in step.code ? anyLink(model, linkId(model, account, step.code.of)) : undefined;
  const hosts = [link?.domain ?? '', '', ...model.accounts.map(({ own }) => own)];
  const domain = hosts[step.at ?? 0] ?? '';
  const host = domain === '' ? new URL(origin).host : domain;
  const path = `/${code}${step.preview ? '+' : ''}${step.query === '' ? '' : `?${step.query}`}`;
  return {
    request: { method: step.method, path, headers: { ...headers, accept, host } },
    idempotent: false,
    expect: () => expectVisit(model, domain, code, { ...step, visitor }),
  };
}

/** Returns the properties that the steps for all API requests share. */
function asking(run: string, key: Key, step: RequestStep) {
  const once = 'once' in step && step.once !== undefined ? `${run}-${step.once}` : undefined;
  const headers: Record<string, string> = once === undefined ? {} : { 'idempotency-key': once };
  const ask = (method: string, path: string, expect: Taken['expect'], body?: Body): Taken => ({
    request: { method, path: `/api/v1${path}`, key, headers, ...(body !== undefined && { body }) },
    idempotent: once !== undefined,
    expect,
  });
  return { once, ask };
}

function takeLink(model: Model, run: string, step: LinkStep, key: Key): Taken {
  const { once, ask } = asking(run, key, step);
  const { account } = key;
  const id = linkId(model, account, step.link);
  const path = `/links/${id}`;
  const body = 'body' in step ? filled(model, account, run, step.body) : {};
  switch (step.do) {
    case 'get': {
      const { include: words } = step;
      return ask('GET', path + queryText({ include: words }), () => expecting.get(model, key, id, words));
    }
    case 'patch': {
      const link = account.links.get(id.toLowerCase());
      const all = { ...body, ...(link !== undefined && expecting.unchanging(link, step.same ?? [])) };
      return ask('PATCH', path, () => expecting.patch(model, key, id, all), all);
    }
    case 'repoint':
      return ask('PATCH', `${path}/destination`, () => expecting.repoint(model, key, id, body), body);
    case 'move':
      return ask('PATCH', `${path}/move`, () => expecting.move(model, key, id, body), body);
    case 'recode':
      return ask('PATCH', `${path}/code`, () => codes.changeCode(model, key, id, body), body);
    case 'alias':
      return ask('POST', `${path}/aliases`, () => codes.addAlias(model, key, id, body, once), body);
    case 'aliases':
      return ask('GET', `${path}/aliases`, () => codes.listAliases(model, key, id));
    case 'remove':
      return ask('DELETE', path, () => expecting.remove(model, key, id));
    case 'restore':
      return ask('POST', `${path}/restore`, () => expecting.restore(model, key, id, once));
  }
}

function takeOther(model: Model, run: string, step: OtherStep, key: Key): Taken {
  const { once, ask } = asking(run, key, step);
  const { account } = key;
  const body = 'body' in step ? filled(model, account, run, step.body) : {};
  const id = 'folder' in step && step.folder !== 'none' ? folderId(model, account, step.folder) : undefined;
  const path = `/folders/${id}`;
  switch (step.do) {
    case 'shorten':
      return ask('POST', '/shorten', (learned) => expecting.shorten(model, key, body, once, learned), body);
    case 'createFolder':
      return ask(
        'POST',
        '/folders',
        (learned) => expecting.createFolder(model, key, body, once, learned),
        body,
      );
    case 'list': {
      const folder = id ?? (step.folder === 'none' ? 'none' : undefined);
      const query = { ...step.query, ...(folder !== undefined && { folderId: folder }) };
      return ask('GET', `/links${queryText({ ...query })}`, () => expecting.list(model, key, query));
    }
    case 'bulk': {
      const ids = step.links.map((link) => linkId(model, account, link));
      const { action } = step;
      const sent = { action, ids, ...(action === 'tag' && { tags: step.tags }) };
      return ask('POST', '/links/bulk', () => expecting.bulk(model, key, sent), sent);
    }
    case 'renameFolder':
      return ask('PATCH', path, () => expecting.renameFolder(model, key, id ?? '', body), body);
    case 'deleteFolder':
      return ask('DELETE', path, () => expecting.deleteFolder(key, id ?? ''));
    case 'unalias': {
      const code = codeOf(model, account, run, step.code);
      return ask('DELETE', `/aliases/${encodeURIComponent(code)}`, () => codes.removeAlias(model, key, code));
    }
    case 'listFolders':
      return ask('GET', '/folders', () => expecting.listFolders(key));
    case 'me':
      return ask('GET', '/me', () => expecting.me(key));
  }
}
