import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { engines } from '../../../test/support/postgres/databases.ts';
import { checkAfter, type Finding } from '../../model/links/destination-checks.ts';
import { storedFlag } from '../../model/links/link-field-values.ts';
import type { Storage } from '../../model/storage.ts';
import { openStorage } from '../../storage/open.ts';
import { newLink } from '../../storage/storage.fixtures.ts';
import { readAllowed } from '../outbound/allowed.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { createDestinationCheck } from './check.ts';
import { createHostRateLimiter, everyMs } from './host-rate-limiter.ts';
import { createDestinationMonitor } from './monitor.ts';
import { titleIn } from './titles.ts';

const hour = 3_600_000;
const t0 = Date.UTC(2027, 0, 1);
const good: Finding = { problem: null, notice: null, status: 200, redirects: 0, certificateEndsAt: null };
const bad: Finding = { ...good, problem: 'not-found', status: 404 };

const html = { 'content-type': 'text/html; charset=utf-8' };
/** The site's robots.txt, if any. */
let robots: string | undefined;
const missing: RequestListener = (_request, response) => response.writeHead(404).end('x'.repeat(300_000));
const pages: Readonly<Record<string, RequestListener>> = {
  '/robots.txt': (_request, response) =>
    robots === undefined ? missing(_request, response) : response.writeHead(200).end(robots),
  '/fine': (_request, response) => response.writeHead(200, html).end('<title>A &amp; B\n page</title>'),
  '/gone': (_request, response) => response.writeHead(410).end(),
  '/broken': (_request, response) => response.writeHead(503).end(),
  '/get-only': ({ method }, response) => response.writeHead(method === 'HEAD' ? 405 : 200).end('x'),
  '/no-head': ({ method, socket }, response) =>
    void (method === 'HEAD' ? socket.destroy() : response.writeHead(200).end('x')),
  '/keeps-out': (_request, response) => response.writeHead(403).end(),
  '/endless': (_request, response) => {
    response.writeHead(200, html);
    const write = (): void => {
      if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(write));
    };
    write();
  },
  '/long-way': (request, response) => {
    const left = Number(new URL(request.url ?? '', 'http://x').searchParams.get('n'));
    if (left === 0) response.writeHead(200).end();
    else response.writeHead(302, { location: `/long-way?n=${left - 1}` }).end();
  },
};

