import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { constants, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { startDns } from '../support/dns/dns-server.ts';
import { pebbleTrust, startPebble, whyNoPebble } from '../support/http/pebble.ts';
import { freePort, freePorts } from '../support/http/ports.ts';
import { testEngine } from '../support/postgres/databases.ts';
import { as, call, endServers, startServer, temporaryFolder } from '../support/server/server.ts';
import { untilReplaced, workersOf } from '../support/server/workers.ts';
import { until } from '../support/until.ts';

after(endServers);
const timeout = 180_000;
const keys = join(import.meta.dirname, '..', 'tls');
const skip = whyNoPebble() ?? false;

/** Server for tests that only send requests. The last test stops it. */
let files: Awaited<ReturnType<typeof startWithFiles>>;
before(async () => {
  files = await startWithFiles();
});

interface Answered {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  /** Local port of the connection on which the request was sent. */
  readonly connection: number | undefined;
}

function ask(port: number, path: string, options = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, agent: false, ...options }, (answer) => {
      const { statusCode: status, headers, socket } = answer;
      const connection = socket.localPort;
      answer.resume().once('end', () => resolve({ status, headers, connection }));
    })
      .once('error', reject)
      .end();
  });
}

async function shake(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ...options });
  await once(socket, 'secureConnect');
  return socket;
}

/** Starts a server with certificate files and a link `poster`. */
async function startWithFiles(more = {}) {
  const folder = temporaryFolder('tls');
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  copyFileSync(join(keys, 'server.crt'), cert);
  copyFileSync(join(keys, 'server.key'), key);
  const [https = 0, http = 0, port = 0] = await freePorts(3);
  const server = await startServer({
    PORT: String(port),
    HTTPS_PORT: String(https),
    HTTP_PORT: String(http),
    HTTPS_HOST: '127.0.0.1',
    TLS_CERT: cert,
    TLS_KEY: key,
    BASE_URL: `https://localhost:${https}`,
    HSTS: '31536000',
    ...more,
  });
  const here = { url: `http://127.0.0.1:${port}` };
  const made = await as(here, (await server.newKey()).key).post('/api/v1/shorten', {
    url: 'https://example.com/',
    customCode: 'poster',
  });
  assert.equal(made.status, 201);
  const ca = readFileSync(join(keys, 'ca.crt'));
  return { server, here, https, http, cert, key, tls: { servername: 'localhost', ca } };
}

test('HTTPS with files: serves redirects on kept-alive connections, pages and the API, with HSTS on all of them', {
  timeout,
}, async (t) => {
  const { here, https, http, tls } = files;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  for (const [path, status] of [
    ['/poster', 302],
    ['/poster', 302],
    ['/nothing', 404],
    ['/api/v1/links', 401],
    ['/poster', 302],
    ['/healthz', 200],
  ] as const) {
    const answer = await ask(https, path, { ...tls, agent });
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000', path);
  }
  // `node:http` would close a connection after 32 redirects. A single connection for 40 redirects shows that the fast
  // path handles them.
  const connections = new Set<unknown>();
  const plain = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => plain.destroy());
  for (let visit = 0; visit < 40; visit += 1) {
    const { status, connection } = await ask(https, '/poster', { ...tls, agent: plain });
    assert.equal(status, 302);
    connections.add(connection);
  }
  assert.equal(connections.size, 1);
  assert.equal((await call(here, 'GET', '/poster')).headers.get('strict-transport-security'), null);
  const led = await call({ url: `http://127.0.0.1:${http}` }, 'GET', '/poster?a=b', {
    headers: { host: `localhost:${http}` },
  });
  assert.equal(led.status, 301);
  assert.equal(led.headers.get('location'), `https://localhost:${https}/poster?a=b`);
  const posted = await call({ url: `http://127.0.0.1:${http}` }, 'POST', '/api/v1/links');
  assert.equal(posted.status, 308);
  const strange = await call({ url: `http://127.0.0.1:${http}` }, 'GET', '//evil.test', {
    headers: { host: 'evil.test' },
  });
  assert.equal(strange.headers.get('location'), `https://localhost:${https}//evil.test`);
});

