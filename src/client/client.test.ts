import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpoints } from '../contract/endpoints/endpoints.ts';
import { includable } from '../contract/links/link-answers.ts';
import { version } from '../runtime/version.ts';
import { createCall } from './call.ts';
import { type Answer, createClient } from './client.ts';
import { ApiError, LinkfoldError, Unreachable } from './errors.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'cut' | 'silence';

const link = {
  id: 'a',
  shortCode: 'x',
  shortUrl: 'http://h/x',
  destinationUrl: 'https://e.com',
  createdAt: 'now',
};
function refusal(status: number, code: string, headers = {}): Reply {
  return {
    status,
    headers,
    body: { success: false, error: { code, message: `${code}.`, requestId: 'r1' } },
  };
}

let server: Server;
let baseUrl: string;
let seen: Seen[];
let replies: Reply[];
let answer: (request: Seen) => Reply;

function open(extra = {}) {
  return createClient({ baseUrl, apiKey: 'lfk_test', retries: 2, ...extra });
}

// Each test has a new server, because a request may still arrive after the client has given up on it.
beforeEach(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    seen.push(one);
    const reply = replies.shift() ?? answer(one);
    if (reply === 'silence') return;
    if (reply === 'cut') return void request.socket.destroy();
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    response.writeHead(reply.status, reply.headers).end(reply.status === 204 ? undefined : text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  seen = [];
  replies = [];
  answer = () => ({ status: 200, body: { success: true, data: link } });
});

test('resumes events after the last one when the connection breaks, and ends when the server refuses', async () => {
  const requests: (string | undefined)[] = [];
  const stream = createServer(({ headers, url }, response) => {
    requests.push(headers['last-event-id']?.toString());
    assert.equal(url, '/api/v1/events?types=click');
    if (requests.length === 3)
      return void response
        .writeHead(401)
        .end(JSON.stringify({ success: false, error: { code: 'INVALID_API_KEY', message: 'No.' } }));
    const event = (id: string) => `id: ${id}\nevent: click\ndata: {"type":"click","shortCode":"${id}"}\n\n`;
    const [first, second] = requests.length === 1 ? ['a', 'b'] : ['c', 'd'];
    // Sends chunks that end anywhere, a comment with an event ID, and an event type from a newer server.
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(`retry: 1\n\n: hello\n\n${event(first)}`);
    response.write(event(second).replaceAll('\n', '\r\n').slice(0, 9));
    setTimeout(() => {
      response.write(event(second).replaceAll('\n', '\r\n').slice(9));
      response.write(`data: not JSON\n\n:\nid: ${second}+\n\nid: lost`);
      setTimeout(() => response.destroy(), 20);
    }, 20);
  });
  await new Promise<void>((resolve) => stream.listen(0, '127.0.0.1', resolve));
  const { port } = stream.address() as AddressInfo;
  const seen: string[] = [];
  let losses = 0;
  await assert.rejects(
    async () => {
      const client = open({ baseUrl: `http://127.0.0.1:${port}` });
      const onLost = () => {
        losses += 1;
      };
      for await (const event of client.events({ types: ['click'] }, { lastEventId: 'z', onLost }))
        if (event.type === 'click') seen.push(`${event.id} ${event.shortCode}`);
    },
    { code: 'INVALID_API_KEY' },
  );
  assert.deepEqual([requests, seen, losses], [['z', 'b+', 'd+'], ['a a', 'b b', 'c c', 'd d'], 2]);
  stream.closeAllConnections();
  stream.close();
});

test('calls every endpoint with its method, path and key', async () => {
  const client = open();
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const { method, path, success } = endpoint;
    if (success.events !== undefined) continue; // event streams have no single response to check
    answer = () =>
      method === 'DELETE' ? { status: 204 } : { status: 200, body: { success: true, data: link } };
    const call = client[name as keyof typeof endpoints] as (...given: unknown[]) => Promise<unknown>;
    await call(...(path.match(/:\w+/g) ?? []).map(() => 'an id'));
    const last = seen.at(-1);
    assert.equal(`${last?.method} ${last?.url}`, `${method} /api/v1${path.replace(/:\w+/g, 'an%20id')}`);
    assert.equal(last?.headers.authorization, 'Bearer lfk_test');
    const idempotencyKey = last?.headers['idempotency-key'] ?? '';
    assert.match(String(idempotencyKey), method === 'POST' ? /^[0-9a-f]{32}$/ : /^$/, name);
  }
});

