import fc from 'fast-check';
import type { Account, Body, Expected, Key, Learned, Link, Model } from './model.ts';
import * as expecting from './model.ts';

/** A record that a step is about; `pick` chooses among those there are when the step is taken. */
export interface Which {
  readonly whose: 'own' | 'foreign' | 'gone' | 'unknown' | 'noId' | 'capitals';
  readonly pick: number;
}

/** A code: a word that both accounts want, or that of a link there is or was. */
export type WhichCode =
  | { readonly word: number; readonly loud: boolean }
  | { readonly of: Which; readonly loud: boolean };

type Sent = Readonly<Record<string, unknown>>;

/**
 * One command, as plain data: what fast-check shrinks, what a failure prints and what `regressions.ts` keeps. In bodies
 * `{ which }`, `{ code }` and `{ inMs }` stand for a folder's id, a code and a time, known when the step is taken.
 */
export type Step =
  | { readonly do: 'shorten'; readonly key: number; readonly body: Sent; readonly once?: number }
  | {
      readonly do: 'list';
      readonly key: number;
      readonly query: expecting.ListQuery;
      readonly folder?: Which | 'none';
    }
  | { readonly do: 'get'; readonly key: number; readonly link: Which; readonly include?: string }
  | {
      readonly do: 'patch';
      readonly key: number;
      readonly link: Which;
      readonly body: Sent;
      readonly same?: readonly string[];
    }
  | { readonly do: 'repoint' | 'move'; readonly key: number; readonly link: Which; readonly body: Sent }
  | { readonly do: 'remove'; readonly key: number; readonly link: Which }
  | { readonly do: 'restore'; readonly key: number; readonly link: Which; readonly once?: number }
  | { readonly do: 'createFolder'; readonly key: number; readonly body: Sent; readonly once?: number }
  | { readonly do: 'renameFolder'; readonly key: number; readonly folder: Which; readonly body: Sent }
  | { readonly do: 'deleteFolder'; readonly key: number; readonly folder: Which }
  | { readonly do: 'listFolders' | 'me' | 'revoke'; readonly key: number }
  | {
      readonly do: 'follow';
      readonly code: WhichCode;
      readonly method: 'GET' | 'HEAD';
      readonly preview: boolean;
      readonly html: boolean;
      readonly visitor: number;
      readonly times: number;
    }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'restart' | 'kill' };

/** Who follows links: what they send, and the class under which they count. */
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

// Arbitraries. What is likely to be accepted is likely to be drawn, or every run would be refusals only.

const { constantFrom, constant, nat, record, oneof, boolean } = fc;
const day = 86_400_000;

const often = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 8): fc.Arbitrary<T> =>
  oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });

/** The keys of an account: 0 to 2 Free with both scopes, read, write; 3 to 5 Starter. */
const key: fc.Arbitrary<number> = often(constantFrom(0, 3, 3, 6, 9, 9), nat(11), 5);
const which: fc.Arbitrary<Which> = record({
  whose: often(
    constant<Which['whose']>('own'),
    constantFrom<Which['whose'][]>('foreign', 'gone', 'gone', 'unknown', 'noId', 'capitals'),
    4,
  ),
  pick: nat(5),
});
const code: fc.Arbitrary<WhichCode> = oneof(
  record({ word: nat(3), loud: boolean() }),
  record({ of: which, loud: boolean() }),
);
const name: fc.Arbitrary<number> = nat(2);

