import assert from 'node:assert/strict';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createAdmission, maxWaiting, maxWritesInStorage } from './admission.ts';

/** Creates an admission controller with a clock that advances only by `costMs` per request, or when a test sets it. */
function context(costMs = 0) {
  const served: string[] = [];
  const notices: string[] = [];
  const state = { now: 1_000, writesInStorage: 0, slices: 0 };
  let ids = 0;
  const admission = createAdmission({
    serve: ({ url = '' }) => {
      served.push(url);
      state.now += costMs;
    },
    isAnonymous: ({ headers }) => headers.authorization === 'none',
    writesInStorage: () => state.writesInStorage,
    beforeSlice: () => {
      state.slices += 1;
    },
    newRequestId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    onOverload: (sentence) => notices.push(sentence),
    clock: () => state.now,
  });
  return { admission, served, notices, state };
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly socket?: Socket;
  /** Whether the request is pipelined behind another request on its connection. */
  readonly isBehind?: boolean;
}

/** Creates a socket that discards everything. */
function nowhere(): Socket {
  return new Duplex({ read: () => {}, write: (_bytes, _encoding, done) => done() }) as Socket;
}

function exchange(url: string, sent: Sent = {}) {
  const { method = 'GET', headers = {}, socket = nowhere(), isBehind = false } = sent;
  const request = Object.assign(new IncomingMessage(socket), { method, url, headers });
  const response = new ServerResponse(request);
  if (!isBehind) response.assignSocket(socket);
  return { request, response, socket };
}

function send({ admission }: ReturnType<typeof context>, url: string, sent: Sent = {}) {
  const made = exchange(url, sent);
  admission.admit(made.request, made.response);
  return made;
}
function writeTo(it: ReturnType<typeof context>, url: string, sent: Sent = {}) {
  return send(it, url, { method: 'POST', ...sent });
}
function isRefused({ response }: { response: ServerResponse }): boolean {
  return response.writableEnded && response.statusCode === 503;
}

const withoutKey = { headers: { authorization: 'none' } };
const oneLink = '/api/v1/links/1';
const linkList = '/api/v1/links?limit=100';

/** Uses up the tick's time slice, so that the next request is queued. */
function useUpTick(it: ReturnType<typeof context>): void {
  for (let count = 0; count < 2; count += 1) send(it, '/api/v1/me');
}
async function ticks(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await tick();
}

const none = { write: 0, read: 0, list: 0, anonymous: 0 };