test('sends input as body or query and unwraps responses', async () => {
  const client = open();
  const made = await client.shorten({ url: 'https://e.com', title: 'T' });
  assert.equal(made.shortUrl, link.shortUrl);
  assert.deepEqual(JSON.parse(seen[0]?.body ?? ''), { url: 'https://e.com', title: 'T' });

  const pagination = { page: 2, limit: 5, total: 6 };
  replies = [{ status: 200, body: { success: true, data: [link], pagination } }];
  const page = await client.listLinks({ page: 2, limit: 5, include: includable });
  assert.deepEqual(page, { data: [link], pagination });
  assert.equal(
    seen[1]?.url,
    `/api/v1/links?page=2&limit=5&include=${encodeURIComponent(includable.join(','))}`,
  );

  replies = [{ status: 200, body: { success: true, folders: [] } }];
  assert.deepEqual(await client.listFolders(), []);
  replies = [{ status: 204 }];
  assert.equal(await client.deleteLink('a'), undefined);
});

test('throws an ApiError with all error details, without retrying', async () => {
  const details = [{ field: 'url', reason: 'missing', message: 'url is required.' }];
  const told = { code: 'VALIDATION_ERROR', message: 'url is required.', details, requestId: 'r7' };
  const error = { ...told, docs: '/api/v1/errors#VALIDATION_ERROR' };
  replies = [{ status: 400, body: { success: false, error } }];
  await assert.rejects(open().shorten({ url: '' }), (thrown) => {
    assert.ok(thrown instanceof ApiError && thrown instanceof LinkfoldError);
    const { status, code, message, requestId, docs, details: said } = thrown;
    assert.deepEqual({ code, message, details: said, requestId }, told);
    assert.equal(docs, baseUrl + error.docs);
    return status === 400;
  });
  assert.equal(seen.length, 1);
});

test('returns status and headers of every response, and identifies the client to the server', async () => {
  const headers = { 'x-ratelimit-remaining': '7', 'retry-after': '0' };
  replies = [
    refusal(429, 'RATE_LIMIT_EXCEEDED', headers),
    { status: 201, body: { success: true, data: link } },
  ];
  const told: (number | string | null)[] = [];
  const onAnswer = ({ status, headers }: Answer) => told.push(status, headers.get('x-ratelimit-remaining'));
  await open().upsertLink('crm-1', { url: 'https://e.com' }, { onAnswer });
  assert.deepEqual(told, [429, '7', 201, null]);
  assert.deepEqual(
    seen.map((one) => one.headers['user-agent']),
    [`linkfold-client/${version}`, `linkfold-client/${version}`],
  );

  // Simulates a browser, where a page has a location. The client must let the browser set the user agent.
  const page = globalThis as { location?: unknown };
  page.location = { href: 'https://go.example.com/' };
  await open().me();
  delete page.location;
  assert.doesNotMatch(seen.at(-1)?.headers['user-agent'] ?? '', /linkfold/);
});

test('retries 429, 503, requests in progress and broken connections with the same idempotency key', async () => {
  for (const first of [
    refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '0' }),
    refusal(503, 'OVERLOADED', { 'retry-after': '0' }),
    refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '0' }),
    { status: 502, body: '<html>' },
    'cut',
  ] as const) {
    seen = [];
    replies = [first];
    await open().shorten({ url: 'https://e.com' });
    assert.equal(seen.length, 2);
    assert.equal(new Set(seen.map((one) => one.headers['idempotency-key'])).size, 1);
  }
  replies = [refusal(409, 'CUSTOM_CODE_TAKEN')];
  await assert.rejects(open().shorten({ url: 'https://e.com' }, { idempotencyKey: 'mine' }), {
    code: 'CUSTOM_CODE_TAKEN',
  });
  assert.equal(seen.at(-1)?.headers['idempotency-key'], 'mine');
});

test('waits for Retry-After, or returns it if it is long', async () => {
  replies = [refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '1' })];
  const start = performance.now();
  await open().me();
  assert.ok(performance.now() - start >= 1000);
  replies = [refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '3600' })];
  await assert.rejects(open().me(), { retryAfterSeconds: 3600 });
});

