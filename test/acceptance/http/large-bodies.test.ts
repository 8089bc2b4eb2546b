import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../support/http/ports.ts';
import { isInstalled } from '../../support/server/machine.ts';
import { as, temporaryFolder } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

const kib = 1_024;
const repetitions = 25;
/** Size in bytes of the chunks in which a body is sent. */
const pieceBytes = 48 * kib;

/**
 * Sends the whole request before it reads the response, like many libraries.
 * @returns the response
 */
async function sendAll(port: number, head: string, body: Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const ended = once(socket, 'end');
  ended.catch(() => {}); // Failed writes report the errors.
  socket.pause();
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('utf8');
  });
  const send = promisify<Buffer, void>(socket.write.bind(socket));
  await send(Buffer.from(head));
  for (let at = 0; at < body.length; at += pieceBytes) {
    // Waits until the server has responded and is discarding the rest of the body.
    if (at === pieceBytes) await pause(5);
    await send(body.subarray(at, at + pieceBytes));
  }
  socket.resume();
  await ended;
  socket.destroy();
  return answer;
}

/** Sends the request headers, and the body only after `100 Continue`. Reads until the final response. */
function sendHead(port: number, head: string, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(head));
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('utf8');
      if (answer === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body);
      else if (answer.endsWith('}')) socket.destroy();
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

function chunkedOf(bytes: number): Buffer {
  const chunk = Buffer.concat([Buffer.from('4000\r\n'), Buffer.alloc(16 * kib, ' '), Buffer.from('\r\n')]);
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / (16 * kib)) }, () => chunk));
}

function codeIn(answer: string): string {
  return /"code":"([A-Z_]+)"/.exec(answer)?.[1] ?? answer;
}