const url: fc.Arbitrary<unknown> = often<unknown>(
  constantFrom(
    ...[
      'https://example.com/a?b=c&d=%20#e',
      ' http://bücher.example/ü ',
      'http://[2001:db8::1]:8080/',
      'HTTPS://EXAMPLE.COM',
    ],
    ...['https://example.com/@me', 'http://10.0.0.1/x?y=https://other.example/'],
  ),
  constantFrom<unknown>(
    ...[
      undefined,
      null,
      5,
      '',
      '  ',
      'ftp://example.com',
      'https://user@example.com/',
      'https://exa mple.com',
      'example.com',
    ],
    ...[`${expecting.origin}/x`, `https://example.com/${'x'.repeat(2048)}`],
  ),
);
const title: fc.Arbitrary<unknown> = often<unknown>(
  constantFrom('Spring', 'Größe 🦊', '', null, undefined),
  constantFrom<unknown>('x'.repeat(256), '🦊'.repeat(255), 7, 'two\nlines'),
);
const description: fc.Arbitrary<unknown> = often<unknown>(
  constantFrom('two\nlines\tand a tab', '', null, undefined, undefined),
  constantFrom<unknown>('x'.repeat(2001), true, 'nul\u0000'),
);
const expiresAt: fc.Arbitrary<unknown> = often<unknown>(
  oneof(
    constantFrom(undefined, null),
    record({ inMs: constantFrom(1, 1000, 3_600_000, day, 10 * day, 400 * day), form: nat(2) }),
  ),
  constantFrom<unknown>('soon', '', 12, '2001-02-03', { inMs: 0, form: 0 }, { inMs: -day, form: 0 }),
);
const customCode: fc.Arbitrary<unknown> = often<unknown>(
  oneof(constantFrom(undefined, undefined, null), record({ code })),
  constantFrom<unknown>('ab', 'x'.repeat(51), '-dash', 'no space', 'Admin', 'api', 9),
);
const folderId: fc.Arbitrary<unknown> = often<unknown>(
  oneof(constantFrom(undefined, null), record({ which })),
  constantFrom<unknown>('no-id', 4, ''),
);
const folderName: fc.Arbitrary<unknown> = often<unknown>(
  constantFrom('Posters', '  Billboards ', '🦊'.repeat(50), 'Posters', 'ß'),
  constantFrom<unknown>(undefined, null, 5, '', '   ', 'x'.repeat(51), 'a\nb'),
);
const include = constantFrom(
  ...[
    undefined,
    'title,description,expiresAt,folderId,updatedAt,status',
    'status',
    'updatedAt,expiresAt',
    'secrets',
    '',
  ],
);
const sparse = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Sent> =>
  record(fields, { requiredKeys: [] });