test('allows TLS 1.2 and 1.3 with modern ciphers only, no renegotiation, and resumes tickets', {
  timeout,
}, async () => {
  const { https, tls } = files;
  const offered = async (options: ConnectionOptions): Promise<string | undefined> => {
    try {
      const socket = await shake(https, { ...tls, ...options });
      const agreed = `${socket.getProtocol()} ${socket.getCipher().name}`;
      socket.destroy();
      return agreed;
    } catch {
      return undefined;
    }
  };
  // OpenSSL offers old algorithms only at the lowest security level.
  const old = { ciphers: 'ALL:@SECLEVEL=0' };
  for (const version of ['TLSv1', 'TLSv1.1'] as const)
    assert.equal(await offered({ ...old, minVersion: version, maxVersion: version }), undefined);
  for (const ciphers of [
    'AES128-GCM-SHA256',
    'AES256-SHA',
    'ECDHE-RSA-AES128-SHA',
    'ECDHE-RSA-AES128-SHA256',
    'DHE-RSA-AES128-GCM-SHA256',
    'NULL',
    'aNULL',
  ])
    assert.equal(
      await offered({ ciphers: `${ciphers}:@SECLEVEL=0`, maxVersion: 'TLSv1.2' }),
      undefined,
      ciphers,
    );
  assert.match((await offered({ maxVersion: 'TLSv1.2' })) ?? '', /^TLSv1\.2 ECDHE-/);
  assert.match((await offered({})) ?? '', /^TLSv1\.3 TLS_/);
  assert.equal(await offered({ ALPNProtocols: ['h2'] }), undefined);
  const socket = await shake(https, { ...tls, maxVersion: 'TLSv1.2', ALPNProtocols: ['h2', 'http/1.1'] });
  assert.equal(socket.alpnProtocol, 'http/1.1');
  socket.on('error', () => {});
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await assert.rejects(
    new Promise<void>((resolve, reject) => {
      socket.renegotiate({}, (error) => (error === null ? resolve() : reject(error)));
      socket.once('error', reject);
    }),
  );
  socket.destroy();
  await ended;
  const first = await shake(https, {
    ...tls,
    maxVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_TLSv1_3,
  });
  const session = first.getSession();
  first.destroy();
  assert.ok(session !== undefined);
  const second = await shake(https, { ...tls, session, maxVersion: 'TLSv1.2' });
  assert.equal(second.isSessionReused(), true);
  second.destroy();
});

test('/tls-check reports whether a host may have a certificate, on the metrics port', {
  timeout,
}, async (t) => {
  const metrics = await freePort();
  const settings = { BASE_URL: 'https://go.brand.test', PORT: String(await freePort()) };
  const server = await startServer({ ...settings, METRICS_PORT: String(metrics) });
  t.after(() => server.stop());
  const here = { url: `http://127.0.0.1:${settings.PORT}` };
  const watched = { url: `http://127.0.0.1:${metrics}` };
  assert.equal((await call(watched, 'GET', '/tls-check?domain=Go.brand.test')).status, 200);
  assert.equal((await call(watched, 'GET', '/tls-check?domain=evil.test')).status, 404);
  assert.equal((await call(watched, 'GET', '/tls-check')).status, 404);
  assert.equal((await call(watched, 'POST', '/tls-check?domain=go.brand.test')).status, 405);
  assert.equal((await call(here, 'GET', '/tls-check?domain=go.brand.test')).status, 404);
});

test('reloads TLS_CERT and TLS_KEY when both change; keeps the old ones otherwise', {
  timeout,
}, async (t) => {
  if (spawnSync('openssl', ['version']).status !== 0) return t.skip('NOT TESTED: openssl is not installed');
  const { https, cert, key } = files;
  const shown = async (): Promise<string> => {
    const socket = await shake(https, { rejectUnauthorized: false });
    const { raw } = socket.getPeerCertificate();
    socket.destroy();
    return new X509Certificate(raw).subject;
  };
  assert.equal(await shown(), 'CN=localhost');
  const folder = temporaryFolder('tls-new');
  const [newCert, newKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const options = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=renewed',
  ];
  execFileSync('openssl', [...options, '-keyout', newKey, '-out', newCert], { stdio: 'ignore' });
  writeFileSync(cert, readFileSync(newCert));
  await pause(6_000);
  assert.equal(await shown(), 'CN=localhost');
  writeFileSync(key, readFileSync(newKey));
  await until('the new one is in use', async () => (await shown()) === 'CN=renewed');

  execFileSync('openssl', [...options.slice(0, -1), '/CN=again', '-keyout', newKey, '-out', newCert], {
    stdio: 'ignore',
  });
  writeFileSync(cert, readFileSync(newCert));
  writeFileSync(key, readFileSync(newKey));
  files.server.child.kill('SIGHUP');
  await until(
    'it is read upon SIGHUP, which does not end the service',
    async () => (await shown()) === 'CN=again',
  );
});