describe('an unwanted body', () => {
  let server: SharedServer;
  let key: string;
  const headWith = (...lines: string[]): string =>
    ['POST /api/v1/shorten HTTP/1.1', 'Host: h', 'Content-Type: application/json', ...lines, '', ''].join(
      '\r\n',
    );

  before(async () => {
    server = await sharedServer();
    ({ key } = await server.newKey());
  });

  for (const [size, bytes] of [
    ['65 KiB', 65 * kib],
    ['1 MiB', kib * kib],
    ['20 MiB', 20 * kib * kib],
  ] as const) {
    test(`delivers the response to ${size} to a client that reads only after sending everything`, async () => {
      const cases = [
        [
          'BODY_TOO_LARGE',
          headWith(`Authorization: Bearer ${key}`, `Content-Length: ${bytes}`),
          Buffer.alloc(bytes),
        ],
        [
          'BODY_TOO_LARGE',
          headWith(`Authorization: Bearer ${key}`, 'Transfer-Encoding: chunked'),
          chunkedOf(bytes),
        ],
        ['MISSING_API_KEY', headWith('Transfer-Encoding: chunked'), chunkedOf(bytes)],
      ] as const;
      for (const [code, head, body] of cases) {
        const times = Math.min(repetitions, Math.ceil((40 * kib * kib) / bytes));
        for (let at = 0; at < times; at += 1) {
          const answer = await sendAll(server.port, head, body);
          assert.equal(codeIn(answer), code, head);
          assert.match(answer, /\r\nconnection: close\r\n/i);
        }
      }
    });
  }

  test('delivers an error to a client that asked to close the connection', async () => {
    const bytes = 60 * kib;
    for (let at = 0; at < repetitions; at += 1) {
      const head = headWith('Connection: close', `Content-Length: ${bytes}`);
      assert.equal(codeIn(await sendAll(server.port, head, Buffer.alloc(bytes))), 'MISSING_API_KEY');
    }
  });

  test('does not parse bytes after such a body as a request', async () => {
    const next = `POST /api/v1/shorten HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\nContent-Length: 58\r\n\r\n{"url":"https://example.com/","customCode":"smuggled-code"}`;
    const body = Buffer.concat([Buffer.alloc(70 * kib), Buffer.from(next)]);
    const head = headWith(`Authorization: Bearer ${key}`, `Content-Length: ${70 * kib}`);
    const answer = await sendAll(server.port, head, body);
    assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1, answer);
    assert.equal((await as(server, key).get('/smuggled-code')).status, 404);
  });

  test('closes the connection of a client that never stops sending', async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    let isClosed = false;
    socket
      .on('error', () => {})
      .on('close', () => {
        isClosed = true;
      });
    socket.write(headWith(`Authorization: Bearer ${key}`, 'Transfer-Encoding: chunked'));
    const chunk = chunkedOf(16 * kib);
    const sending = setInterval(() => socket.write(chunk), 20);
    await until('the server closes', () => isClosed);
    clearInterval(sending);
  });

  test('Expect: 100-continue gets the final response at once for an unwanted body', async () => {
    const expecting = (...lines: string[]): string => headWith('Expect: 100-continue', ...lines);
    const authorization = `Authorization: Bearer ${key}`;
    const cases = [
      ['BODY_TOO_LARGE', expecting(authorization, 'Content-Length: 70000')],
      ['MISSING_API_KEY', expecting('Content-Length: 10')],
      ['INVALID_API_KEY', expecting('Authorization: Bearer no', 'Transfer-Encoding: chunked')],
      ['UNSUPPORTED_MEDIA_TYPE', expecting(authorization, 'Content-Encoding: gzip', 'Content-Length: 10')],
      ['ROUTE_NOT_FOUND', expecting(authorization, 'Content-Length: 10').replace('/shorten', '/nothing')],
      ['METHOD_NOT_ALLOWED', expecting('Content-Length: 10').replace('/api/v1/shorten', '/code')],
    ] as const;
    for (const [code, head] of cases) {
      const answer = await sendHead(server.port, head);
      assert.doesNotMatch(answer, /^HTTP\/1\.1 100/, code);
      assert.equal(codeIn(answer), code);
    }
  });

  test('and a 100 for a wanted one', async () => {
    const body = '{"url":"https://example.com/"}';
    for (const lines of [[`Content-Length: ${body.length}`], ['Transfer-Encoding: chunked']]) {
      const sent = lines[0]?.startsWith('T') ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
      const head = headWith('Expect: 100-continue', `Authorization: Bearer ${key}`, ...lines);
      const answer = await sendHead(server.port, head, sent);
      assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
    }
  });

  test('returns 413, never 502, for a body above the limit behind deploy/nginx.conf', async (t) => {
    if (!isInstalled('nginx')) return t.skip('NOT RUN: nginx is not installed');
    const proxy = await startNginx(server.port);
    try {
      for (let at = 0; at < 3 * repetitions; at += 1) {
        const bytes = 70_000 + at * 700;
        const response = await fetch(`http://127.0.0.1:${proxy.port}/api/v1/shorten`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: Buffer.alloc(bytes, ' '),
        });
        assert.equal(response.status, 413, `${bytes} bytes`);
        assert.equal(codeIn(await response.text()), 'BODY_TOO_LARGE');
      }
    } finally {
      proxy.child.kill('SIGKILL');
    }
  });
});

/** Starts nginx with deploy/nginx.conf, but with other addresses and without TLS. */
async function startNginx(server: number): Promise<{ port: number; child: ChildProcess }> {
  const [port, redirecting] = [await freePort(), await freePort()];
  const folder = temporaryFolder('nginx');
  mkdirSync(join(folder, 'logs'));
  const shipped = readFileSync(join(import.meta.dirname, '..', '..', '..', 'deploy', 'nginx.conf'), 'utf8')
    .replace('127.0.0.1:3000', `127.0.0.1:${server}`)
    .replace('listen 80;', `listen 127.0.0.1:${redirecting};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*$/gm, '');
  assert.match(shipped, new RegExp(`listen 127.0.0.1:${port};`));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${one};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid nginx.pid; events {} http { ${temporary.join(' ')}\n${shipped}\n}`,
  );
  const errors = join(folder, 'logs', 'error.log');
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', errors], { stdio: 'ignore' });
  process.on('exit', () => child.kill('SIGKILL'));
  await until('nginx listens', () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    ),
  );
  return { port, child };
}
