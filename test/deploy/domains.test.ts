import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { pebbleTrust, startPebble, whyNoPebble } from '../support/http/pebble.ts';
import { freePorts } from '../support/http/ports.ts';
import { as, call, endServers, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { read } from './files.ts';

// Tests the files in deploy/ for multiple hosts with real proxies. The tests for the Caddy files also use a real
// certificate authority.

const timeout = 120_000;
const host = 'go.brand.test';
const nginx = ['nginx', '/usr/sbin/nginx'].find((one) => spawnSync(one, ['-v']).status === 0);
const caddy = spawnSync('caddy', ['version']).status === 0 ? undefined : 'caddy is not there';
after(endServers);

/** Starts a server that has a link `poster` and lets proxies ask about hosts. */
async function startLinkfold(t: TestContext) {
  const [port = 0] = await freePorts(1);
  const server = await startServer({
    PORT: String(port),
    BASE_URL: `https://${host}`,
    TRUST_PROXY: '1',
    TLS_CHECK: '1',
  });
  t.after(() => server.stop());
  const here = { url: `http://127.0.0.1:${port}` };
  const { key } = await server.newKey();
  const link = { url: 'https://example.com/', customCode: 'poster' };
  assert.equal((await as(here, key).post('/api/v1/shorten', link)).status, 201);
  return { port, here };
}

function start(t: TestContext, program: string, args: readonly string[], folder: string) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_DATA_HOME: folder };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL'));
  t.after(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  return { isRunning: () => assert.equal(child.exitCode, null, errors) };
}

function ask(
  port: number,
  path: string,
  ca: string | Buffer,
  servername = host,
): Promise<number | undefined> {
  const options = {
    host: '127.0.0.1',
    port,
    path,
    ca,
    servername,
    headers: { host: servername },
    agent: false,
  };
  return new Promise((resolve, reject) => {
    request(options, (answer) => answer.resume().once('end', () => resolve(answer.statusCode)))
      .once('error', reject)
      .end();
  });
}

test('deploy/Caddyfile.domains: gets a certificate for our hosts at the first visit, and for no others', {
  skip: caddy ?? whyNoPebble() ?? false,
  timeout,
}, async (t) => {
  const { port } = await startLinkfold(t);
  const [https = 0, http = 0] = await freePorts(2);
  const pebble = await startPebble({ http, tls: https });
  t.after(pebble.stop);
  const folder = temporaryFolder('caddy');
  const file = join(folder, 'Caddyfile');
  const options = `admin off
	skip_install_trust
	http_port ${http}
	https_port ${https}
	acme_ca ${pebble.directory}
	acme_ca_root ${pebbleTrust}
	on_demand_tls {`;
  const text = read('Caddyfile.domains').replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
  writeFileSync(file, text.replace('on_demand_tls {', options));
  const proxy = start(t, 'caddy', ['run', '--config', file, '--adapter', 'caddyfile'], folder);
  await until('Caddy has a certificate', async () => {
    proxy.isRunning();
    return (await ask(https, '/poster', pebble.root).catch(() => undefined)) === 302;
  });
  assert.equal(await ask(https, '/tls-check?domain=go.brand.test', pebble.root), 404);
  await assert.rejects(ask(https, '/poster', pebble.root, 'other.brand.test'));
  assert.doesNotMatch(pebble.log(), /other\.brand\.test/);
});

test("deploy/nginx-domains.conf: loads each host's certificate from its folder, including later ones", {
  skip: nginx === undefined ? 'nginx is not there' : false,
  timeout,
}, async (t) => {
  const { port } = await startLinkfold(t);
  const [https = 0, http = 0] = await freePorts(2);
  const folder = temporaryFolder('nginx');
  mkdirSync(join(folder, 'logs'));
  const included = read('nginx-domains.conf')
    .replace('server 127.0.0.1:3000;', `server 127.0.0.1:${port};`)
    .replace('listen 80 ', `listen 127.0.0.1:${http} `)
    .replace('listen 443 ', `listen 127.0.0.1:${https} `)
    .replaceAll('/etc/ssl/linkfold', folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${one};`,
  );
  const whole = `user root; daemon off; master_process off; pid nginx.pid; error_log logs/error.log;
    events { worker_connections 128; } http { ${temporary.join(' ')} ${included} }`;
  writeFileSync(
    join(folder, 'nginx.conf'),
    whole.replace('user root;', process.getuid?.() === 0 ? 'user root;' : ''),
  );
  const flags = ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'logs', 'error.log')];
  const proxy = start(t, nginx ?? 'nginx', flags, folder);
  const led = { url: `http://127.0.0.1:${http}` };
  await until('nginx answers', async () => {
    proxy.isRunning();
    return (await call(led, 'GET', '/poster', { headers: { host } }).catch(() => undefined))?.status === 301;
  });
  const keys = join(import.meta.dirname, '..', 'tls');
  const ca = readFileSync(join(keys, 'ca.crt'));
  await assert.rejects(ask(https, '/poster', ca, 'localhost'));
  mkdirSync(join(folder, 'localhost'));
  copyFileSync(join(keys, 'server.crt'), join(folder, 'localhost', 'fullchain.pem'));
  copyFileSync(join(keys, 'server.key'), join(folder, 'localhost', 'privkey.pem'));
  assert.equal(await ask(https, '/poster', ca, 'localhost'), 302);
  assert.equal(await ask(https, '/tls-check?domain=go.brand.test', ca, 'localhost'), 404);
  assert.equal(await ask(https, '/readyz', ca, 'localhost'), 404);
});
