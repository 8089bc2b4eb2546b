// Tests the effect of hostile clients on other clients. The numbers are small by default, and LINKFOLD_COUNT makes them
// large.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, type TestContext, test } from 'node:test';
import { answersIn, atMost, converse, faultIn } from '../support/http/wire.ts';
import type { Flooded } from '../support/load/flood.ts';
import { type Kind, openLoop, prepareRequests, show, streamsAt } from '../support/load/measure.ts';
import { effort, sleep } from '../support/random/random.ts';
import { as, call, type Server, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

process.setMaxListeners(0);

const { count } = effort(300);
const maxConnections = Math.max(1_500, 2 * count + 500);
const idleConnections = maxConnections - 300;
const mebibyte = 1_048_576;
/** Connections are opened gradually. Thousands at once would block both event loops for a long time. */
const opensPerSecond = 2_500;

/**
 * A request may take 15 seconds, and the server checks this once a second. The remaining time is for a busy machine.
 */
const slowestMs = 15_000 + 10_000;

/** Milliseconds after a flood within which new connections must be accepted. */
const roomWithinMs = 5_000;

/**
 * Number of visitors that connect during a pause of `pauseMs`. A client that the system rejects retries after a second.
 */
const arrivals = 1_200;
const pauseMs = 150;
const synAgainMs = 1_000;
const somaxconn = '/proc/sys/net/core/somaxconn';
const maxArrivals = existsSync(somaxconn) ? Number(readFileSync(somaxconn, 'utf8')) : 0;

/** Number of clients that send a new request after each response. */
const herd = 1_400;
const herdMs = 4_000;

const openFiles = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
/**
 * Returns why a test is skipped, or false if enough files may be open. Each connection needs a socket in the client's
 * process and one in the server's.
 */
function needs(files: number): string | false {
  return (
    openFiles < files + 500 &&
    `SKIPPED: ${files} connections require an open-file limit higher than ${openFiles}`
  );
}

/** Returns a process's resident memory in bytes. */
function memoryOf(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

interface Attacker {
  readonly socket: Socket;
  text: string;
  closedAfter: number | undefined;
}

const opened = new Set<Socket>();

/** Opens a connection. Records when it ends, and the data that it receives unless `reads` is false. */
function attack(port: number, first = '', reads = true): Attacker {
  const begun = performance.now();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const one: Attacker = { socket, text: '', closedAfter: undefined };
  opened.add(socket);
  if (reads) socket.on('data', (chunk) => (one.text += chunk.toString('latin1')));
  socket.on('error', () => {});
  socket.on('close', () => {
    one.closedAfter = performance.now() - begun;
    opened.delete(socket);
  });
  if (first !== '') socket.write(first);
  return one;
}

describe('hostile clients', () => {
  let server: Server;
  let requests: Readonly<Record<Kind, readonly string[]>>;
  let auth: string;

  before(async () => {
    // The young generation of the heap is small, so that growth shows retained memory instead of uncollected garbage.
    const env = { MAX_CONNECTIONS: String(maxConnections), NODE_OPTIONS: '--max-semi-space-size=2' };
    server = await startServer(env);
    requests = await prepareRequests(server, 120);
    auth = `Host: a\r\nAuthorization: Bearer ${(await server.newKey()).key}\r\n`;
  });
  after(() => server.stop());
  afterEach(() => {
    for (const socket of opened) socket.destroy();
  });

  const filesOf = (): number => readdirSync(`/proc/${server.child.pid}/fd`).length;

  const goodTraffic = (seconds: number, begin = () => {}): ReturnType<typeof openLoop> => {
    const streams = streamsAt(requests, { redirect: 200, read: 40, write: 20 });
    const pools = { redirect: 16, api: 16 };
    return openLoop({ port: server.port, pools, stages: [{ seconds, streams }] }, begin);
  };

  /** Opens connections at an even rate. After a delay, it does not open a burst of connections to catch up. */
  const openEvenly = (t: TestContext, most: number, open: (index: number) => void): Promise<void> => {
    const everyMs = 20;
    const each = (opensPerSecond * everyMs) / 1_000;
    let index = 0;
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        for (const end = Math.min(most, index + each); index < end; index += 1) open(index);
        if (index < most) return;
        clearInterval(timer);
        resolve();
      }, everyMs);
      t.after(() => clearInterval(timer));
    });
  };

  /**
   * Waits until there is room for new connections after a flood.
   * @returns the time in ms
   */
  const untilThereIsRoom = async (): Promise<number> => {
    const isReady = async (): Promise<boolean> =>
      (await call(server, 'GET', '/readyz').catch(() => undefined))?.status === 200;
    const tookMs = await until('the server accepts new connections', isReady, { withinMs: roomWithinMs });
    assert.ok(tookMs < roomWithinMs, `no new connections accepted for ${tookMs} ms`);
    return tookMs;
  };

  /** Sends legitimate traffic during an attack. All of its requests must succeed. */
  const unharmed = async (t: TestContext, seconds: number, begin: () => void): Promise<void> => {
    const [during = {}] = await goodTraffic(seconds, begin);
    t.diagnostic(show(during));
    for (const [name, { due, good }] of Object.entries(during))
      assert.ok(good >= 0.9 * due, `${due - good} of ${due} ${name} requests were not answered`);
    assert.equal(server.child.exitCode ?? server.child.signalCode, null, 'the process exited');
  };

  test(`closes ${count} that send slowly within about 15 seconds`, { skip: needs(count) }, async (t) => {
    const whole = `GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`;
    const kinds = {
      'nothing at all': { first: '', more: '' },
      'a header, letter by letter': { first: 'GET / HTTP/1.1\r\nX: ', more: 'a' },
      'header after header': { first: 'GET / HTTP/1.1\r\n', more: 'X: a\r\n' },
      'a second request, letter by letter': { first: `${whole}GET / HTTP/1.1\r\nX: `, more: 'a' },
      'a body, letter by letter': {
        first: `POST /api/v1/shorten HTTP/1.1\r\n${auth}Content-Length: 1000\r\n\r\n`,
        more: 'a',
      },
      'a body in chunks': {
        first: `POST /api/v1/shorten HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\n`,
        more: '1\r\na\r\n',
      },
      'a body that no handler wants': {
        first: 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n',
        more: '',
      },
      'a huge body that no handler wants': {
        first: 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n',
        more: 'aaaa',
      },
    };
    const attackers: (Attacker & { kind: string })[] = [];
    let all: Promise<void> | undefined;
    await unharmed(t, 12, () => {
      const ways = Object.entries(kinds);
      all = openEvenly(t, count, (index) => {
        const [kind, { first, more }] = ways[index % ways.length] as (typeof ways)[0];
        attackers.push(Object.assign(attack(server.port, first), { kind, more }));
      });
      const drip = setInterval(() => {
        for (const one of attackers) {
          const { more } = one as unknown as { more: string };
          if (one.closedAfter === undefined && more !== '') one.socket.write(more);
        }
      }, 1_000);
      t.after(() => clearInterval(drip));
    });
    await all;
    const lastOpened = performance.now();
    const isLeft = ({ closedAfter }: Attacker): boolean => closedAfter === undefined;
    while (attackers.some(isLeft) && performance.now() - lastOpened < slowestMs) await sleep(100);
    const left = attackers.filter(isLeft);
    for (const { socket } of left) socket.destroy();
    assert.deepEqual(
      [...new Set(left.map(({ kind }) => kind))],
      [],
      `${left.length} connections are still open`,
    );
    for (const { kind, text } of attackers.filter(({ kind: one }) => one.includes('letter'))) {
      assert.match(text, /HTTP\/1\.1 408 [\s\S]*"REQUEST_TIMEOUT"/, kind);
    }
  });

  test('cuts off an endless body after its error, with or without a key, on any path', async (t) => {
    const bodies = {
      declared: 'Content-Length: 1000000000\r\n',
      chunked: 'Transfer-Encoding: chunked\r\n',
      compressed: 'Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n',
    };
    const places = ['POST /api/v1/shorten', 'POST /api/v1/nowhere', 'POST /abc', 'GET /abc', 'GET /healthz'];
    const cases = Object.entries(bodies).flatMap(([kind, headers]) =>
      places.flatMap((place) =>
        [auth, 'Host: a\r\n'].map((first) => ({ kind, head: `${place} HTTP/1.1\r\n${first}${headers}\r\n` })),
      ),
    );
    const piece = Buffer.alloc(64 * 1_024, 0x61);
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]);
    /** @returns the number of sent bytes, and whether the connection was closed */
    const flood = async ({ kind, head }: (typeof cases)[0]): Promise<[number, boolean]> => {
      const one = attack(server.port, head);
      const wire = kind === 'declared' ? piece : chunk;
      let closed = false;
      one.socket.on('close', () => (closed = true));
      while (!closed && one.socket.bytesWritten < 64 * mebibyte) {
        if (!one.socket.write(wire)) {
          await new Promise((resolve) => {
            one.socket.once('drain', resolve).once('close', resolve);
          });
        } else await sleep(0);
      }
      for (const begun = performance.now(); !closed && performance.now() - begun < 2_000; ) await sleep(10);
      one.socket.destroy();
      assert.match(one.text.slice(0, 12), /^$|^HTTP\/1\.1 (200|4\d\d)/, head);
      return [one.socket.bytesWritten, closed];
    };
    const rounds = Math.max(4, Math.round(count / cases.length));
    const all = Array.from({ length: rounds }, () => cases).flat();
    await atMost(10, cases, flood);
    const memory = memoryOf(server.child.pid);
    const outcomes = await atMost(10, all, flood);
    const growth = memoryOf(server.child.pid) - memory;
    const most = Math.max(...outcomes.map(([sent]) => sent));
    t.diagnostic(`${all.length} bodies; at most ${(most / 1e6).toFixed(1)} MB of one could be sent`);
    t.diagnostic(`memory grew by ${(growth / mebibyte).toFixed(1)} MiB`);
    assert.ok(outcomes.every(([, closed]) => closed));
    // The most that the client's and the server's network buffers can hold.
    assert.ok(most < 24 * mebibyte, `${most} bytes of one body could be sent`);
    // The memory allocator accounts for a few mebibytes. All request bodies together would exceed the limit.
    assert.ok(growth < Math.max(32, (5 * all.length) / 100) * mebibyte, `${growth} bytes`);
  });

  test('flood of connections: closes those above the limit, and accepts new ones afterwards', async (t) => {
    const flood: Attacker[] = [];
    const wanted = 2 * maxConnections;
    let all: Promise<void> | undefined;
    await unharmed(t, 1 + wanted / opensPerSecond, () => {
      all = openEvenly(t, wanted, () => flood.push(attack(server.port)));
    });
    await all;
    const closed = (): number => flood.filter(({ closedAfter }) => closedAfter !== undefined).length;
    // The operating system buffers the last connections until the server accepts them.
    for (const begun = performance.now(); performance.now() - begun < 2_000; await sleep(50)) {
      if (flood.length - closed() <= maxConnections) break;
    }
    t.diagnostic(`${closed()} of ${flood.length} connections were closed at once`);
    assert.ok(flood.length - closed() <= maxConnections, 'more than MAX_CONNECTIONS are open');
    assert.ok(closed() > 0, 'the flood was too small');
    for (const { socket } of flood) socket.destroy();
    await untilThereIsRoom();
  });

  test('accepts connections made while the process is stopped, without a retry', {
    skip: arrivals > maxArrivals && `SKIPPED: the system queues at most ${maxArrivals} connections`,
  }, async (t) => {
    const visitors: Attacker[] = [];
    const begun = performance.now();
    server.child.kill('SIGSTOP');
    for (let count = 0; count < arrivals; count += 1)
      visitors.push(attack(server.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'));
    await sleep(pauseMs);
    server.child.kill('SIGCONT');
    const isAnswered = ({ text }: Attacker): boolean => text.startsWith('HTTP/1.1 200');
    while (performance.now() - begun < synAgainMs && !visitors.every(isAnswered)) await sleep(10);
    const answered = visitors.filter(isAnswered).length;
    t.diagnostic(`${answered} of ${arrivals} answered after ${Math.round(performance.now() - begun)} ms`);
    assert.equal(answered, arrivals);
  });

  test('connections as fast as possible: no crash, no more than the limit, new ones accepted at once afterwards', {
    skip: needs(maxConnections),
  }, async (t) => {
    const forMs = count < 5_000 ? 1_500 : 60_000;
    const before = filesOf();
    let maxFiles = 0;
    const looking = setInterval(() => (maxFiles = Math.max(maxFiles, filesOf())), 100);
    t.after(() => clearInterval(looking));
    const args = [server.port, forMs, maxConnections + 400].map(String);
    const child = fork(join(import.meta.dirname, '../support/load/flood.ts'), args);
    t.after(() => child.kill('SIGKILL'));
    const [flooded] = (await once(child, 'message')) as [Flooded];
    await once(child, 'exit');
    const ready = await untilThereIsRoom();
    const { opened, closed } = flooded;
    t.diagnostic(
      `${opened} connections, ${Math.round((1_000 * opened) / forMs)} a second, ${closed} of them closed; ` +
        `at most ${maxFiles} open files; new connections accepted after ${Math.round(ready)} ms`,
    );
    assert.equal(server.child.exitCode ?? server.child.signalCode, null, 'the process exited');
    assert.ok(opened > 2 * maxConnections && closed > maxConnections, 'the flood was too small');
    // In each tick, the server accepts all waiting connections before it closes those above the limit.
    assert.ok(
      maxFiles <= before + maxConnections + 1_000,
      `${maxFiles} open files, ${before} of them before the flood`,
    );
  });

  for (const [what, head] of [
    ['unknown codes', 'GET /unknown HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['probes', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['lists', 'GET /api/v1/links HTTP/1.1\r\nHost: a\r\n\r\n'],
  ] as const) {
    test(`delays no visitor while ${herd} connections request ${what} again as soon as they are answered`, {
      skip: needs(herd),
    }, async (t) => {
      const before = filesOf();
      const args = [server.port, herdMs, herd, head].map(String);
      const child = fork(join(import.meta.dirname, '../support/load/herd.ts'), args);
      t.after(() => child.kill('SIGKILL'));
      await once(child, 'message');
      child.send('go on');
      const ended = once(child, 'message');
      const visit = requests.redirect[0] as string;
      let visits = 0;
      for (const begun = performance.now(); performance.now() - begun < herdMs; visits += 1) {
        const { text } = await converse(server.port, [visit], {
          enough: (text) => text.includes('\r\n\r\n'),
        });
        assert.match(text, /^HTTP\/1\.1 302 /, 'a visitor was not redirected');
      }
      const [{ answers }] = (await ended) as [{ answers: number }];
      t.diagnostic(`${answers} answers, ${visits} visits`);
      assert.ok(answers > 2 * herd, 'the herd hardly repeated its requests');
      await until('all connections are closed', () => filesOf() < before + 100, { withinMs: roomWithinMs });
    });
  }

  test(`serves other clients without delay with ${idleConnections} idle connections`, {
    skip: needs(idleConnections),
  }, async (t) => {
    const memory = memoryOf(server.child.pid);
    const idle: Attacker[] = [];
    let all: Promise<void> | undefined;
    await unharmed(t, 2 + idleConnections / opensPerSecond, () => {
      all = openEvenly(t, idleConnections, () =>
        idle.push(attack(server.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')),
      );
    });
    await all;
    await sleep(500); // Waits for the last responses.
    const each = (memoryOf(server.child.pid) - memory) / idle.length;
    const answered = idle.filter(({ text }) => text.startsWith('HTTP/1.1 200')).length;
    t.diagnostic(`${answered} of ${idle.length} were answered; ${(each / 1_024).toFixed(1)} KiB each`);
    assert.equal(answered, idleConnections);
    assert.ok(idle.every(({ closedAfter }) => closedAfter === undefined));
    assert.ok(each < 64 * 1_024, `${each} bytes per connection`);
    for (const { socket } of idle) socket.destroy();
  });

  test('answers a thousand pipelined requests in order, or closes the connection', async () => {
    const to = (target: string): string => `GET ${target} HTTP/1.1\r\n${auth}\r\n`;
    for (const target of ['/healthz', '/unknown-code', '/api/v1/me', '/api/v1/links?limit=100']) {
      const last = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
      const { text, closed } = await converse(server.port, [to(target).repeat(999), last]);
      const answers = answersIn(text);
      assert.ok(closed, `${target}: ${answers.length} answers, and the connection stayed open`);
      assert.ok(answers.length <= 1_000);
      for (const answer of answers) assert.equal(faultIn(answer), undefined, target);
    }
  });

  test('uses little memory for a client that requests a lot and reads nothing', async (t) => {
    const memory = memoryOf(server.child.pid);
    const lists = `GET /api/v1/links?limit=100 HTTP/1.1\r\n${requests.list[0]?.split('\r\n').slice(1).join('\r\n')}`;
    const pages = 'GET /unknown-code HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n';
    const readers: Attacker[] = [];
    await unharmed(t, 2.5, () => {
      for (let index = 0; index < 40; index += 1) {
        const one = attack(server.port, '', false);
        one.socket.pause();
        one.socket.write((index % 2 === 0 ? lists : pages).repeat(100));
        readers.push(one);
      }
    });
    const growth = memoryOf(server.child.pid) - memory;
    t.diagnostic(`memory grew by ${(growth / mebibyte).toFixed(1)} MiB`);
    assert.ok(growth < 64 * mebibyte, `${growth} bytes`);
    for (const { socket } of readers) socket.destroy();
  });

  test('does not accumulate pipelined requests', async (t) => {
    const memory = memoryOf(server.child.pid);
    const ahead = Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_500));
    let maxGrowth = 0;
    let isOver = false;
    for (let index = 0; index < 40; index += 1) {
      const { socket } = attack(server.port, '', false);
      socket.resume();
      const go = (): void => {
        if (!isOver && !socket.destroyed) socket.write(ahead, go);
      };
      go();
    }
    for (const begun = performance.now(); performance.now() - begun < 3_000; await sleep(20)) {
      maxGrowth = Math.max(maxGrowth, memoryOf(server.child.pid) - memory);
    }
    isOver = true;
    t.diagnostic(`memory grew by ${(maxGrowth / mebibyte).toFixed(1)} MiB`);
    assert.ok(maxGrowth < 256 * mebibyte, `${maxGrowth} bytes`);
  });

  test('never answers a smuggled request', async () => {
    const api = as(server, auth.split('Bearer ')[1]?.trim() ?? '');
    const { id, shortCode } = (await api.post('/api/v1/shorten', { url: 'https://example.com/' })).json.data;
    const hidden = `GET /${shortCode} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const chunked = 'Transfer-Encoding: chunked\r\n';
    const length = `Content-Length: ${hidden.length + 5}\r\n`;
    const heads: readonly (readonly [string, string])[] = [
      [`${length}${chunked}`, `0\r\n\r\n${hidden}`],
      [`${chunked}${length}`, `0\r\n\r\n${hidden}`],
      [`Content-Length: 0\r\n${chunked}`, hidden],
      [`Content-Length: 0\r\n${length}`, hidden],
      [`Content-Length: 0, ${hidden.length}\r\n`, hidden],
      [`Content-Length : ${hidden.length}\r\n`, hidden],
      [`Content-Length: +${hidden.length}\r\n`, hidden],
      [`Content-Length: ${hidden.length}`.concat('\n\r\n'), hidden],
      [`Transfer-Encoding : chunked\r\n${length}`, `0\r\n\r\n${hidden}`],
      [`Transfer-Encoding: xchunked\r\n${length}`, `0\r\n\r\n${hidden}`],
      [`Transfer-Encoding: chunked, identity\r\n`, `0\r\n\r\n${hidden}`],
      [`Transfer-Encoding:\x0bchunked\r\n${length}`, `0\r\n\r\n${hidden}`],
      [`X: a\r\n ${chunked}${length}`, `0\r\n\r\n${hidden}`],
      [`X: a\n${chunked}${length}`, `0\r\n\r\n${hidden}`],
      [`X: a\r${chunked}${length}`, `0\r\n\r\n${hidden}`],
      [`X: \0${chunked}${length}`, `0\r\n\r\n${hidden}`],
      [chunked, `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
      [chunked, `-1\r\n${hidden}`],
      [chunked, `0x0\r\n\r\n${hidden}`],
      [chunked, `00000000000000000000\n\n${hidden}`],
      [chunked, `ffffffffffffffff1\r\n${hidden}`],
      [chunked, `1;${'x'.repeat(17_000)}\r\n${hidden}`],
      [`Content-Length: ${hidden.length}\r\n`, hidden],
      [`Upgrade: h2c\r\nConnection: Upgrade\r\n`, hidden],
      [`Expect: 100-continue\r\nContent-Length: ${hidden.length}\r\n`, hidden],
    ];
    for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS']) {
      for (const path of ['/unknown-code', '/api/v1/shorten', '/healthz']) {
        await atMost(5, heads, async ([headers, body]) => {
          const sent = `${method} ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`;
          const { text } = await converse(server.port, [sent], { end: true });
          const what = JSON.stringify(sent);
          assert.ok(!text.includes('https://example.com/'), `${what}\n${text}`);
          const [, ...more] = answersIn(text, { head: method === 'HEAD' });
          // Data after the request may be rejected as malformed HTTP, but must have no other effect.
          assert.ok(
            more.every(({ status }) => status === 400),
            `${what}\n${text}`,
          );
        });
      }
    }
    await converse(server.port, [`CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`], { end: true });
    await converse(server.port, [`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`], { end: true });
    await converse(server.port, [`GET /${shortCode}\r\n${hidden}`], { end: true });
    assert.equal((await api.get(`/api/v1/links/${id}`)).json.data.clicks, 0);
  });
});