test('answers every request during a graceful stop under TLS load; silent connections do not delay it', {
  timeout,
}, async () => {
  const { server, https } = files;
  // Accepts any certificate, because another test may have changed the server's certificate.
  const tls = { ...files.tls, rejectUnauthorized: false };
  const silent = connect({ port: https, host: '127.0.0.1', ...tls });
  await once(silent, 'secureConnect');
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let answered = 0;
  const failed: unknown[] = [];
  const visitors = Array.from({ length: 16 }, async () => {
    for (;;) {
      try {
        const { status, headers } = await ask(https, '/poster', { ...tls, agent });
        assert.equal(status, 302);
        answered += 1;
        // The server is closing this connection, so this visitor is done. A new connection might arrive after the
        // server has stopped.
        if (headers.connection === 'close') return;
      } catch (error) {
        failed.push(error);
        return;
      }
    }
  });
  await until('visitors are answered', () => answered > 200);
  assert.equal(await server.stop(), 0);
  await Promise.all(visitors);
  assert.deepEqual(failed, []);
  silent.destroy();
  agent.destroy();
});

test('replaces workers under TLS load without failed requests', { timeout }, async (t) => {
  const { server, https, tls } = await startWithFiles({ WORKERS: '2' });
  t.after(() => server.stop());
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  t.after(() => agent.destroy());
  const old = [...workersOf(server).values()];
  let isOver = false;
  const visitors = Array.from({ length: 8 }, async () => {
    let answered = 0;
    for (; !isOver; answered += 1) assert.equal((await ask(https, '/poster', { ...tls, agent })).status, 302);
    return answered;
  });
  server.child.kill('SIGUSR2');
  await untilReplaced(server, old);
  isOver = true;
  for (const answered of await Promise.all(visitors)) assert.ok(answered > 0);
});

test('serve --https HOST: gets a certificate automatically, stores it encrypted, and keeps it after a restart', {
  skip,
  timeout,
}, async (t) => {
  const [https = 0, http = 0, port = 0] = await freePorts(3);
  const pebble = await startPebble({ http, tls: https });
  t.after(pebble.stop);
  const env = {
    PORT: String(port),
    HTTPS_PORT: String(https),
    HTTP_PORT: String(http),
    HTTPS_HOST: '127.0.0.1',
    ACME_DIRECTORY: pebble.directory,
    ACME_EMAIL: 'operator@brand.test',
    SECRET_KEY: testEngine === 'sqlite' ? '' : 's'.repeat(40),
    NODE_EXTRA_CA_CERTS: pebbleTrust,
  };
  const dataDir = temporaryFolder('acme');
  const flags = ['--https', 'go.brand.test'];
  const tls = () => ({ servername: 'go.brand.test', ca: pebble.root, headers: { host: 'go.brand.test' } });
  const server = await startServer(env, dataDir, [], { flags });
  // The certificate is issued at startup, before the first handshake.
  await until('the certificate is there', () => server.output().includes('A certificate was issued.'));
  assert.equal((await ask(https, '/nothing', tls())).status, 404);
  assert.equal(server.url, `https://go.brand.test:${https}`);
  await assert.rejects(ask(https, '/', { ...tls(), servername: 'other.test' }));
  const orders = pebble.log().split('Added order').length;
  if (env.SECRET_KEY === '') {
    assert.equal(statSync(join(dataDir, 'secret-key')).mode & 0o777, 0o600);
    const bytes = readFileSync(join(dataDir, 'linkfold.db')).toString('latin1');
    assert.doesNotMatch(bytes, /BEGIN PRIVATE KEY/);
  }
  assert.doesNotMatch(server.output(), /PRIVATE KEY/);
  assert.equal(await server.stop(), 0);
  const again = await startServer({ ...env, WORKERS: '2' }, dataDir, [], { flags });
  t.after(() => again.stop());
  await until(
    'it is used again',
    async () => (await ask(https, '/nothing', tls()).catch(() => undefined))?.status === 404,
  );
  assert.equal(pebble.log().split('Added order').length, orders);
});