const shorten: fc.Arbitrary<Step> = record(
  {
    do: constant('shorten' as const),
    key,
    body: record({ url, customCode, title, description, expiresAt, folderId }),
    once: name,
  },
  { requiredKeys: ['do', 'key', 'body'] },
);
const follow: fc.Arbitrary<Step> = record({
  do: constant('follow' as const),
  code,
  method: often(constant<'GET' | 'HEAD'>('GET'), constant<'GET' | 'HEAD'>('HEAD')),
  preview: often(constant(false), constant(true)),
  html: boolean(),
  visitor: nat(visitors.length - 1),
  times: often(constant(1), constant(7)),
});
const patch: fc.Arbitrary<Step> = record(
  {
    do: constant('patch' as const),
    key,
    link: which,
    body: often(
      sparse({ title, description, expiresAt }),
      sparse({
        title,
        expiresAt,
        url,
        destinationUrl: url,
        shortCode: constant('other'),
        customCode,
        folderId,
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
        limit: constantFrom('1', '2', '100', '0', '101', ''),
        include,
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<expecting.ListQuery>,
    folder: oneof(which, constant('none' as const)),
  },
  { requiredKeys: ['do', 'key', 'query'] },
);
const aboutLink = <D extends 'remove' | 'restore'>(what: D) =>
  record(
    { do: constant(what), key, link: which, once: name },
    { requiredKeys: ['do', 'key', 'link'] },
  ) as fc.Arbitrary<Step>;
const waits = constantFrom(1, 40, 1000, 61_000, 3_600_000, 7 * 3_600_000, day, 5 * day, 14 * day, 20 * day);

/** Every step there is, each as often as it is listed. */
export const anyStep: readonly fc.Arbitrary<Step>[] = [
  ...[shorten, shorten, shorten, shorten, shorten, shorten, follow, follow, follow, follow, follow],
  ...[patch, patch, patch, list, list],
  record({ do: constant('get' as const), key, link: which, include }) as fc.Arbitrary<Step>,
  record({ do: constant('repoint' as const), key, link: which, body: record({ url }) }),
  record({ do: constant('move' as const), key, link: which, body: record({ folderId }) }),
  record({ do: constant('move' as const), key, link: which, body: record({ folderId: record({ which }) }) }),
  ...[aboutLink('remove'), aboutLink('remove'), aboutLink('restore'), aboutLink('restore')],
  record({ do: constant('createFolder' as const), key, body: record({ name: folderName }) }),
  record({ do: constant('createFolder' as const), key, body: record({ name: folderName }), once: name }),
  record({ do: constant('renameFolder' as const), key, folder: which, body: record({ name: folderName }) }),
  record({ do: constant('deleteFolder' as const), key, folder: which }),
  record({ do: constantFrom('listFolders' as const, 'me' as const, 'me' as const, 'revoke' as const), key }),
  ...[
    record({ do: constant('wait' as const), ms: waits }),
    record({ do: constant('wait' as const), ms: waits }),
  ],
  record({ do: constantFrom('restart' as const, 'kill' as const) }),
];

// Taking a step: from what it says to a request, and from the answer to what it must be.

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly key?: Key;
  readonly body?: Body;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Taken {
  readonly request: Request;
  /** Changes the model and says what the answer must be. */
  readonly expect: (learned: Learned) => Expected;
}

const otherThan = (model: Model, account: Account): Account =>
  model.accounts.find((other) => other !== account) ?? account;

const idIn = (
  records: Iterable<{ readonly id: string; readonly deleted?: boolean }>,
  foreign: Iterable<{ readonly id: string }>,
  { whose, pick }: Which,
): string => {
  const [all, others] = [[...records], [...foreign]];
  const [live, gone] = [all.filter(({ deleted }) => !deleted), all.filter(({ deleted }) => deleted)];
  const unknown = `01890000-0000-7000-8000-00000000000${pick}`;
  if (whose === 'noId') return 'no-id';
  if (whose === 'unknown') return unknown;
  const from = whose === 'gone' ? gone : whose === 'foreign' ? others : live;
  // The newest first: what was just made is what is interesting.
  const id = from.at(-1 - (pick % Math.max(1, from.length)))?.id ?? unknown;
  return whose === 'capitals' ? id.toUpperCase() : id;
};

const linkId = (model: Model, account: Account, link: Which): string =>
  idIn(account.links.values(), otherThan(model, account).links.values(), link);
const folderIdOf = (model: Model, account: Account, folder: Which): string =>
  idIn(account.folders.values(), otherThan(model, account).folders.values(), folder);

/** @param run makes the words of one run its own: runs share a server */
const codeOf = (model: Model, account: Account, run: string, what: WhichCode): string => {
  const link = 'of' in what ? anyLink(model, linkId(model, account, what.of)) : undefined;
  const text = link?.code ?? `${run}-${'word' in what ? what.word : 'none'}`;
  return what.loud ? text.toUpperCase() : text;
};

const anyLink = (model: Model, id: string): Link | undefined =>
  model.accounts.map(({ links }) => links.get(id.toLowerCase())).find((link) => link !== undefined);

const timeText = (at: number, form: number): string => {
  const text = new Date(at).toISOString();
  return form === 0 ? text : form === 1 ? `${text.slice(0, -1)}+00:00` : text.slice(0, 10);
};

/** Puts real ids, codes and times in the place of what stands for them. */
const filled = (model: Model, account: Account, run: string, body: Sent): Body =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries(
        Object.entries(body).map(([field, value]) => {
          if (typeof value !== 'object' || value === null) return [field, value];
          if ('which' in value) return [field, folderIdOf(model, account, value.which as Which)];
          if ('code' in value) return [field, codeOf(model, account, run, value.code as WhichCode)];
          const { inMs, form } = value as { inMs: number; form: number };
          return [field, timeText(model.now + inMs, form)];
        }),
      ),
    ),
  ) as Body;

const queryText = (query: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

/** Plans a step that is a request; the others move the world. */
export const take = (model: Model, run: string, step: Step): Taken | undefined => {
  if (step.do === 'wait' || step.do === 'restart' || step.do === 'kill' || step.do === 'revoke')
    return undefined;
  if (step.do === 'follow') {
    const [first] = model.accounts;
    const text = first === undefined ? '' : codeOf(model, first, run, step.code);
    const { visitor, headers } = visitors[step.visitor] ?? visitors[0];
    const accept = step.html ? 'text/html,*/*' : '*/*';
    return {
      request: {
        method: step.method,
        path: `/${text}${step.preview ? '+' : ''}`,
        headers: { ...headers, accept },
      },
      expect: () => expecting.follow(model, text, { ...step, visitor }),
    };
  }

  const asked = model.keys[step.key];
  if (asked === undefined) throw new Error(`There is no key ${step.key}.`);
  const { account } = asked;
  const ask = (method: string, path: string, expect: Taken['expect'], body?: Body): Taken => {
    const name =
      'once' in step && step.once !== undefined ? { 'idempotency-key': `${run}-${step.once}` } : {};
    const path1 = `/api/v1${path}`;
    return {
      request: { method, path: path1, key: asked, headers: name, ...(body !== undefined && { body }) },
      expect,
    };
  };
  const once = 'once' in step && step.once !== undefined ? String(step.once) : undefined;
  const body = 'body' in step ? filled(model, account, run, step.body) : {};

  switch (step.do) {
    case 'shorten':
      return ask('POST', '/shorten', (learned) => expecting.shorten(model, asked, body, once, learned), body);
    case 'list': {
      const { folder } = step;
      const folderId =
        folder === undefined || folder === 'none' ? folder : folderIdOf(model, account, folder);
      const query = { ...step.query, ...(folderId !== undefined && { folderId }) };
      return ask('GET', `/links${queryText({ ...query })}`, () => expecting.list(model, asked, query));
    }
    case 'createFolder':
      return ask(
        'POST',
        '/folders',
        (learned) => expecting.createFolder(model, asked, body, once, learned),
        body,
      );
    case 'renameFolder': {
      const id = folderIdOf(model, account, step.folder);
      return ask('PATCH', `/folders/${id}`, () => expecting.renameFolder(model, asked, id, body), body);
    }
    case 'deleteFolder': {
      const id = folderIdOf(model, account, step.folder);
      return ask('DELETE', `/folders/${id}`, () => expecting.deleteFolder(asked, id));
    }
    case 'listFolders':
      return ask('GET', '/folders', () => expecting.listFolders(asked));
    case 'me':
      return ask('GET', '/me', () => expecting.me(asked));
    default:
  }

  const id = linkId(model, account, step.link);
  switch (step.do) {
    case 'get': {
      const { include: words } = step;
      return ask('GET', `/links/${id}${queryText({ include: words })}`, () =>
        expecting.get(model, asked, id, words),
      );
    }
    case 'patch': {
      const link = account.links.get(id.toLowerCase());
      const same = link === undefined ? {} : expecting.unchanging(link, step.same ?? []);
      const all = { ...body, ...same };
      return ask('PATCH', `/links/${id}`, () => expecting.patch(model, asked, id, all), all);
    }
    case 'repoint':
      return ask('PATCH', `/links/${id}/destination`, () => expecting.repoint(model, asked, id, body), body);
    case 'move':
      return ask('PATCH', `/links/${id}/move`, () => expecting.move(model, asked, id, body), body);
    case 'remove':
      return ask('DELETE', `/links/${id}`, () => expecting.remove(model, asked, id));
    case 'restore':
      return ask('POST', `/links/${id}/restore`, () => expecting.restore(model, asked, id, once));
  }
};
