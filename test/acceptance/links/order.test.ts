import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Answer, type Asked, ask } from '../../support/http/ask.ts';
import { statusOf } from '../../support/http/openapi.ts';
import { answersIn, converse } from '../../support/http/wire.ts';
import { freshCode, makeLink } from '../../support/server/records.ts';
import { as, type Service } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

const tooLarge = 64 * 1024 + 1;
const nowhere = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
const text = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };

/** A request that breaks two rules, and the error that must be reported (CONTRACT §1.4). */
type Row = readonly [
  rule: string,
  code: string,
  key: 'none' | 'bad' | 'read' | 'both',
  request: Omit<Asked, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
  /** A `Content-Length` that is greater than the number of bytes sent. */
  declared?: number,
];

describe('the order of checks', () => {
  let server: Service;
  let rows: readonly Row[];
  const keys = new Map<string, string>();

  before(async () => {
    server = await sharedServer();
    const both = await server.newKey();
    keys.set('both', both.key);
    keys.set('read', (await server.newKey({ account: both.account, scopes: 'links:read' })).key);
    keys.set('bad', 'lfk_nonsense');
    const api = as(server, both.key);
    const code = freshCode();
    const link = await makeLink(api, { customCode: code });
    const path = '/api/v1/shorten';
    const patch = (body: string, id = nowhere, of = '') =>
      ({ method: 'PATCH', path: `/api/v1/links/${id}${of}`, body, headers: json }) as const;
    const post = (body: string) => ({ method: 'POST', path, body, headers: json }) as const;
    rows = [
      [
        'route before declared size',
        'ROUTE_NOT_FOUND',
        'both',
        { method: 'POST', path: '/api/v1/nothing' },
        tooLarge,
      ],
      ['method before declared size', 'METHOD_NOT_ALLOWED', 'both', { method: 'PUT', path }, tooLarge],
      ['route before key', 'ROUTE_NOT_FOUND', 'none', { path: '/api/v1/nothing' }],
      ['method before key', 'METHOD_NOT_ALLOWED', 'bad', { method: 'PUT', path }],
      [
        'route before media type',
        'ROUTE_NOT_FOUND',
        'both',
        { method: 'POST', path: '/api/v1/nothing', headers: { 'content-type': 'garbage' }, body: '{' },
      ],
      [
        'method before media type',
        'METHOD_NOT_ALLOWED',
        'both',
        { method: 'PUT', path, headers: { 'content-type': 'garbage' }, body: '{' },
      ],
      [
        'route before size while reading',
        'ROUTE_NOT_FOUND',
        'both',
        { method: 'POST', path: '/api/v1/nothing', headers: json, body: 'x'.repeat(tooLarge), chunked: true },
      ],
      ['declared size before a missing key', 'BODY_TOO_LARGE', 'none', { method: 'POST', path }, tooLarge],
      ['declared size before a bad key', 'BODY_TOO_LARGE', 'bad', { method: 'POST', path }, tooLarge],
      ['declared size before scope', 'BODY_TOO_LARGE', 'read', { method: 'POST', path }, tooLarge],
      [
        'declared size before media type',
        'BODY_TOO_LARGE',
        'both',
        { method: 'POST', path, headers: text },
        tooLarge,
      ],
      [
        'declared size before existence',
        'BODY_TOO_LARGE',
        'both',
        { method: 'DELETE', path: `/api/v1/links/${nowhere}` },
        tooLarge,
      ],
      ['target length before key', 'URI_TOO_LONG', 'none', { path: `/api/v1/links?x=${'a'.repeat(5_000)}` }],
      [
        'a missing key before media type',
        'MISSING_API_KEY',
        'none',
        { method: 'POST', path, headers: text, body: '{' },
      ],
      ['a bad key before JSON', 'INVALID_API_KEY', 'bad', post('{')],
      [
        'key before size while reading',
        'INVALID_API_KEY',
        'bad',
        { ...post('x'.repeat(tooLarge)), chunked: true },
      ],
      ['key before existence', 'MISSING_API_KEY', 'none', { path: `/api/v1/links/${nowhere}` }],
      [
        'scope before media type',
        'INSUFFICIENT_SCOPE',
        'read',
        { method: 'POST', path, headers: text, body: '{}' },
      ],
      ['scope before JSON', 'INSUFFICIENT_SCOPE', 'read', post('{')],
      ['scope before fields', 'INSUFFICIENT_SCOPE', 'read', post('{}')],
      [
        'scope before existence',
        'INSUFFICIENT_SCOPE',
        'read',
        { method: 'DELETE', path: `/api/v1/links/${nowhere}` },
      ],
      [
        'media type before size while reading',
        'UNSUPPORTED_MEDIA_TYPE',
        'both',
        { method: 'POST', path, headers: text, body: 'x'.repeat(tooLarge), chunked: true },
      ],
      [
        'media type before JSON',
        'UNSUPPORTED_MEDIA_TYPE',
        'both',
        { method: 'POST', path, headers: text, body: '{' },
      ],
      [
        'media type before fields',
        'UNSUPPORTED_MEDIA_TYPE',
        'both',
        { method: 'POST', path, headers: text, body: '{}' },
      ],
      ['media type before existence', 'UNSUPPORTED_MEDIA_TYPE', 'both', { ...patch('{}'), headers: text }],
      [
        'size while reading before JSON',
        'BODY_TOO_LARGE',
        'both',
        { ...post(`{${' '.repeat(tooLarge)}`), chunked: true },
      ],
      ['JSON before fields', 'INVALID_JSON', 'both', post('{"url":5')],
      [
        'JSON before Idempotency-Key',
        'INVALID_JSON',
        'both',
        { ...post('{'), headers: { ...json, 'idempotency-key': 'a b' } },
      ],
      ['an object before fields', 'INVALID_BODY', 'both', post('[{"url":5}]')],
      [
        'JSON before query fields',
        'INVALID_JSON',
        'both',
        { ...patch('nope'), path: `/api/v1/links/${nowhere}?include=x` },
      ],
      ['JSON before existence', 'INVALID_JSON', 'both', patch('{')],
      ['fields (400) before existence', 'VALIDATION_ERROR', 'both', patch('{"title":5}')],
      ['fields (422) before existence', 'EXPIRY_IN_PAST', 'both', patch('{"expiresAt":"2001-01-01"}')],
      [
        'a destination (400) before existence',
        'INVALID_URL',
        'both',
        patch('{"url":"ftp://x"}', nowhere, '/destination'),
      ],
      [
        'a destination (422) before existence',
        'SELF_REFERENTIAL_URL',
        'both',
        patch(`{"url":"${server.url}/a"}`, nowhere, '/destination'),
      ],
      [
        'query fields before existence',
        'VALIDATION_ERROR',
        'both',
        { path: `/api/v1/links/${nowhere}?include=nothing` },
      ],
      ['a missing field before existence', 'VALIDATION_ERROR', 'both', patch('{}', nowhere, '/move')],
      [
        'fields before a folder that is not there',
        'INVALID_URL',
        'both',
        post(`{"url":"ftp://x","folderId":"${nowhere}"}`),
      ],
      [
        'fields before immutable fields',
        'VALIDATION_ERROR',
        'both',
        patch('{"title":5,"url":"https://x.test"}', link),
      ],
      ['fields before conflict', 'VALIDATION_ERROR', 'both', post(`{"customCode":"${code}"}`)],
      [
        'fields before a reserved code',
        'INVALID_URL',
        'both',
        post('{"url":"ftp://x","customCode":"admin"}'),
      ],
      ['existence before immutable fields', 'LINK_NOT_FOUND', 'both', patch('{"url":"https://x.test"}')],
      [
        'existence before conflict',
        'FOLDER_NOT_FOUND',
        'both',
        post(`{"url":"https://x.test","folderId":"${nowhere}","customCode":"${code}"}`),
      ],
      [
        'existence before a reserved code',
        'FOLDER_NOT_FOUND',
        'both',
        post(`{"url":"https://x.test","folderId":"${nowhere}","customCode":"admin"}`),
      ],
      [
        'the link before the folder',
        'LINK_NOT_FOUND',
        'both',
        patch(`{"folderId":"${nowhere}"}`, nowhere, '/move'),
      ],
    ];
  });

  const send = async ([, , key, request, declared]: Row): Promise<Answer> => {
    const token = keys.get(key);
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    if (declared === undefined) {
      return ask(server, { ...request, headers: { ...request.headers, ...authorization } });
    }
    const headers = { host: 'a', 'content-length': String(declared), ...request.headers, ...authorization };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n`;
    const { text: received } = await converse(server.port, [head], {
      enough: (so) => answersIn(so).length > 0,
    });
    const [answer] = answersIn(received);
    assert.ok(answer, `no answer to the head alone: ${received}`);
    return answer;
  };

  test('reports the earlier of two broken rules', async () => {
    for (const row of rows) {
      const [rule, expected] = row;
      const answer = await send(row);
      const code = answer.text === '' ? undefined : JSON.parse(answer.text).error?.code;
      assert.equal(code, expected, `${rule}: ${answer.status} ${answer.text}`);
      assert.equal(answer.status, statusOf.get(expected), rule);
    }
  });

  test('reports the later rule if only it is broken', async () => {
    const conflict = rows.find(([rule]) => rule === 'existence before conflict');
    const body = { ...JSON.parse(String(conflict?.[3].body)), folderId: undefined };
    const api = as(server, keys.get('both') ?? '');
    assert.equal((await api.post('/api/v1/shorten', body)).json.error.code, 'CUSTOM_CODE_TAKEN');
    const immutable = await api.patch(`/api/v1/links/${await makeLink(api)}`, { url: 'https://x.test' });
    assert.equal(immutable.json.error.code, 'IMMUTABLE_FIELD');
  });
});
