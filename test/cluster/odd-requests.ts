import fc from 'fast-check';
import type { Asked } from '../support/http/ask.ts';
import { anyText } from '../support/random/any-text.ts';

/** Creates a request about existing records. The IDs in `known` are in order of creation. */
export type OddRequest = (known: Known) => Asked;

export interface Known {
  readonly links: readonly string[];
  readonly folders: readonly string[];
}

const { constantFrom, nat, oneof, record, option } = fc;
const headers = { 'content-type': 'application/json' };
const everything = 'title,description,expiresAt,folderId,updatedAt,status';

function oneOf(listed: string): fc.Arbitrary<string> {
  return constantFrom(...listed.split(' '));
}

/** Valid content that two engines could handle differently: its order, case, length or escapes. */
const keepable = oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }),
  oneOf('ß ẞ İ ı K \u212a ſ é e\u0301 Å \u212b ﬃ 🦊 \u{10ffff} \ufffe \ufeffx \u0085 \u2028 \x7f \u00a0x'),
  oneOf('\\ \\\\" \' "" {} {NULL} NULL null $1 ? % _ 0 -0 1e3 007 true'),
  constantFrom(' ', '  x  ', 'a b', 'x'.repeat(50), '🦊'.repeat(50)),
);
const text = oneof(
  { weight: 9, arbitrary: keepable },
  { weight: 1, arbitrary: constantFrom('', '\t', 'x\n', 'a\0b', '\ud83d', 'x'.repeat(256)) },
  { weight: 1, arbitrary: anyText({ maxLength: 40 }) },
);
const code = oneof(
  { weight: 4, arbitrary: oneOf('Sale sale SALE s-ale s_ale sale- 0sale 9-9 zebra Zebra a-b a_b ab1') },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_-]{2,49}$/) },
  { weight: 1, arbitrary: text },
);
const url: fc.Arbitrary<unknown> = oneof(
  { weight: 3, arbitrary: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
  {
    weight: 6,
    arbitrary: keepable.map((part) => `https://example.com/${part.replace(/[\s\\]/g, '-')}?q=${part.length}`),
  },
  {
    weight: 2,
    arbitrary: oneOf('http://ß.example/ http://xn--n3h.example https://EXAMPLE.com:443/%7e/../a http://1.1/'),
  },
  { weight: 1, arbitrary: text },
);
const time = oneof(
  {
    weight: 4,
    arbitrary: oneOf(
      '9999-12-31T23:59:59.999Z 2262-04-11T23:47:16.855Z 2038-01-19T03:14:08Z 2050-06-30T22:00:00.0009+14:00',
    ),
  },
  {
    weight: 1,
    arbitrary: constantFrom<unknown>(
      '+275760-09-13T00:00:00.000Z',
      '+275760-09-13T00:00:00.001Z',
      '2050-02-29',
      '-000001-01-01',
      1e15,
      null,
    ),
  },
);
const name = oneOf(`o'n "o" \\ $1 ? {} a A ~ ${'x'.repeat(255)}`);
const number = oneOf('1 1 2 3 01 20 100 101 2147483648 9007199254740991 9007199254740993 0 -1 1e1 ٣');

function sent(method: string, path: string, body?: object, once?: string | null): Asked {
  return {
    method,
    path: `/api/v1${path}`,
    headers: { ...headers, ...(once != null && { 'idempotency-key': once }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

const unknownId = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
function pick(ids: readonly string[], at: number): string {
  return ids[ids.length - 1 - (at % Math.max(1, ids.length))] ?? unknownId;
}
const few = { requiredKeys: [] };

const shorten: fc.Arbitrary<OddRequest> = fc
  .tuple(
    record(
      { url, customCode: option(code), title: text, description: text, expiresAt: time },
      { requiredKeys: ['url'] },
    ),
    option(nat(3)),
    option(name, { freq: 2 }),
  )
  .map(([fields, at, once]) => (known) => {
    const folderId = at === null ? null : pick(known.folders, at);
    return sent('POST', '/shorten', { ...fields, folderId }, once);
  });
const change: fc.Arbitrary<OddRequest> = fc
  .tuple(
    nat(9),
    oneof(
      record({ title: text, description: text, expiresAt: time }, few).map((body) => ['', body] as const),
      record({ url }).map((body) => ['/destination', body] as const),
    ),
  )
  .map(
    ([at, [where, body]]) =>
      (known) =>
        sent('PATCH', `/links/${pick(known.links, at)}${where}`, body),
  );
const move: fc.Arbitrary<OddRequest> = fc
  .tuple(nat(9), nat(3), fc.boolean())
  .map(([link, folder, out]) => (known) => {
    const folderId = out ? null : pick(known.folders, folder).toUpperCase();
    return sent('PATCH', `/links/${pick(known.links, link)}/move`, { folderId });
  });
const remove: fc.Arbitrary<OddRequest> = fc
  .tuple(nat(9), constantFrom('links', 'folders'), nat(4))
  .map(([at, kind, doubt]) => (known) => {
    const isFolder = kind === 'folders' && doubt === 0;
    return sent(
      'DELETE',
      isFolder ? `/folders/${pick(known.folders, at)}` : `/links/${pick(known.links, at)}`,
    );
  });
const restore: fc.Arbitrary<OddRequest> = fc.tuple(nat(9), option(name)).map(
  ([at, once]) =>
    (known) =>
      sent('POST', `/links/${pick(known.links, at)}/restore`, undefined, once),
);
const folder: fc.Arbitrary<OddRequest> = fc.tuple(text, option(name), option(nat(3))).map(
  ([called, once, at]) =>
    (known) =>
      at === null
        ? sent('POST', '/folders', { name: called }, once)
        : sent('PATCH', `/folders/${pick(known.folders, at)}`, { name: called }),
);
const list: fc.Arbitrary<OddRequest> = fc
  .tuple(record({ page: number, limit: number }, few), option(nat(3)), fc.boolean())
  .map(([paging, at, all]) => (known) => {
    const query = new URLSearchParams(paging as Record<string, string>);
    if (at !== null) query.set('folderId', at === 0 ? 'none' : pick(known.folders, at));
    if (all) query.set('include', everything);
    return sent('GET', `/links?${query}`);
  });
const read: fc.Arbitrary<OddRequest> = oneof(
  nat(9).map(
    (at): OddRequest =>
      (known) =>
        sent('GET', `/links/${pick(known.links, at)}?include=${everything}`),
  ),
  constantFrom('/folders', '/me').map(
    (path): OddRequest =>
      () =>
        sent('GET', path),
  ),
  text.map(
    (id): OddRequest =>
      () =>
        sent('GET', `/links/${encodeURIComponent(id.toWellFormed())}`),
  ),
);
const follow: fc.Arbitrary<OddRequest> = fc
  .tuple(code, constantFrom('GET', 'HEAD'), constantFrom('', '+'))
  .map(([code, method, preview]) => () => ({
    method,
    path: `/${encodeURIComponent(code.toWellFormed())}${preview}`,
    headers: {},
  }));

/** Requests with content at the limits, and requests that read this content in all ways. */
export const oddRequests: fc.Arbitrary<OddRequest> = oneof(
  { weight: 6, arbitrary: shorten },
  { weight: 3, arbitrary: change },
  { weight: 2, arbitrary: move },
  { weight: 2, arbitrary: remove },
  { weight: 2, arbitrary: restore },
  { weight: 3, arbitrary: folder },
  { weight: 3, arbitrary: list },
  { weight: 2, arbitrary: read },
  { weight: 3, arbitrary: follow },
);
