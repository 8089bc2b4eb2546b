import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, createServer as createRaw, type LookupFunction, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { readAllowed } from './allowed.ts';
import { OutboundFailure, type OutboundReason } from './failure.ts';
import { createOutbound, type OutboundOptions, type OutboundRequest } from './outbound.ts';

const servers: { close(): unknown }[] = [];
const sockets = new Set<Socket>();
after(() => {
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
});

async function listening(server: Server | ReturnType<typeof createRaw>, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}
async function serving(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(listener))}`;
}
async function speaking(speak: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listening(createRaw((socket) => speak(socket.on('error', () => {}))))}`;
}

const local = readAllowed('127.0.0.0/8');
const ask = (url: string, request?: OutboundRequest, options: OutboundOptions = { allowed: local }) =>
  createOutbound(options).request(url, request);
async function failing(asked: Promise<unknown>, reason: OutboundReason): Promise<string> {
  const failure = await asked.then(
    () => assert.fail('it was answered'),
    (error: unknown) => error,
  );
  assert.ok(failure instanceof OutboundFailure, String(failure));
  assert.equal(failure.reason, reason, failure.message);
  assert.doesNotMatch(failure.message, /secret/);
  assert.equal(failure.cause, undefined);
  return failure.message;
}

/** Creates a resolver that returns the given lists one after the other. */
function names(...answers: readonly (readonly string[])[]): { lookup: LookupFunction; asked: () => number } {
  let asked = 0;
  const lookup: LookupFunction = (_, options, found) => {
    const list = (answers[Math.min(asked, answers.length - 1)] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    asked += 1;
    assert.ok(options.all);
    found(null, list);
  };
  return { lookup, asked: () => asked };
}

describe('allowed addresses', () => {
  test('connects only to addresses of the public internet, however they are written', async () => {
    let reached = 0;
    const port = await listening(
      createServer((_, answer) => {
        reached += 1;
        answer.end(String(reached));
      }),
    );
    const hosts =
      `127.0.0.1 2130706433 0x7f.1 0177.0.0.1 127.1 [::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]
      [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [2002:7f00:1::] [::ffff:0:127.0.0.1] 0.0.0.0 [::] 10.0.0.1 169.254.169.254
      [fe80::1] [fd00:ec2::254] 100.64.0.1 192.168.0.1 224.0.0.1 255.255.255.255 [64:ff9b:1::1] localhost`.split(
        /\s+/,
      );
    for (const scheme of ['http', 'https'])
      for (const host of hosts)
        await failing(ask(`${scheme}://${host}:${port}/secret`, { anyPort: true }, {}), 'forbidden');
    assert.equal(reached, 0);
  });

  test('names: checks every address and connects to the checked one', async () => {
    let reached = 0;
    const port = await listening(
      createServer((_, answer) => {
        reached += 1;
        answer.end(String(reached));
      }),
    );
    const url = `http://rebinding.example:${port}/`;
    for (const answer of [
      ['127.0.0.1'],
      ['10.1.1.1', '::ffff:127.0.0.1'],
      ['::1'],
      ['64:ff9b::7f00:1'],
      ['localhost'],
    ]) {
      const { lookup } = names(answer);
      await failing(ask(url, { anyPort: true }, { lookup }), 'forbidden');
    }
    assert.equal(reached, 0);
    // A forbidden address among several is skipped.
    const mixed = names(['169.254.169.254', '127.0.0.1']);
    const answer = await ask(url, { anyPort: true }, { lookup: mixed.lookup, allowed: local });
    assert.equal(String(answer.body), '1');
    // A name may resolve differently the second time, so each connection resolves it once and checks the result.
    const rebinding = names(['127.0.0.1'], ['169.254.169.254']);
    const outbound = createOutbound({ lookup: rebinding.lookup, allowed: local });
    assert.equal(String((await outbound.request(url, { anyPort: true })).body), '2');
    await failing(outbound.request(url, { anyPort: true }), 'forbidden');
    assert.deepEqual([rebinding.asked(), reached], [2, 2]);
    await failing(ask(url, { anyPort: true }, { lookup: names([]).lookup }), 'unreachable');
  });

  test('OUTBOUND_ALLOW: accepts addresses, networks, hosts and patterns, with other ports', async () => {
    const url = await serving((_, answer) => answer.end('in'));
    const { port } = new URL(url);
    for (const text of ['127.0.0.1', '10.0.0.0/8, 127.0.0.0/8', '::ffff:127.0.0.1'])
      assert.equal(String((await ask(url, {}, { allowed: readAllowed(text) })).body), 'in', text);
    await failing(ask(url, {}, { allowed: readAllowed('127.0.0.2,10.0.0.0/8') }), 'forbidden');
    const { lookup } = names(['127.0.0.1']);
    const at = (host: string, text: string) =>
      ask(`http://${host}:${port}/`, {}, { lookup, allowed: readAllowed(text) });
    assert.equal(String((await at('shlink.internal', 'shlink.internal')).body), 'in');
    assert.equal(String((await at('a.b.internal.', '*.internal')).body), 'in');
    await failing(at('internal', '*.internal'), 'forbidden');
    assert.match(await failing(at('other.example', 'shlink.internal'), 'forbidden'), /port/);
    for (const bad of [
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'a b/c',
      '::/129',
      '10.0.0.0/-1',
      'http://a',
    ])
      assert.throws(() => readAllowed(bad), /such as 10\.0\.0\.0\/8/, bad);
  });

  test('TLS: the same, with the certificate of the name', async () => {
    const tls = join(import.meta.dirname, '..', '..', '..', 'test', 'tls');
    const [key, cert] = ['server.key', 'server.crt'].map((name) => readFileSync(join(tls, name)));
    const port = await listening(createSecure({ key, cert }, (_, answer) => answer.end('sealed')));
    const { lookup } = names(['127.0.0.1']);
    const at = (host: string, text = 'localhost,127.0.0.1') =>
      ask(`https://${host}:${port}/secret`, {}, { lookup, allowed: readAllowed(text) });
    assert.match(await failing(at('localhost'), 'unreachable'), /UNABLE_TO_VERIFY_LEAF_SIGNATURE/);
    setDefaultCACertificates([...getCACertificates(), readFileSync(join(tls, 'ca.crt'), 'utf8')]);
    assert.equal(String((await at('localhost')).body), 'sealed');
    await failing(at('127.0.0.1'), 'unreachable');
    assert.match(
      await failing(at('other.example', '127.0.0.1,other.example'), 'unreachable'),
      /ERR_TLS_CERT_ALTNAME_INVALID/,
    );
    await failing(ask(`https://127.0.0.1:${port}/`, { anyPort: true }, {}), 'forbidden');
  });

  test('rejects other schemes and URLs with passwords', async () => {
    for (const url of [
      'ftp://a.example/',
      'file:///etc/passwd',
      'secret',
      'http://',
      'http://me:secret@a.example/',
    ])
      await failing(ask(url), 'address');
  });
});

describe('redirects', () => {
  test('are returned unless following is requested', async () => {
    const url = await serving((_, answer) => answer.writeHead(302, { location: '/x' }).end('there'));
    const { status, headers, body } = await ask(url);
    assert.deepEqual([status, headers['location'], String(body)], [302, '/x', 'there']);
  });

  test('checks each hop, keeps a key to its origin, and stops loops', async () => {
    const keys: (string | undefined)[] = [];
    const other = await serving((request, answer) => {
      keys.push(request.headers['x-api-key'] as string | undefined);
      answer.end('there');
    });
    const to: Record<string, string> = {
      '/metadata': 'http://169.254.169.254/latest/meta-data/secret',
      '/mapped': 'http://[::ffff:10.0.0.1]/',
      '/scheme': 'file:///etc/passwd',
      '/user': `http://me:secret@${new URL(other).host}/`,
      '/circle': '/circle?secret',
      '/other': other,
      '/port': 'http://public.example:22/',
    };
    const url = await serving((request, answer) => {
      const [path = ''] = (request.url ?? '').split('?');
      keys.push(request.headers['x-api-key'] as string | undefined);
      answer.writeHead(302, { location: to[path] ?? '/metadata' }).end();
    });
    const at = (path: string) => ask(url + path, { redirects: 3, headers: { 'x-api-key': 'secret' } });
    await failing(at('/metadata'), 'forbidden');
    await failing(at('/mapped'), 'forbidden');
    await failing(at('/start'), 'forbidden');
    await failing(at('/port'), 'forbidden');
    await failing(at('/scheme'), 'address');
    await failing(at('/user'), 'address');
    await failing(at('/circle'), 'redirect');
    keys.length = 0;
    const answer = await at('/other');
    assert.deepEqual([String(answer.body), answer.url, keys], ['there', `${other}/`, ['secret', undefined]]);
    // A request with a body does not follow redirects to another URL.
    assert.equal((await ask(`${url}/other`, { redirects: 3, method: 'POST', body: 'x' })).status, 302);
  });
});

describe('malicious servers', () => {
  const quick = { firstByteMs: 100, totalMs: 300 };

  test('that never respond, or never finish', { timeout: 20_000 }, async () => {
    assert.match(await failing(ask(await speaking(() => {}), quick), 'timeout'), /did not respond/);
    const half = await speaking((socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: '));
    assert.match(await failing(ask(half, quick), 'timeout'), /did not respond/);
    const hints = await speaking((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    assert.match(await failing(ask(hints, quick), 'timeout'), /did not respond/);
    const dripping = await serving((_, answer) => {
      const timer = setInterval(() => answer.write('x'), 5);
      answer.on('close', () => clearInterval(timer));
    });
    assert.match(await failing(ask(dripping, quick), 'timeout'), /not complete/);
    const circle = await serving((_, answer) => answer.writeHead(302, { location: '/' }).end());
    assert.match(await failing(ask(circle, { ...quick, redirects: 1e9 }), 'timeout'), /not complete/);
    const lookup: LookupFunction = () => {};
    assert.match(
      await failing(ask('http://slow.example/', {}, { lookup, connectMs: 50 }), 'timeout'),
      /could not connect to/,
    );
    const [port] = [await listening(createRaw(() => {}))];
    const handshake = ask(`https://127.0.0.1:${port}/`, {}, { allowed: local, connectMs: 50 });
    assert.match(await failing(handshake, 'timeout'), /could not connect to/);
    const stopped = ask(dripping, { signal: AbortSignal.timeout(50) });
    await failing(stopped, 'aborted');
  });

  test('that send endless bodies, compression bombs and headers', async () => {
    const endless = await serving((_, answer) => {
      const more = (): void => {
        while (answer.writable && answer.write('x'.repeat(65_536)));
        answer.once('drain', more);
      };
      more();
    });
    await failing(ask(endless, { maxBytes: 1_000_000 }), 'too-long');
    const exact = await serving((_, answer) => answer.end('x'.repeat(1_000)));
    assert.equal((await ask(exact, { maxBytes: 1_000 })).body.length, 1_000);
    await failing(ask(exact, { maxBytes: 999 }), 'too-long');
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const packed = await serving((_, answer) =>
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    await failing(ask(packed, { maxBytes: 1_000_000 }), 'too-long');
    assert.equal((await ask(packed, { maxBytes: 50_000_000 })).body.length, 50_000_000);
    // Many empty gzip members: the input grows, but produces no output.
    const nothing = Buffer.concat(Array.from({ length: 500 }, () => gzipSync('')));
    const empty = await serving((_, answer) =>
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(nothing),
    );
    await failing(ask(empty, { maxBytes: 5_000 }), 'too-long');
    for (const lines of [`x: ${'secret'.repeat(5_000)}`, 'x-secret: y\r\n'.repeat(5_000).trim()]) {
      const long = await speaking((socket) => socket.write(`HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`));
      await failing(ask(long), 'too-long');
    }
  });

  test('that close early, or speak another protocol', async () => {
    const cut = await speaking((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nsecret'));
    await failing(ask(cut), 'broken');
    await failing(ask(await speaking((socket) => socket.end('SSH-2.0-secret\r\n'))), 'broken');
    await failing(ask(await speaking((socket) => socket.destroy())), 'broken');
    const odd = await serving((_, answer) =>
      answer.writeHead(200, { 'content-encoding': 'br' }).end('secret'),
    );
    await failing(ask(odd), 'broken');
    const bad = await serving((_, answer) =>
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end('secret'),
    );
    await failing(ask(bad), 'broken');
    await failing(ask(bad, { headers: { 'x-key': 'secret\r\n' } }), 'broken');
    const head = await serving((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end());
    assert.equal((await ask(head, { method: 'HEAD' })).status, 200);
  });
});

test('returns status, headers and body; reuses kept-alive connections, one per scheme', async () => {
  let connections = 0;
  const server = createServer(async (request, answer) => {
    let sent = '';
    for await (const chunk of request) sent += chunk;
    const { host, authorization, 'user-agent': agent } = request.headers;
    answer.writeHead(
      418,
      [
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ].flat(),
    );
    answer.end(
      JSON.stringify([request.method, request.url, host, authorization, /^linkfold/.test(agent ?? ''), sent]),
    );
  }).on('connection', () => (connections += 1));
  const url = `http://127.0.0.1:${await listening(server)}`;
  const outbound = createOutbound({ allowed: local, keep: 2 });
  const headers = { authorization: 'Bearer x', host: 'other.example' };
  for (let at = 0; at < 3; at += 1) {
    const answer = await outbound.request(`${url}/a?b=%20#c`, { method: 'POST', headers, body: 'sent' });
    assert.equal(answer.status, 418);
    assert.equal(answer.headers['set-cookie'], 'a=1, b=2');
    assert.deepEqual(JSON.parse(String(answer.body)), [
      ...['POST', '/a?b=%20', new URL(url).host, 'Bearer x', true, 'sent'],
    ]);
  }
  assert.equal(connections, 1);
  await failing(outbound.request(url.replace('http:', 'https:')), 'unreachable');
  assert.equal(connections, 2);
  outbound.close();
});