describe('admission', () => {
  test('admits a request at once while there is time', () => {
    const it = context(0.5);
    for (const url of [linkList, oneLink, '/api/v1/me']) send(it, url);
    assert.deepEqual(it.served, [linkList, oneLink, '/api/v1/me']);
    assert.deepEqual(it.admission.stats().queued, none);
  });

  test('spends at most 2 ms per tick, with redirects before each slice', async () => {
    const it = context(1);
    const urls = Array.from({ length: 20 }, (_, count) => `/api/v1/links/${count}`);
    for (const url of urls) send(it, url);
    assert.equal(it.served.length, 2);
    for (let slices = 1; it.served.length < urls.length; slices += 1) {
      const done: number = it.served.length;
      await tick();
      assert.ok(it.served.length - done <= 2, `${it.served.length - done} in one tick`);
      assert.ok(slices < 20, 'it stopped');
      assert.equal(it.state.slices, slices);
    }
    assert.deepEqual(it.served, urls);
    await tick();
    send(it, '/api/v1/me');
    assert.equal(it.served.at(-1), '/api/v1/me', 'afterwards everything passes at once again');
  });

  test('serves writes before single reads, lists, and requests without a key', async () => {
    const it = context(1);
    useUpTick(it);
    const [strangers, lists, reads, writes] = [
      ['/api/v1/links/stranger'],
      [
        '/api/v1/links',
        linkList,
        '/api/v1/folders',
        '/api/v1/links/1/statistics',
        '/api/v1/links?status=deleted',
      ],
      [oneLink, '/api/v1/me', '/api/v1/links/2/', '/api/v1/links/by-code/a', '/api/v1/links/deleted1'],
      ['/api/v1/shorten', '/api/v1/links/1'],
    ];
    writeTo(it, strangers[0] as string, withoutKey);
    for (const url of [...lists, ...reads]) send(it, url);
    writeTo(it, '/api/v1/shorten');
    send(it, '/api/v1/links/1', { method: 'DELETE' });
    await ticks(10);
    assert.deepEqual(it.served.slice(2), [...writes, ...reads, ...lists, ...strangers]);
    assert.deepEqual(it.admission.stats().queued, { write: 2, read: 5, list: 5, anonymous: 1 });
  });

  test('limits the queue of each class; refuses further requests before any work', () => {
    const it = context(1);
    useUpTick(it);
    const kinds = {
      list: () => send(it, linkList),
      read: () => send(it, oneLink),
      write: () => writeTo(it, '/api/v1/shorten'),
      anonymous: () => writeTo(it, '/api/v1/shorten', withoutKey),
    };
    for (const ask of Object.values(kinds)) {
      const all = Array.from({ length: maxWaiting + 3 }, () => isRefused(ask()));
      assert.deepEqual(
        all,
        all.map((_, index) => index >= maxWaiting),
      );
    }
    const each = (count: number) => ({ write: count, read: count, list: count, anonymous: count });
    assert.deepEqual(it.admission.stats().waiting, each(maxWaiting));
    assert.deepEqual(it.admission.stats().refused, each(3));
    assert.equal(it.served.length, 2);
    assert.deepEqual(it.notices, ['Overloaded: rejecting API requests.'], 'reported once');
    it.state.now += 10_000;
    kinds.list();
    assert.equal(it.notices.length, 2, 'and again after ten seconds');
  });

  test('does not delay requests with a key during a flood without keys', async () => {
    const it = context(1);
    for (let count = 0; count < 50; count += 1) {
      for (let more = 0; more < 20; more += 1) writeTo(it, '/api/v1/shorten', withoutKey);
      const url = `${linkList}&page=${count}`;
      assert.ok(!isRefused(send(it, url)));
      await tick();
      assert.ok(it.served.includes(url), 'in the next slice');
    }
    const { refused } = it.admission.stats();
    assert.ok(refused.anonymous > 0);
    assert.deepEqual({ ...refused, anonymous: 0 }, none);
  });

  test('refuses a request after at most a second, even if its class is never served', async () => {
    const it = context(2);
    writeTo(it, '/api/v1/shorten');
    const late = send(it, linkList);
    for (const end = it.state.now + 1_100; it.state.now < end; await tick()) writeTo(it, '/api/v1/shorten');
    assert.ok(isRefused(late));
    assert.ok(!it.served.includes(linkList));
    assert.deepEqual(it.admission.stats().refused, { ...none, list: 1 });
  });

  test('drops a request whose client has disconnected', async () => {
    const it = context(1);
    useUpTick(it);
    const gone = send(it, '/api/v1/links/gone');
    send(it, '/api/v1/links/here');
    gone.socket.destroy();
    await ticks(3);
    assert.deepEqual(it.served.slice(2), ['/api/v1/links/here']);
    assert.equal(it.admission.stats().abandoned.read, 1);
  });

  test('refuses writes and serves reads while storage is full', async () => {
    const it = context(1);
    useUpTick(it);
    const waiting = writeTo(it, '/api/v1/shorten');
    it.state.writesInStorage = maxWritesInStorage;
    assert.ok(isRefused(writeTo(it, '/api/v1/shorten')), 'as it comes');
    send(it, linkList);
    await ticks(3);
    assert.ok(isRefused(waiting), 'when its turn comes');
    assert.deepEqual(it.served.slice(2), [linkList]);
    it.state.writesInStorage -= 1;
    writeTo(it, '/api/v1/shorten');
    assert.equal(it.served.at(-1), '/api/v1/shorten');
  });

  test('allows sixteen unanswered requests per connection', () => {
    const it = context(0);
    const { socket } = send(it, linkList);
    const ahead = Array.from({ length: 20 }, () => send(it, linkList, { socket, isBehind: true }));
    assert.deepEqual(
      ahead.map(isRefused),
      ahead.map((_, index) => index >= 16),
    );
    for (const { response } of ahead) response.emit('close');
    assert.ok(!isRefused(send(it, linkList, { socket, isBehind: true })));
  });

  test('returns the error envelope, Retry-After and a request ID when refusing over HTTP', async (t) => {
    const it = context(0);
    it.state.writesInStorage = maxWritesInStorage;
    const server = createServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*');
      it.admission.admit(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/shorten`;
    const ids = new Set<string>();
    for (const method of ['POST', 'POST']) {
      const answer = await fetch(url, { method });
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get('retry-after'), '1');
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', 'headers set earlier are sent');
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const id = answer.headers.get('x-request-id') ?? '';
      ids.add(id);
      const { success, error } = (await answer.json()) as Record<string, { code: string; requestId: string }>;
      assert.deepEqual([success, error?.code, error?.requestId], [false, 'OVERLOADED', id]);
    }
    assert.equal(ids.size, 2);
  });
});
