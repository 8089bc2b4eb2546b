// Tests timeouts and visits that wait for their response. redirect.test.ts and test/fast-path test that the fast path
// responds like node:http.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { unknownFacts } from '../../model/clicks/click-facts.ts';
import type { Visit } from '../../redirect/visit.ts';
import { createHttpVisits } from '../http-visits.ts';
import { createFastPath } from './fast-path.ts';

const waiting: Visit[] = [];
const visits = {
  redirect: (visit: Visit) =>
    void (visit.target === '/later' ? waiting.push(visit) : visit.sendTo('https://a/')),
  readFacts: () => unknownFacts(0),
  hostOf: () => '',
  clientOf: () => ({ address: '', network: '', isExempt: true, isProxied: false }),
  countryHeader: '',
  userHeader: '',
  referrerPolicy: undefined,
};
const server = createServer({ headersTimeout: 2_000, keepAliveTimeout: 1_000 }, createHttpVisits(visits, 3));
let turnIsFull = false;
const front = createFastPath(server, {
  ...visits,
  mounts: new Set(['api']),
  now: Date.now,
  tickLimit: { isFull: () => turnIsFull, later: setImmediate },
});
const refused: unknown[] = [];
server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
  refused.push(code);
  socket.destroy();
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
after(() => {
  front.drain();
  front.endIdle();
  server.close();
});

function open() {
  const socket = connect({ port, host: '127.0.0.1' });
  const heard = { text: '', closedAfter: undefined as number | undefined };
  const began = performance.now();
  socket.on('data', (chunk) => {
    heard.text += chunk;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    heard.closedAfter = performance.now() - began;
  });
  const get = (path: string, header = ''): boolean =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n`);
  const until = async (pattern: RegExp): Promise<void> => {
    for (
      let tries = 0;
      !pattern.test(heard.text) && heard.closedAfter === undefined && tries < 500;
      tries += 1
    ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { socket, heard, get, until };
}

test('times out silent connections like Node, idle ones after the configured time', async () => {
  const [silent, resting] = [open(), open()];
  resting.get('/a');
  await Promise.all([once(silent.socket, 'close'), once(resting.socket, 'close')]);
  assert.deepEqual(refused, ['ERR_HTTP_REQUEST_TIMEOUT']);
  assert.ok((silent.heard.closedAfter ?? 0) >= 2_000);
  assert.match(resting.heard.text, /302 Found[\s\S]*Keep-Alive: timeout=1\r\n/);
  assert.ok((resting.heard.closedAfter ?? 0) >= 1_000);
});

test('answers a pipelined request after the previous one', async () => {
  const { socket, heard, get, until } = open();
  get('/later');
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  get('/api/x');
  get('/b');
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(heard.text, '');
  waiting.pop()?.sendTo('https://first/');
  await until(/(302 Found[\s\S]*){3}\r\n\r\n/);
  assert.match(
    heard.text,
    /^HTTP\/1.1 302 Found\r\nLocation: https:\/\/first\/[\s\S]*https:\/\/a\/[\s\S]*https:\/\/a\//,
  );
  socket.destroy();
});

async function keepsItsHeaders(): Promise<void> {
  const visitors = ['text/html', 'image/png', 'text/html', '*/*'].map((accept) => ({ accept, ...open() }));
  for (const { get, until } of visitors) {
    get('/a', 'Accept: */*\r\n');
    await until(/302 Found/);
  }
  for (const [at, { accept, get }] of visitors.entries()) {
    get('/later', `Accept: ${accept}\r\nX-Filler: ${'x'.repeat(500 * at)}\r\n`);
    while (waiting.length <= at) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(
    waiting.map((visit) => visit.accept().includes('text/html')),
    [true, false, true, false],
  );
  for (const [at, { heard, get, until, socket }] of visitors.entries()) {
    waiting[at]?.sendTo(`https://own-${at}/`);
    // node:http handles the next request, and reads it from an ordinary stream.
    get('/api/x', 'Content-Length: 0\r\n');
    await until(/(302 Found[\s\S]*){3}\r\n\r\n/);
    socket.write('GET /b HTTP/1.1\r\nHo');
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.write('st: a\r\n\r\n');
    await until(/(302 Found[\s\S]*){4}\r\n\r\n/);
    const sentTo = [...heard.text.matchAll(/Location: (\S+)/gi)].map(([, location]) => location);
    assert.deepEqual(sentTo, ['https://a/', `https://own-${at}/`, 'https://a/', 'https://a/']);
    socket.destroy();
  }
  waiting.length = 0;
}