test('stops after the maximum number of attempts and throws the last error', async () => {
  answer = () => refusal(503, 'OVERLOADED', { 'retry-after': '0' });
  await assert.rejects(open().me(), { code: 'OVERLOADED' });
  assert.equal(seen.length, 3);
  answer = () => 'silence';
  await assert.rejects(open({ retries: 0, timeoutMs: 50 }).me(), (error) => {
    return (
      error instanceof Unreachable &&
      error instanceof LinkfoldError &&
      error.code === 'UNREACHABLE' &&
      error.message === `Cannot reach ${baseUrl}: no response within 0.05 s.`
    );
  });
  await assert.rejects(
    createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', retries: 0 }).me(),
    Unreachable,
  );
});

test('does not retry a PATCH or DELETE that may have succeeded, and says so in the error', async () => {
  const lost: readonly Reply[] = [
    'cut',
    'silence',
    { status: 504, body: '' },
    refusal(503, 'STORAGE_UNAVAILABLE'),
  ];
  for (const reply of lost) {
    const client = open({ timeoutMs: 500 });
    for (const call of [() => client.deleteLink('a'), () => client.updateLink('a', { title: 'T' })]) {
      [seen, replies] = [[], [reply]];
      await assert.rejects(call(), (error) => {
        assert.ok(error instanceof LinkfoldError);
        const isInDoubt = /The request may or may not have been executed\./.test(error.message);
        return isInDoubt === error instanceof Unreachable;
      });
      assert.equal(seen.length, 1);
    }
  }
});

test('retries a PATCH or DELETE that had no effect', async () => {
  const nothingDone = ['RATE_LIMIT_EXCEEDED', 'OVERLOADED', 'SHUTTING_DOWN'];
  for (const code of nothingDone) {
    replies = [refusal(code === 'RATE_LIMIT_EXCEEDED' ? 429 : 503, code, { 'retry-after': '0' })];
    await open().updateLink('a', { title: 'T' });
    replies = [refusal(code === 'RATE_LIMIT_EXCEEDED' ? 429 : 503, code, { 'retry-after': '0' })];
    await open().deleteLink('a');
  }
  assert.equal(seen.length, 4 * nothingDone.length);

  const late = createServer((_request, response) => response.writeHead(204).end());
  await new Promise<void>((resolve) => late.listen(0, '127.0.0.1', resolve));
  const { port } = late.address() as AddressInfo;
  await new Promise((resolve) => late.close(resolve));
  const deleted = open({ baseUrl: `http://127.0.0.1:${port}`, retries: 10 }).deleteLink('a');
  setTimeout(() => late.listen(port, '127.0.0.1'), 100);
  assert.equal(await deleted, undefined);
  late.closeAllConnections();
  late.close();
});

test('takes path parameters as arguments, in order and under any names', async () => {
  const sent: string[] = [];
  const call = createCall(
    { method: 'GET', path: '/folders/:folder/by-code/:code', input: 'query' },
    ({ path }) => Promise.resolve(void sent.push(path)),
  );
  await call('a/b', '$&', { include: ['title', 'status'] });
  assert.deepEqual(sent, ['/api/v1/folders/a%2Fb/by-code/%24%26?include=title%2Cstatus']);
  await assert.rejects(call('a', '..'), /^TypeError: code must be /);
});

test('accepts revisions and ETags for ifMatch, and numbers in paths', async () => {
  const client = open();
  for (const [given, sent] of [
    [3, '"3"'],
    ['3', '"3"'],
    ['"3"', '"3"'],
    ['W/"3"', 'W/"3"'],
    ['"3", "4"', '"3", "4"'],
    ['*', '*'],
  ] as const) {
    await client.updateLink('a', { title: 'T' }, { ifMatch: given });
    assert.equal(seen.at(-1)?.headers['if-match'], sent);
  }
  for (const revision of [7, '7']) {
    await client.rollBackLink('a', revision);
    assert.equal(seen.at(-1)?.url, '/api/v1/links/a/history/7/restore');
  }
});

test('overrides timeoutMs and retries per call', async () => {
  answer = () => refusal(503, 'OVERLOADED', { 'retry-after': '0' });
  for (const retries of [0, 1, 3]) {
    seen = [];
    await assert.rejects(open().me({ retries }), { code: 'OVERLOADED' });
    assert.equal(seen.length, retries + 1);
  }
  answer = () => 'silence';
  await assert.rejects(open().me({ retries: 0, timeoutMs: 50 }), /no response within 0\.05 s/);
});