describe('checking destinations', () => {
  let server: Server;
  let origin: string;
  const requests: { method: string; url: string; agent: string }[] = [];
  before(async () => {
    server = createServer((request, response) => {
      const { method = '', url = '' } = request;
      if (url !== '/robots.txt') requests.push({ method, url, agent: String(request.headers['user-agent']) });
      (pages[url.split('?', 1)[0] ?? ''] ?? missing)(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const checkerFor = (allowed: string) =>
    createDestinationCheck({
      outbound: createOutbound({ allowed: readAllowed(allowed), connectMs: 2_000 }),
      now: () => t0,
      origin: () => 'https://go.example.com',
    });

  test('respects robots.txt rules for the agent, and ignores rules for others', async () => {
    robots = [
      'User-agent: *\nDisallow: /',
      'User-agent: somebody\nUser-agent: linkfold-watch # us\nDisallow: /private\nAllow: /private/fine\nDisallow: /*.pdf$',
    ].join('\n');
    const check = checkerFor('127.0.0.0/8');
    const seen = requests.length;
    const states = [];
    for (const path of ['/keeps-out', '/private', '/private/x?y', '/private/fine', '/a/b.pdf', '/a/b.pdf?x'])
      states.push((await check(origin + path, false)) !== undefined);
    assert.deepEqual(states, [true, false, false, true, false, true]);
    assert.ok(requests.slice(seen).every(({ url }) => url !== '/private' && url !== '/a/b.pdf'));
    robots = undefined;
    assert.equal(await check(`${origin}/private`, false), undefined, 'it is checked once a day');
    assert.ok(await checkerFor('127.0.0.0/8')(`${origin}/private`, false));
  });

  test('distinguishes working and failing destinations and the reason, with few requests', async () => {
    const check = checkerFor('127.0.0.0/8, *.invalid');
    const found = async (path: string) => {
      const { problem, status, notice, redirects } = (await check(origin + path, false)) ?? assert.fail();
      return [problem, status, notice, redirects];
    };
    assert.deepEqual(await found('/fine'), [null, 200, null, 0]);
    assert.deepEqual(await found('/gone'), ['gone', 410, null, 0]);
    assert.deepEqual(await found('/missing'), ['not-found', 404, null, 0]);
    assert.deepEqual(await found('/broken'), ['server-error', 503, null, 0]);
    assert.deepEqual(await found('/get-only'), [null, 200, null, 0]);
    assert.deepEqual(await found('/no-head'), [null, 200, null, 0]);
    assert.deepEqual(await found('/keeps-out'), [null, 403, null, 0]);
    assert.deepEqual(await found('/long-way?n=5'), [null, 200, 'redirects', 5]);
    assert.deepEqual(await found('/long-way?n=4'), [null, 200, null, 4]);
    const problemAt = async (url: string) => (await check(url, false))?.problem;
    assert.equal(await problemAt('http://no-such-host.invalid/'), 'dns');
    assert.equal(await problemAt('http://127.0.0.1:9/'), 'unreachable');
    assert.equal(await problemAt(origin.replace('http:', 'https:')), 'tls');
    assert.equal(
      await checkerFor('')(`${origin}/fine`, false),
      undefined,
      'a forbidden destination is not reported',
    );
    const name = /^Mozilla.*Linkfold-Watch\/.*\+https:\/\/go\.example\.com\)$/;
    assert.ok(requests.every(({ agent }) => name.test(agent)));
    const methods = requests.filter(({ url }) => url === '/fine').map(({ method }) => method);
    assert.deepEqual(methods, ['HEAD']);
  });

  test('reads titles from the first 64 kB of a page, as one line', async () => {
    const check = checkerFor('127.0.0.0/8');
    assert.equal((await check(`${origin}/fine`, true))?.title, 'A & B page');
    assert.deepEqual(await check(`${origin}/endless`, true), { ...good, title: undefined });
  });
});

test('reads titles in every charset, past comments and scripts, with all named entities', async () => {
  const privet = '<title>\xcf\xf0\xe8\xe2\xe5\xf2</title>';
  const utf8 = (text: string) => Buffer.from(text).toString('latin1');
  const cases: readonly (readonly [body: string, title: string | undefined, type?: string])[] = [
    ['<TITLE lang=x>Caf\xe9</title>', 'Café', 'text/html; charset=iso-8859-1'],
    [`<meta charset="windows-1251">${privet}`, 'Привет'],
    [`<META content='text/html; charset=windows-1251' http-equiv=content-type>${privet}`, 'Привет'],
    [`<!-- <meta charset="koi8-r"> --><meta charset=windows-1251>${privet}`, 'Привет'],
    [`<meta charset="windows-1251">${utf8('<title>Größe</title>')}`, 'Größe', 'text/html; charset=utf-8'],
    [`<meta charset="utf-16">${utf8('<title>Größe</title>')}`, 'Größe'],
    [`<meta charset="utf-99">${utf8('<title>Größe</title>')}`, 'Größe'],
    [`\xef\xbb\xbf${utf8('<title>Größe</title>')}`, 'Größe'],
    ['\xff\xfe<\0t\0i\0t\0l\0e\0>\0A\0<\0/\0t\0i\0t\0l\0e\0>\0', 'A'],
    [privet, undefined],
    ['<title>Caf\xe9</title>', undefined, 'text/html; charset=utf-99'],
    ['<!-- <title>No</title> --><title>Yes</title>', 'Yes'],
    ['<!--><title>Yes</title>', 'Yes'],
    ['<script>"<title>No</title>"</script><svg><title>No</title></svg><title\n>Yes</title >', 'Yes'],
    ['<titles>No</titles><title>Yes</title>', 'Yes'],
    [
      '<title>Bob&rsquo;s &eacute;t&eacute; &hellip; &CounterClockwiseContourIntegral;</title>',
      'Bob’s été … ∳',
    ],
    ['<title>&#x41;&#66;&bogus;&#0;&#xd800; R&ampD</title>', 'AB&bogus; R&D'],
    ['<title>gpj.\u202e&#x202e;exe</title>', 'gpj.exe'],
    ['<title></title>', undefined],
    ['<title>no page</title>', undefined, 'application/json'],
    [`<title>${'x'.repeat(3_000)}</title>`, 'x'.repeat(255)],
    ['<title'.repeat(10_000), undefined],
    ['<svg>'.repeat(10_000), undefined],
    ['<!--'.repeat(10_000), undefined],
    ['<'.repeat(65_536), undefined],
  ];
  for (const [body, title, type = 'text/html'] of cases) {
    const bytes = Buffer.from(body, body.includes('\u202e') ? 'utf8' : 'latin1');
    assert.equal(await titleIn({ headers: { 'content-type': type }, body: bytes }), title, body.slice(0, 80));
  }
});

test('marks a destination as failing after two failures an hour apart, and as recovered when it works', () => {
  let check = checkAfter(undefined, good, t0);
  const states: string[] = [check.state];
  for (const [finding, hours] of [
    [bad, 1],
    [bad, 1.5],
    [good, 1.6],
    [bad, 2],
    [bad, 3],
    [bad, 9],
    [good, 10],
    [good, 48],
    [good, 240],
  ] as const) {
    check = checkAfter(check, finding, t0 + hours * hour);
    states.push(check.state);
  }
  const [fine, suspect, failing, recovered] = ['fine', 'suspect', 'failing', 'recovered'];
  assert.deepEqual(states, [
    ...[fine, suspect, suspect, fine, suspect, failing, failing, recovered, recovered, fine],
  ]);
});

test('checks a host every five seconds, and repeated ones separately', () => {
  const pace = createHostRateLimiter();
  assert.deepEqual(
    [
      pace.reserveTurn('a', t0),
      pace.reserveTurn('a', t0),
      pace.reserveTurn('b', t0),
      pace.reserveTurn('a', t0 + 3 * everyMs),
    ],
    [t0, t0 + everyMs, t0, t0 + 3 * everyMs],
  );
  const later = Array.from({ length: 1_000 }, () => pace.reserveReturn('a', t0));
  assert.equal(new Set(later).size, 1_000);
  for (let at = 0; at < 9_000; at += 1) pace.reserveTurn(`host ${at}`, t0 + at * everyMs);
  assert.ok(pace.size() < 10, 'past turns are forgotten');
  pace.reserveTurn('a clock', t0 + 365 * 24 * hour);
  assert.equal(pace.reserveTurn('a clock', t0), t0, 'a clock that was set back delays no check');
});

for (const engine of engines) {
  describe(`destination monitoring on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    let storage: Storage;
    let url: string;
    before(async () => {
      url = await engine.newDatabase();
      storage = await openStorage(url);
    });
    after(async () => {
      await storage.close();
      await engine.drop(url);
    });

    test('checks links when due; stores and lists the result, and deletes it with the destination', async () => {
      let now = t0;
      const broken = new Set(['https://gone.example/']);
      const seen: string[] = [];
      const watch = createDestinationMonitor({
        storage,
        async checkDestination(destination, wantsTitle) {
          seen.push(destination);
          const title = wantsTitle ? `Title of ${destination}` : undefined;
          return { ...(broken.has(destination) ? bad : good), title };
        },
        fetchTitles: true,
        now: () => now,
        chance: () => 0.5,
        async pause(ms) {
          now += ms;
        },
      });
      const account = (await storage.createAccount('mine', t0))?.id ?? 0;
      const other = (await storage.createAccount('other', t0))?.id ?? 0;
      const make = async (code: string, destination: string, fields = {}) =>
        (await storage.createLink(account, newLink(code, { destination, createdAt: t0, ...fields }))).id;
      const fine = await make('fine', 'https://fine.example/', { title: 'Mine' });
      const gone = await make('gone', 'https://gone.example/');
      const off = await make('off', 'https://off.example/', {
        checkDestination: storedFlag('checkDestination', false),
      });
      const dead = await make('dead', 'https://dead.example/');
      await storage.deleteLink(account, dead, t0);
      const many = Array.from({ length: 9 }, (_, at) => `https://many.example/${at}`);
      for (const [at, destination] of many.entries()) await make(`many-${at}`, destination);

      const round = async (): Promise<void> => {
        for (let end: number | undefined = 0; end !== undefined; ) end = await watch.slice(end);
      };
      const states = async (accountId = account) => {
        const found = await storage.destinationChecks(accountId, [fine, gone, off, dead]);
        return [fine, gone, off, dead].map((id) => found.get(id)?.state);
      };
      const titleOf = async (id: string) => (await storage.link(account, id))?.link.title;
      const filter = { folder: { kind: 'all' }, words: [], destination: 'failing' } as const;
      const page = { sort: 'createdAt', order: 'desc', limit: 9, offset: 0, total: 'always' } as const;
      const listed = async () =>
        (await storage.findLinks(account, { ...filter, ...page, now })).links.map(({ link }) => link.id);

      assert.equal(await watch.hasWork(), true);
      await round();
      assert.deepEqual(await states(), ['fine', 'suspect', undefined, undefined]);
      assert.deepEqual(await states(other), Array(4).fill(undefined), 'other accounts see nothing');
      const turns = () => seen.filter((one) => many.includes(one));
      assert.equal(turns().length, 6, 'a slice checks a host six times');
      assert.ok(!seen.includes('https://off.example/') && !seen.includes('https://dead.example/'));
      assert.deepEqual(
        [await titleOf(fine), await titleOf(gone)],
        ['Mine', 'Title of https://gone.example/'],
      );
      assert.deepEqual(await listed(), []);

      now += 2 * hour;
      await round();
      assert.equal((await states())[1], 'failing');
      assert.equal(new Set(turns()).size, 9, 'the others were checked later');
      assert.deepEqual(await listed(), [gone]);
      assert.equal(watch.stats().failing, 1);
      const to = (destination: string) =>
        storage.updateLink(account, gone, { destination, location: destination }, now);
      await to('https://fine.example/b');
      assert.deepEqual(await listed(), []);
      await to('https://gone.example/');
      assert.deepEqual(await listed(), [gone]);

      broken.clear();
      now += 7 * hour;
      await round();
      assert.equal((await states())[1], 'recovered');
      assert.deepEqual(await listed(), []);
      assert.equal(watch.stats().failing, 0);
      assert.equal(await watch.hasWork(), false, 'an idle service writes nothing');

      await storage.setAccount(account, { watchDestinations: false }, now);
      seen.length = 0;
      now += 26 * hour;
      await storage.createLink(
        other,
        newLink('theirs', { destination: 'https://theirs.example/', createdAt: now }),
      );
      await round();
      assert.deepEqual(seen, ['https://theirs.example/'], 'none of an account with monitoring disabled');
      await storage.setAccount(account, { watchDestinations: true }, now);
      now += 26 * hour;
      await round();
      assert.ok(seen.includes('https://fine.example/') && !seen.includes('https://off.example/'));
    });
  });
}
