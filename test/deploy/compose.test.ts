import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { launch, linkfold } from '../support/server/launch.ts';
import { startServer } from '../support/server/server.ts';
import { words } from '../support/words.ts';
import {
  alone,
  compose,
  configOf,
  deploy,
  imageEnvironment,
  nodes,
  read,
  shutdownSeconds,
  single,
} from './files.ts';

// The keys of the Compose specification that the Compose files use.
const known: Readonly<Record<string, readonly string[]>> = {
  top: ['name', 'networks', 'secrets', 'services', 'volumes'],
  service: words(`
    image build command entrypoint user environment secrets networks volumes ports depends_on restart
    stop_grace_period healthcheck logging read_only tmpfs cap_drop security_opt mem_limit shm_size ulimits
  `),
  healthcheck: ['test', 'interval', 'timeout', 'retries', 'start_period', 'start_interval'],
};
function strangers(kind: string, value: object): string[] {
  return Object.keys(value).filter((word) => !known[kind]?.includes(word) && !word.startsWith('x-'));
}

for (const [file, content] of [
  ['compose.yaml', single],
  ['compose.cluster.yaml', compose],
] as const) {
  test(`deploy/${file} uses valid keys and defines what it references`, () => {
    assert.deepEqual(strangers('top', content), []);
    const used = { secrets: new Set<string>(), networks: new Set<string>(), volumes: new Set<string>() };
    for (const [name, service] of Object.entries(content.services)) {
      assert.deepEqual(
        [...strangers('service', service), ...strangers('healthcheck', service.healthcheck ?? {})],
        [],
        name,
      );
      for (const secret of service.secrets ?? []) used.secrets.add(secret);
      for (const network of service.networks ?? []) used.networks.add(network);
      for (const volume of service.volumes ?? []) {
        const [source = '', , mode] = volume.split(':');
        if (!source.startsWith('./')) used.volumes.add(source);
        else assert.ok(existsSync(join(deploy, source)) && mode === 'ro', volume);
      }
      for (const other of Object.keys(service.depends_on ?? {}))
        assert.ok(Object.hasOwn(content.services, other));
      for (const path of Object.values(service.environment ?? {})) {
        const [, secret] = /^\/run\/secrets\/(.+)$/.exec(path) ?? [];
        if (secret !== undefined) assert.ok(service.secrets?.includes(secret), `${name}: ${secret}`);
      }
    }
    for (const [kind, names] of Object.entries(used)) {
      assert.deepEqual([...names].sort(), Object.keys(content[kind as keyof typeof used] ?? {}).sort());
    }
  });
}

test('uses different project names in the two files, so that containers do not conflict', () => {
  assert.notEqual(single.name, compose.name);
});

describe('deploy/compose.yaml', () => {
  test('one node: stores data on a volume, writes nothing else, and is not root', () => {
    assert.equal(Object.keys(single.services).length, 1);
    assert.deepEqual(alone.volumes, [`data:${imageEnvironment['DATA_DIR']}`]);
    assert.deepEqual([alone.read_only, alone.tmpfs, alone.cap_drop], [true, ['/tmp'], ['ALL']]);
    assert.ok(imageEnvironment['NODE_COMPILE_CACHE']?.startsWith('/tmp/'));
    assert.deepEqual(alone.security_opt, ['no-new-privileges:true']);
    // The user that runs the image also owns the volume's folder.
    assert.equal(alone.user, '65532:65532');
    assert.match(read('Dockerfile'), /chown 65532:65532 \/data[\s\S]*^USER 65532:65532$/m);
    assert.ok(Number.parseInt(alone.stop_grace_period, 10) > shutdownSeconds);
    assert.equal(alone.restart, 'unless-stopped');
  });

  test("publishes the image's port on the loopback address only", () => {
    assert.deepEqual(alone.ports, [`127.0.0.1:3000:${imageEnvironment['PORT']}`]);
  });

  test('starts with its settings', () => {
    const config = configOf(alone.environment, '/nowhere', '/nowhere');
    assert.deepEqual([config.BASE_URL, config.TRUST_PROXY], ['https://go.example.com', { hops: 1 }]);
    assert.throws(() => configOf({ ...alone.environment, BASE_URL: 'nonsense' }, '', ''), /BASE_URL/);
  });

  test('passes its health check only while a server is ready', async (t) => {
    const server = await startServer();
    t.after(() => server.stop());
    assert.deepEqual(alone.healthcheck?.test, ['CMD', '/usr/bin/linkfold', 'ready']);
    const check = (port: number): Promise<number | null> =>
      launch(linkfold, ['ready'], {
        PATH: process.env['PATH'] ?? '',
        HOST: '0.0.0.0',
        PORT: `${port}`,
      }).ended.then(({ code }) => code);
    assert.equal(await check(server.port), 0);
    assert.equal(await server.stop(), 0);
    assert.equal(await check(server.port), 3);
  });
});

