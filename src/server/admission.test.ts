import assert from 'node:assert/strict';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createAdmission, maxWritesInStorage } from './admission.ts';

/** An admission whose clock moves only when work is done or a test says so. */
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
  /** Behind another request of its connection. */
  readonly isBehind?: boolean;
}

/** A connection to nowhere that takes everything. */
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

const oneLink = '/api/v1/links/1';
const linkList = '/api/v1/links?limit=100';

describe('admission', () => {
  test('with time to spare a request passes at once', () => {
    const it = context(0.5);
    for (const url of [linkList, oneLink, '/api/v1/me']) send(it, url);
    assert.deepEqual(it.served, [linkList, oneLink, '/api/v1/me']);
    assert.deepEqual(it.admission.stats().admitted, { write: 0, read: 2, list: 1, anonymous: 0 });
    assert.deepEqual(it.admission.stats().queued, { write: 0, read: 0, list: 0, anonymous: 0 });
  });

  test('no turn gets more than 2 ms of work, and what must not wait goes before each slice', async () => {
    const it = context(1);
    for (let count = 0; count < 20; count += 1) send(it, `/api/v1/links/${count}`);
    assert.equal(it.served.length, 2);
    for (let slices = 1; it.served.length < 20; slices += 1) {
      const done: number = it.served.length;
      await turn();
      assert.ok(it.served.length - done <= 2, `${it.served.length - done} in one turn`);
      assert.ok(slices < 20, 'it stopped');
      assert.equal(it.state.slices, slices);
    }
    assert.deepEqual(
      it.served,
      Array.from({ length: 20 }, (_, count) => `/api/v1/links/${count}`),
    );
    await turn();
    send(it, '/api/v1/me');
    assert.equal(it.served.at(-1), '/api/v1/me', 'afterwards everything passes at once again');
  });

  test('writes go before reads of one record, and these before lists', async () => {
    const it = context(1);
    for (let count = 0; count < 2; count += 1) send(it, '/api/v1/me');
    const [lists, reads, writes] = [
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
    for (const url of [...lists, ...reads]) send(it, url);
    writeTo(it, '/api/v1/shorten');
    send(it, '/api/v1/links/1', { method: 'DELETE' });
    for (let turns = 0; turns < 10; turns += 1) await turn();
    assert.deepEqual(it.served.slice(2), [...writes, ...reads, ...lists]);
    assert.deepEqual(it.admission.stats().queued, { write: 2, read: 5, list: 5, anonymous: 0 });
  });

  test('in a lasting backlog those of little worth are refused first, at once', () => {
    const it = context(1);
    for (let count = 0; count < 2; count += 1) send(it, oneLink);
    const refusedAfter = (ms: number): boolean[] => {
      it.state.now += ms;
      return [
        isRefused(send(it, linkList)),
        isRefused(send(it, oneLink)),
        isRefused(writeTo(it, '/api/v1/shorten')),
      ];
    };
    assert.deepEqual(refusedAfter(0), [false, false, false], 'a burst is taken in');
    assert.deepEqual(refusedAfter(900), [false, false, false], 'however long it takes');
    assert.deepEqual(refusedAfter(200), [true, true, true]);
    assert.deepEqual(it.admission.stats().refused, { write: 1, read: 1, list: 1, anonymous: 0 });
    assert.equal(it.notices.length, 1, 'said once');
  });

  for (const [age, refused] of [
    [15, [false, false, false]],
    [25, [true, false, false]],
    [40, [true, true, false]],
    [60, [true, true, true]],
  ] as const) {
    test(`behind a write that has waited for ${age} ms`, async () => {
      const it = context(1);
      // A backlog that lasts: whenever one is served, another has come.
      for (let count = 0; count < 4; count += 1) writeTo(it, '/api/v1/shorten');
      for (let passed = 0; passed <= 1_100; passed += 5) {
        it.state.now += 5;
        for (let count = 0; count < 2; count += 1) writeTo(it, '/api/v1/shorten');
        await turn();
      }
      assert.ok(it.admission.stats().waiting.write > 0);
      assert.deepEqual(it.admission.stats().refused, { write: 0, read: 0, list: 0, anonymous: 0 });
      it.state.now += age;
      const answers = [send(it, linkList), send(it, oneLink), writeTo(it, '/api/v1/shorten')];
      assert.deepEqual(answers.map(isRefused), refused);
    });
  }

  test('who has no key waits behind everybody who has one, and keeps nobody from it', async () => {
    const it = context(1);
    const sendStrangers = (): void => {
      for (let count = 0; count < 5; count += 1)
        writeTo(it, '/api/v1/shorten', { headers: { authorization: 'none' } });
    };
    // A backlog of theirs that lasts.
    for (const end = it.state.now + 2_000; it.state.now < end; await turn()) sendStrangers();
    assert.ok(it.admission.stats().refused.anonymous > 0);
    for (let count = 0; count < 50; count += 1) {
      const made = send(it, `${linkList}&page=${count}`);
      sendStrangers();
      await turn();
      assert.ok(!isRefused(made));
      assert.ok(it.served.includes(`${linkList}&page=${count}`), 'in the next slice');
    }
    assert.deepEqual(it.admission.stats().refused.list, 0);
  });

  /** Writes take all of the time, but for every so many of them: one of them is served in each turn, and another comes. */
  const busy = (it: ReturnType<typeof context>, gapEvery = Number.POSITIVE_INFINITY) => {
    for (let count = 0; count < 2; count += 1) writeTo(it, '/api/v1/shorten');
    let turns = 0;
    return async (ms: number, each: () => void = () => {}): Promise<void> => {
      for (const end = it.state.now + ms; it.state.now < end; turns += 1) {
        if (turns % gapEvery !== gapEvery - 1) writeTo(it, '/api/v1/shorten');
        each();
        await turn();
      }
    };
  };

  test('while lists are not served, hardly one waits in vain', async () => {
    const it = context(2);
    const goOn = busy(it);
    let letIn = 0;
    const sendList = (): void => {
      letIn += isRefused(send(it, linkList)) ? 0 : 1;
    };
    await goOn(1_500);
    await goOn(2_500, sendList); // those who come first find out
    letIn = 0;
    const before = it.admission.stats().refused.list;
    await goOn(6_000, sendList);
    assert.ok(!it.served.slice(2).includes(linkList), 'writes were not busy enough');
    assert.ok(letIn <= 4 * 8, `${letIn} of 3000 waited in vain`);
    assert.ok(letIn > 0, 'nobody would find out that lists are served again');
    assert.ok(it.admission.stats().refused.list - before > 2_900);
    for (let turns = 0; turns < 100; turns += 1) await turn();
    assert.deepEqual(it.admission.stats().waiting, { write: 0, read: 0, list: 0, anonymous: 0 });
  });

  test('in a lasting backlog no more lists wait than are served in good time', async () => {
    const it = context(2);
    const goOn = busy(it, 5);
    const cameAt = new Map<string, number>();
    const waits: number[] = [];
    let count = 0;
    let seen = 0;
    const sendLists = (): void => {
      for (; seen < it.served.length; seen += 1) {
        const at = cameAt.get(it.served[seen] as string);
        if (at !== undefined) waits.push(it.state.now - at);
      }
      for (let more = 0; more < 3; more += 1) {
        count += 1;
        cameAt.set(`${linkList}&page=${count}`, it.state.now);
        send(it, `${linkList}&page=${count}`);
      }
    };
    await goOn(4_000, sendLists);
    waits.length = 0;
    await goOn(4_000, sendLists);
    assert.ok(waits.length > 350, `${waits.length} lists in 400 gaps`);
    assert.ok(Math.max(...waits) <= 120, `one waited for ${Math.max(...waits)} ms`);
  });

  for (const [calmMs, isRefusedAgain] of [
    [1_500, true],
    [2_500, false],
  ] as const) {
    test(`a backlog that is back after ${calmMs} ms is ${isRefusedAgain ? 'the same one' : 'a burst'}`, async () => {
      const it = context(2);
      await busy(it)(1_500);
      it.state.now += 200;
      assert.ok(isRefused(send(it, linkList)));
      for (let turns = 0; turns < 10; turns += 1) await turn();
      assert.equal(it.admission.stats().waiting.write, 0);
      it.state.now += calmMs;
      for (let count = 0; count < 3; count += 1) writeTo(it, '/api/v1/shorten');
      it.state.now += 200;
      assert.equal(isRefused(send(it, linkList)), isRefusedAgain);
    });
  }

  test('what lay unread for long goes behind what has just come', async () => {
    const it = context(2);
    const goOn = busy(it);
    await goOn(1_500);
    it.state.now += 200;
    // So many refusals have their price, and whoever does not wait rests.
    for (let count = 0; count < 210; count += 1) assert.ok(isRefused(send(it, linkList)));
    const [reader, writer] = [nowhere(), nowhere()];
    const assertRefused = (made: ReturnType<typeof send>): void => {
      const { response, socket } = made;
      assert.ok(isRefused(made));
      response.detachSocket(socket);
      response.emit('close');
    };
    for (const socket of [reader, writer, reader, writer]) assertRefused(send(it, linkList, { socket }));
    await goOn(700);
    for (let count = 0; count < 4; count += 1) assert.ok(!isRefused(writeTo(it, '/api/v1/shorten')));
    assertRefused(writeTo(it, '/api/v1/shorten', { socket: writer }));
    assert.ok(!isRefused(writeTo(it, '/api/v1/shorten', { socket: writer })), 'the next one has just come');
    assert.ok(!isRefused(send(it, oneLink, { socket: reader })), 'there is nobody else who reads');
  });

  test('a full queue refuses the newest of the least worth for something better', () => {
    const it = context(1);
    for (let count = 0; count < 2; count += 1) send(it, oneLink);
    const lists = Array.from({ length: 500 }, () => send(it, linkList));
    const reads = Array.from({ length: 500 }, () => send(it, oneLink));
    assert.deepEqual(it.admission.stats().waiting, { write: 0, read: 500, list: 500, anonymous: 0 });
    assert.ok(isRefused(send(it, linkList)), 'nothing is worth less');
    assert.ok(!isRefused(send(it, oneLink)));
    assert.ok(!isRefused(writeTo(it, '/api/v1/shorten')));
    assert.deepEqual(
      lists.map(isRefused),
      lists.map((_, index) => index >= 498),
    );
    for (let count = 0; count < 999; count += 1) assert.ok(!isRefused(writeTo(it, '/api/v1/shorten')));
    assert.ok([...lists, ...reads].every(isRefused));
    assert.ok(isRefused(writeTo(it, '/api/v1/shorten')), 'all of the same worth: the one that comes');
    assert.deepEqual(it.admission.stats().waiting, { write: 1_000, read: 0, list: 0, anonymous: 0 });
  });

  test('the bodies of those that wait are bounded too', () => {
    const it = context(1);
    for (let count = 0; count < 2; count += 1) send(it, oneLink);
    const large = { headers: { 'content-length': '65536' } };
    const unknown = { headers: { 'transfer-encoding': 'chunked' } };
    const lies = { headers: { 'content-length': '99999999999' } };
    const wait = Array.from({ length: 256 }, (_, index) =>
      writeTo(it, '/api/v1/shorten', [large, unknown, lies][index % 3]),
    );
    assert.ok(!wait.some(isRefused));
    assert.ok(isRefused(writeTo(it, '/api/v1/shorten', large)));
    assert.ok(!isRefused(writeTo(it, '/api/v1/shorten')));
  });

  test('whoever hung up is not worked for', async () => {
    const it = context(1);
    for (let count = 0; count < 2; count += 1) send(it, oneLink);
    const gone = send(it, '/api/v1/links/gone');
    send(it, '/api/v1/links/here');
    gone.socket.destroy();
    for (let turns = 0; turns < 3; turns += 1) await turn();
    assert.deepEqual(it.served.slice(2), ['/api/v1/links/here']);
    assert.equal(it.admission.stats().abandoned.read, 1);
  });

  test('nothing waits for longer than two seconds', async () => {
    const it = context(1);
    for (let count = 0; count < 2; count += 1) send(it, oneLink);
    const late = send(it, linkList);
    it.state.now += 2_001;
    await turn();
    assert.ok(isRefused(late));
    assert.equal(it.served.length, 2);
  });

  test('writes that storage has no room for wait; reads do not wait for them', async () => {
    const it = context(0);
    it.state.writesInStorage = maxWritesInStorage;
    writeTo(it, '/api/v1/shorten');
    await turn();
    send(it, linkList);
    await turn();
    assert.deepEqual(it.served, [linkList]);
    it.state.now += 1_500;
    assert.ok(!isRefused(send(it, linkList)), 'a slow disk refuses no reads');
    await turn();
    assert.ok(isRefused(writeTo(it, '/api/v1/shorten')), 'but writes');
    it.state.writesInStorage = 0;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(it.served, [linkList, linkList, '/api/v1/shorten']);
  });

  test('one connection may have sixteen unanswered requests ahead', () => {
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

  test('a refusal over HTTP: the envelope, Retry-After, an id of its own, no body for HEAD', async (t) => {
    const it = context(0);
    it.state.writesInStorage = maxWritesInStorage;
    const server = createServer((request, response) => {
      // The first begins the turn, which is then over.
      it.admission.admit(...(Object.values(exchange(oneLink)).slice(0, 2) as [never, never]));
      it.state.now += 3_000;
      for (let count = it.admission.stats().waiting.list; count < 1_000; count += 1) send(it, linkList);
      response.setHeader('access-control-allow-origin', '*');
      it.admission.admit(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${linkList}`;
    const ids = new Set<string>();
    for (const method of ['GET', 'GET', 'HEAD']) {
      const answer = await fetch(url, { method });
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get('retry-after'), '1');
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', 'what was set before is sent');
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const id = answer.headers.get('x-request-id') ?? '';
      ids.add(id);
      const text = await answer.text();
      if (method === 'HEAD') assert.equal(text, '');
      else {
        const { success, error } = JSON.parse(text);
        assert.deepEqual([success, error.code, error.requestId], [false, 'OVERLOADED', id]);
      }
    }
    assert.equal(ids.size, 3);
  });
});