test('gets a certificate for a verified domain at its first handshake, and none for a pending one', {
  skip,
  timeout,
}, async (t) => {
  const [https = 0, http = 0, port = 0] = await freePorts(3);
  const [pebble, dns] = [await startPebble({ http, tls: https }), await startDns()];
  t.after(pebble.stop);
  t.after(dns.close);
  const server = await startServer({
    PORT: String(port),
    HTTPS_PORT: String(https),
    HTTP_PORT: String(http),
    HTTPS_HOST: '127.0.0.1',
    BASE_URL: `https://short.brand.test:${https}`,
    ACME: '1',
    ACME_DIRECTORY: pebble.directory,
    ACME_EMAIL: 'operator@brand.test',
    SECRET_KEY: 's'.repeat(40),
    NODE_EXTRA_CA_CERTS: pebbleTrust,
    DNS_SERVERS: dns.address,
    TLS_CHECK: '1',
    METRICS_TOKEN: 'a-token-for-the-scraper',
  });
  t.after(() => server.stop());
  const here = { url: `http://127.0.0.1:${port}` };
  const api = as(here, (await server.newKey()).key);
  const [proven, pending] = await Promise.all(
    ['links.brand.test', 'waits.brand.test'].map(
      async (host) => (await api.post('/api/v1/domains', { host })).json.data,
    ),
  );
  for (const { type, name, value } of proven.records) dns.zone[name] = { [type]: [value] };
  assert.equal((await api.post(`/api/v1/domains/${proven.id}/verify`)).json.data.status, 'active');
  const link = { url: 'https://example.com/', customCode: 'poster', domain: proven.host };
  assert.equal((await api.post('/api/v1/shorten', link)).status, 201);

  const visit = (host: string) =>
    ask(https, '/poster', { servername: host, ca: pebble.root, headers: { host: `${host}:${https}` } });
  await until(
    'it has a certificate',
    async () => (await visit(proven.host).catch(() => undefined))?.headers['location'] === link.url,
  );
  await assert.rejects(visit(pending.host));
  // The API shows owners and operators when the certificate expires.
  const told = async (id: string) =>
    (await api.get(`/api/v1/domains/${id}?include=certificate`)).json.data.certificate;
  await until('its expiry is known', async () => typeof (await told(proven.id))?.validUntil === 'string');
  const { validUntil, problem } = await told(proven.id);
  assert.deepEqual(
    [Date.parse(validUntil) > Date.now(), problem, await told(pending.id)],
    [true, null, null],
  );
  const own = 'short.brand.test';
  await until('the first check is complete', async () => {
    const rows = JSON.parse(await server.command('certificates', 'list', '--json'));
    return [own, proven.host].every((host) =>
      rows.some(
        (row: { host: string; validUntil: string | null }) => row.host === host && row.validUntil !== null,
      ),
    );
  });
  const headers = { authorization: 'Bearer a-token-for-the-scraper' };
  assert.match((await call(here, 'GET', '/metrics', { headers })).text, /^linkfold_failing_certificates 0$/m);
  const check = (host: string) => call(here, 'GET', `/tls-check?domain=${host}`);
  assert.deepEqual([(await check(proven.host)).status, (await check(pending.host)).status], [200, 404]);
  const led = async (host: string) =>
    (await call({ url: `http://127.0.0.1:${http}` }, 'GET', '/poster', { headers: { host } })).headers.get(
      'location',
    );
  assert.equal(await led(proven.host), `https://${proven.host}:${https}/poster`);
  assert.equal(await led(pending.host), `https://short.brand.test:${https}/poster`);
  assert.doesNotMatch(pebble.log(), /waits\.brand\.test/);

  const { id } = (await api.get(`/api/v1/links/by-code/poster?domain=${proven.host}`)).json.data;
  await api.delete(`/api/v1/links/${id}`);
  assert.equal((await api.delete(`/api/v1/domains/${proven.id}`)).status, 204);
  await assert.rejects(visit(proven.host), 'what is no domain any more is not answered for');
});