describe('deploy/compose.cluster.yaml', () => {
  test('gives each node its own journal, where the image stores its data', () => {
    const mounts = nodes.map(([, { volumes = [] }]) => volumes[0]?.split(':') ?? []);
    assert.equal(new Set(mounts.map(([volume]) => volume)).size, nodes.length);
    for (const [, path] of mounts) assert.equal(path, imageEnvironment['DATA_DIR']);
  });

  test('gives nodes time to stop, and HAProxy time to end its connections', () => {
    for (const [, { environment, stop_grace_period }] of nodes) {
      const least = Number(environment['SHUTDOWN_DELAY']) + shutdownSeconds;
      assert.ok(Number.parseInt(stop_grace_period, 10) > least, stop_grace_period);
    }
    const [, hardStop] = /hard-stop-after (\d+)s/.exec(read('haproxy.cfg')) ?? [];
    const grace = compose.services['proxy']?.stop_grace_period ?? '';
    assert.ok(Number.parseInt(grace, 10) > Number(hardStop));
  });

  test('matches the ports and paths in haproxy.cfg', () => {
    const proxy = read('haproxy.cfg');
    const [, inside] = /^127\.0\.0\.1:\d+:(\d+)$/.exec(compose.services['proxy']?.ports?.[0] ?? '') ?? [];
    assert.match(proxy, new RegExp(`^ {4}bind :${inside}$`, 'm'));
    const asked = new URL(compose.services['proxy']?.healthcheck?.test.at(-1) ?? '');
    assert.match(proxy, new RegExp(`bind :${asked.port}\n +monitor-uri ${asked.pathname}\n`));
    const servers = [...proxy.matchAll(/^ {4}server (\w+) (\w+):(\d+)$/gm)];
    for (const [, name, host, port] of servers) {
      assert.equal(name, host);
      assert.equal(port, imageEnvironment['PORT']);
    }
    const names = nodes.map(([name]) => name);
    assert.deepEqual(
      servers.map(([, name]) => name),
      [...names, ...names],
    );
  });

  test('shares settings, slot and role between primary and replica', () => {
    const { primary, replica } = compose.services;
    assert.deepEqual(primary?.command, replica?.command);
    const [, slot] = /pg_create_physical_replication_slot\('(\w+)'\)/.exec(read('postgres-primary.sh')) ?? [];
    assert.ok(read('postgres-replica.sh').includes(`--slot=${slot} `));
    const [, role] = /^CREATE ROLE (\w+) LOGIN REPLICATION/m.exec(read('postgres-primary.sh')) ?? [];
    assert.ok(read('postgres-replica.sh').includes(` user=${role} `));
    for (const [name, service] of [
      ['postgres-primary.sh', primary],
      ['postgres-replica.sh', replica],
    ] as const) {
      const wanted = [...read(name).matchAll(/"?\$(?!PGDATA|POSTGRES_USER)([A-Z]\w+)/g)].map(
        ([, one = '']) => one,
      );
      assert.ok(wanted.length > 0);
      for (const one of wanted) assert.ok(Object.hasOwn(service?.environment ?? {}, one), `${name}: ${one}`);
    }
  });
});