test('reads server and key from the environment by default', async (t) => {
  const before = { ...process.env };
  t.after(() => {
    for (const name of ['LINKFOLD_URL', 'LINKFOLD_API_KEY']) delete process.env[name];
    Object.assign(process.env, before);
  });
  Object.assign(process.env, { LINKFOLD_URL: `${baseUrl}/`, LINKFOLD_API_KEY: 'lfk_environment' });
  await createClient().me();
  await createClient({ apiKey: 'lfk_given' }).me();
  await createClient({ apiKey: null }).me();
  assert.deepEqual(
    seen.map(({ headers }) => headers.authorization),
    ['Bearer lfk_environment', 'Bearer lfk_given', undefined],
  );
  assert.throws(() => createClient({ apiKey: '' }), {
    message: 'apiKey or LINKFOLD_API_KEY must be printable ASCII without spaces.',
  });
  assert.throws(() => createClient({ baseUrl: '' }), {
    message: 'baseUrl or LINKFOLD_URL must be an http or https URL.',
  });
  delete process.env['LINKFOLD_API_KEY'];
  assert.throws(() => createClient({ baseUrl }), /apiKey or LINKFOLD_API_KEY must/);
  delete process.env['LINKFOLD_URL'];
  assert.throws(() => createClient({ apiKey: 'k' }), /baseUrl or LINKFOLD_URL must/);
});

test('sends a JSON content type without a body, as sessions require', async () => {
  const sent: unknown[] = [];
  const call = createCall({ method: 'POST', path: '/links/:id/restore' }, ({ headers, body }) =>
    Promise.resolve(void sent.push(headers['content-type'], body)),
  );
  await call('a');
  assert.deepEqual(sent, ['application/json', '{}']);
});

test('aborts a waiting call', async () => {
  replies = [refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '30' })];
  await assert.rejects(open().me({ signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
});

test('recognizes servers other than Linkfold, and does not send the key to a redirect target', async () => {
  replies = [{ status: 200, body: '<html>hello</html>' }];
  await assert.rejects(open().me(), { code: 'UNEXPECTED_ANSWER', status: 200 });
  replies = [{ status: 301, headers: { location: 'https://elsewhere.example/' }, body: '' }];
  await assert.rejects(open().me(), /redirects to https:\/\/elsewhere\.example\//);
  assert.equal(seen.length, 2);
});

test('rejects an invalid key or ID before sending, without repeating the key', async () => {
  assert.throws(
    () => open({ apiKey: 'lfk_secret\n' }),
    (error) => !String(error).includes('secret'),
  );
  assert.throws(() => open({ baseUrl: 'localhost:3000' }), TypeError);
  for (const id of ['', '.', '..']) await assert.rejects(open().deleteLink(id), TypeError);
  assert.equal(seen.length, 0);
});

test('allValues pages through any breakdown by cursor', async () => {
  const counts = { clicks: 1, visitors: 1 };
  answer = ({ url }) => {
    const isFirst = new URL(url, baseUrl).searchParams.get('cursor') === '';
    const values = [{ value: isFirst ? 'a' : 'b', ...counts }];
    const breakdown = { dimension: 'country', values, other: counts, nextCursor: isFirst ? 'x' : null };
    return { status: 200, body: { success: true, data: { breakdown } } };
  };
  for (const [of, path] of [
    [{}, '/api/v1/stats'],
    [{ linkId: 'l' }, '/api/v1/links/l/stats'],
    [{ folderId: 'f' }, '/api/v1/folders/f/stats'],
    [{ tagId: 't' }, '/api/v1/tags/t/stats'],
  ] as const) {
    const values: string[] = [];
    for await (const { value } of open().allValues({ ...of, groupBy: 'country' })) values.push(value);
    assert.deepEqual(values, ['a', 'b']);
    assert.equal(new URL(seen.at(-1)?.url ?? '', baseUrl).pathname, path);
  }
});

test('allLinks pages through all links by cursor', async () => {
  const pages: Record<string, readonly [string[], string | null]> = {
    '': [['e', 'd'], 'x'],
    x: [['c', 'b'], 'y'],
    y: [[], null],
  };
  answer = ({ url }) => {
    const [ids, nextCursor] = pages[new URL(url, baseUrl).searchParams.get('cursor') ?? ''] ?? [[], null];
    const data = ids.map((id) => ({ ...link, id }));
    return { status: 200, body: { success: true, data, pagination: { limit: 2, total: null, nextCursor } } };
  };
  const ids: string[] = [];
  for await (const { id } of open().allLinks({ folderId: 'none', limit: 2 })) ids.push(id);
  assert.deepEqual(ids, ['e', 'd', 'c', 'b']);
  assert.ok(seen.every((one) => one.url.includes('folderId=none')));
});