test('keeps the headers of a waiting visit while other connections are read', keepsItsHeaders);

test('keeps the headers of a visit postponed to the next tick', async () => {
  turnIsFull = true;
  await keepsItsHeaders();
  turnIsFull = false;
});

test('closes a connection passed to node:http after some redirects, so that the client returns to the fast path', async () => {
  const { socket, heard, get, until } = open();
  get('/a', 'Content-Length: 0\r\n');
  for (let answers = 1; answers < 3; answers += 1) {
    await until(new RegExp(`(302 Found[\\s\\S]*){${answers}}\r\n\r\n`));
    get('/a');
  }
  if (heard.closedAfter === undefined) await once(socket, 'close');
  assert.equal(heard.text.match(/302 Found/g)?.length, 3);
  assert.equal(heard.text.match(/Connection: close/g)?.length, 1);
});

test('answers HTTP/1.0 and Connection: close without node:http, and closes the connection', async () => {
  let parsed = 0;
  const count = (): void => {
    parsed += 1;
  };
  server.on('request', count);
  const ask = async (path: string, version: string, header = ''): Promise<ReturnType<typeof open>> => {
    const opened = open();
    opened.socket.write(`GET ${path} HTTP/${version}\r\nHost: a.example\r\n${header}\r\n`);
    if (path === '/later') {
      while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      waiting.pop()?.sendTo('https://a/');
    }
    await opened.until(/302 Found[\s\S]*\r\n\r\n/);
    return opened;
  };
  for (const path of ['/a', '/later'])
    for (const [version, header] of [
      ['1.0', ''] as const,
      ['1.0', 'Connection: close\r\n'] as const,
      ['1.1', 'connection: Close\r\n'] as const,
    ]) {
      const { socket, heard } = await ask(path, version, header);
      if (heard.closedAfter === undefined) await once(socket, 'close');
      assert.match(
        heard.text,
        /^HTTP\/1\.1 302 Found[\s\S]*Connection: close\r\n\r\n$/,
        `${path} ${version} ${header}`,
      );
    }
  const { socket, heard } = await ask('/a', '1.0', 'Connection: keep-alive\r\n');
  assert.match(heard.text, /Connection: keep-alive\r\n/);
  assert.equal(heard.closedAfter, undefined);
  socket.destroy();
  server.off('request', count);
  assert.equal(parsed, 0);
});

test('leaves mounted paths, and every request while draining, to node:http', async () => {
  let parsed = 0;
  const count = (): void => {
    parsed += 1;
  };
  server.on('request', count);
  const visited = async (path: string): Promise<boolean> => {
    const before = parsed;
    const { socket, get, until } = open();
    // The header makes the request long enough for the fast path (at least 32 bytes).
    get(path, 'Accept: text/html\r\n');
    await until(/302 Found/);
    socket.destroy();
    return parsed > before;
  };
  for (const [path, isLeft] of [
    ['/api', true] as const,
    ['/api?a=/b', true] as const,
    ['/apis', false] as const,
    ['/ap', false] as const,
    ['/a', false] as const,
  ])
    assert.equal(await visited(path), isLeft, path);
  front.drain();
  assert.equal(await visited('/a'), true);
  server.off('request', count);
});
