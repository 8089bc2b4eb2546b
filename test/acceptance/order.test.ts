import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, type Asked, ask } from '../support/http/ask.ts';
import { statusOf } from '../support/http/openapi.ts';
import { answersIn, converse } from '../support/http/wire.ts';
import { freshCode, makeLink } from '../support/server/records.ts';
import { as, type Server, startServer } from '../support/server/server.ts';

const tooLarge = 64 * 1024 + 1;
const nowhere = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
const text = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };

/** A request that breaks two rules at once, and the one that must be told (CONTRACT §1.4). */
interface Row {
  readonly rule: string;
  readonly code: string;
  readonly key?: 'none' | 'bad' | 'read' | 'both';
  readonly request: Omit<Asked, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };
  /** Declares more than is sent. */
  readonly declared?: number;
}

describe('the order of checks', () => {
  let server: Server;
  let rows: readonly Row[];
  const keys = new Map<string, string>();

  before(async () => {
    server = await startServer();
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
      {
        rule: 'route before declared size',
        code: 'ROUTE_NOT_FOUND',
        key: 'both',
        declared: tooLarge,
        request: { method: 'POST', path: '/api/v1/nothing' },
      },
      {
        rule: 'method before declared size',
        code: 'METHOD_NOT_ALLOWED',
        key: 'both',
        declared: tooLarge,
        request: { method: 'PUT', path },
      },
      {
        rule: 'route before key',
        code: 'ROUTE_NOT_FOUND',
        key: 'none',
        request: { path: '/api/v1/nothing' },
      },
      { rule: 'method before key', code: 'METHOD_NOT_ALLOWED', key: 'bad', request: { method: 'PUT', path } },
      {
        rule: 'route before media type',
        code: 'ROUTE_NOT_FOUND',
        key: 'both',
        request: {
          method: 'POST',
          path: '/api/v1/nothing',
          headers: { 'content-type': 'garbage' },
          body: '{',
        },
      },
      {
        rule: 'method before media type',
        code: 'METHOD_NOT_ALLOWED',
        key: 'both',
        request: { method: 'PUT', path, headers: { 'content-type': 'garbage' }, body: '{' },
      },
      {
        rule: 'route before size while reading',
        code: 'ROUTE_NOT_FOUND',
        key: 'both',
        request: {
          method: 'POST',
          path: '/api/v1/nothing',
          headers: json,
          body: 'x'.repeat(tooLarge),
          chunked: true,
        },
      },
      {
        rule: 'declared size before a missing key',
        code: 'BODY_TOO_LARGE',
        key: 'none',
        declared: tooLarge,
        request: { method: 'POST', path },
      },
      {
        rule: 'declared size before a bad key',
        code: 'BODY_TOO_LARGE',
        key: 'bad',
        declared: tooLarge,
        request: { method: 'POST', path },
      },
      {
        rule: 'declared size before scope',
        code: 'BODY_TOO_LARGE',
        key: 'read',
        declared: tooLarge,
        request: { method: 'POST', path },
      },
      {
        rule: 'declared size before media type',
        code: 'BODY_TOO_LARGE',
        key: 'both',
        declared: tooLarge,
        request: { method: 'POST', path, headers: text },
      },
      {
        rule: 'declared size before existence',
        code: 'BODY_TOO_LARGE',
        key: 'both',
        declared: tooLarge,
        request: { method: 'DELETE', path: `/api/v1/links/${nowhere}` },
      },
      {
        rule: 'target length before key',
        code: 'URI_TOO_LONG',
        key: 'none',
        request: { path: `/api/v1/links?x=${'a'.repeat(5_000)}` },
      },
      {
        rule: 'a missing key before media type',
        code: 'MISSING_API_KEY',
        key: 'none',
        request: { method: 'POST', path, headers: text, body: '{' },
      },
      { rule: 'a bad key before JSON', code: 'INVALID_API_KEY', key: 'bad', request: post('{') },
      {
        rule: 'key before size while reading',
        code: 'INVALID_API_KEY',
        key: 'bad',
        request: { ...post('x'.repeat(tooLarge)), chunked: true },
      },
      {
        rule: 'key before existence',
        code: 'MISSING_API_KEY',
        key: 'none',
        request: { path: `/api/v1/links/${nowhere}` },
      },
      {
        rule: 'scope before media type',
        code: 'INSUFFICIENT_SCOPE',
        key: 'read',
        request: { method: 'POST', path, headers: text, body: '{}' },
      },
      { rule: 'scope before JSON', code: 'INSUFFICIENT_SCOPE', key: 'read', request: post('{') },
      { rule: 'scope before fields', code: 'INSUFFICIENT_SCOPE', key: 'read', request: post('{}') },
      {
        rule: 'scope before existence',
        code: 'INSUFFICIENT_SCOPE',
        key: 'read',
        request: { method: 'DELETE', path: `/api/v1/links/${nowhere}` },
      },
      {
        rule: 'media type before size while reading',
        code: 'UNSUPPORTED_MEDIA_TYPE',
        key: 'both',
        request: { method: 'POST', path, headers: text, body: 'x'.repeat(tooLarge), chunked: true },
      },
      {
        rule: 'media type before JSON',
        code: 'UNSUPPORTED_MEDIA_TYPE',
        key: 'both',
        request: { method: 'POST', path, headers: text, body: '{' },
      },
      {
        rule: 'media type before fields',
        code: 'UNSUPPORTED_MEDIA_TYPE',
        key: 'both',
        request: { method: 'POST', path, headers: text, body: '{}' },
      },
      {
        rule: 'media type before existence',
        code: 'UNSUPPORTED_MEDIA_TYPE',
        key: 'both',
        request: { ...patch('{}'), headers: text },
      },
      {
        rule: 'size while reading before JSON',
        code: 'BODY_TOO_LARGE',
        key: 'both',
        request: { ...post(`{${' '.repeat(tooLarge)}`), chunked: true },
      },
      { rule: 'JSON before fields', code: 'INVALID_JSON', key: 'both', request: post('{"url":5') },
      {
        rule: 'JSON before Idempotency-Key',
        code: 'INVALID_JSON',
        key: 'both',
        request: { ...post('{'), headers: { ...json, 'idempotency-key': 'a b' } },
      },
      { rule: 'an object before fields', code: 'INVALID_BODY', key: 'both', request: post('[{"url":5}]') },
      {
        rule: 'JSON before query fields',
        code: 'INVALID_JSON',
        key: 'both',
        request: { ...patch('nope'), path: `/api/v1/links/${nowhere}?include=x` },
      },
      { rule: 'JSON before existence', code: 'INVALID_JSON', key: 'both', request: patch('{') },
      {
        rule: 'fields (400) before existence',
        code: 'VALIDATION_ERROR',
        key: 'both',
        request: patch('{"title":5}'),
      },
      {
        rule: 'fields (422) before existence',
        code: 'EXPIRY_IN_PAST',
        key: 'both',
        request: patch('{"expiresAt":"2001-01-01"}'),
      },
      {
        rule: 'a destination (400) before existence',
        code: 'INVALID_URL',
        key: 'both',
        request: patch('{"url":"ftp://x"}', nowhere, '/destination'),
      },
      {
        rule: 'a destination (422) before existence',
        code: 'SELF_REFERENTIAL_URL',
        key: 'both',
        request: patch(`{"url":"${server.url}/a"}`, nowhere, '/destination'),
      },
      {
        rule: 'query fields before existence',
        code: 'VALIDATION_ERROR',
        key: 'both',
        request: { path: `/api/v1/links/${nowhere}?include=nothing` },
      },
      {
        rule: 'a missing field before existence',
        code: 'VALIDATION_ERROR',
        key: 'both',
        request: patch('{}', nowhere, '/move'),
      },
      {
        rule: 'fields before a folder that is not there',
        code: 'INVALID_URL',
        key: 'both',
        request: post(`{"url":"ftp://x","folderId":"${nowhere}"}`),
      },
      {
        rule: 'fields before immutable fields',
        code: 'VALIDATION_ERROR',
        key: 'both',
        request: patch('{"title":5,"url":"https://x.test"}', link),
      },
      {
        rule: 'fields before conflict',
        code: 'VALIDATION_ERROR',
        key: 'both',
        request: post(`{"customCode":"${code}"}`),
      },
      {
        rule: 'fields before a reserved code',
        code: 'INVALID_URL',
        key: 'both',
        request: post('{"url":"ftp://x","customCode":"admin"}'),
      },
      {
        rule: 'existence before immutable fields',
        code: 'LINK_NOT_FOUND',
        key: 'both',
        request: patch('{"url":"https://x.test"}'),
      },
      {
        rule: 'existence before conflict',
        code: 'FOLDER_NOT_FOUND',
        key: 'both',
        request: post(`{"url":"https://x.test","folderId":"${nowhere}","customCode":"${code}"}`),
      },
      {
        rule: 'existence before a reserved code',
        code: 'FOLDER_NOT_FOUND',
        key: 'both',
        request: post(`{"url":"https://x.test","folderId":"${nowhere}","customCode":"admin"}`),
      },
      {
        rule: 'the link before the folder',
        code: 'LINK_NOT_FOUND',
        key: 'both',
        request: patch(`{"folderId":"${nowhere}"}`, nowhere, '/move'),
      },
    ];
  });
  after(() => server.stop());

  const send = async ({ key = 'both', request, declared }: Row): Promise<Answer> => {
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

  test('of two broken rules, the earlier one is told', async () => {
    for (const row of rows) {
      const answer = await send(row);
      const code = answer.text === '' ? undefined : JSON.parse(answer.text).error?.code;
      assert.equal(code, row.code, `${row.rule}: ${answer.status} ${answer.text}`);
      assert.equal(answer.status, statusOf.get(row.code), row.rule);
    }
  });

  test('each rule is broken alone too: a request without the earlier fault meets the later one', async () => {
    const told = new Set(rows.map((row) => row.code));
    for (const code of [
      'BODY_TOO_LARGE',
      'MISSING_API_KEY',
      'INSUFFICIENT_SCOPE',
      'UNSUPPORTED_MEDIA_TYPE',
    ] as const) {
      assert.ok(told.has(code), code);
    }
    const conflict = rows.find((row) => row.rule === 'existence before conflict');
    const body = { ...JSON.parse(String(conflict?.request.body)), folderId: undefined };
    const api = as(server, keys.get('both') ?? '');
    assert.equal((await api.post('/api/v1/shorten', body)).json.error.code, 'CUSTOM_CODE_TAKEN');
    const immutable = await api.patch(`/api/v1/links/${await makeLink(api)}`, { url: 'https://x.test' });
    assert.equal(immutable.json.error.code, 'IMMUTABLE_FIELD');
  });
});
