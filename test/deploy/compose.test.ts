import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { compose, deploy, imageEnvironment, nodes, read, services, shutdownSeconds } from './files.ts';

describe('deploy/compose.yaml', () => {
  // Of the Compose specification, what this file uses.
  const known: Readonly<Record<string, readonly string[]>> = {
    service: [
      ...['image', 'build', 'command', 'entrypoint', 'user', 'environment', 'secrets', 'networks', 'volumes'],
      ...[
        'ports',
        'depends_on',
        'restart',
        'stop_grace_period',
        'healthcheck',
        'logging',
        'read_only',
        'tmpfs',
      ],
      ...['cap_drop', 'security_opt', 'mem_limit', 'shm_size', 'ulimits'],
    ],
    healthcheck: ['test', 'interval', 'timeout', 'retries', 'start_period', 'start_interval'],
  };

  test('uses words of the specification, and names what it defines', () => {
    const top = Object.keys(compose).filter((name) => !name.startsWith('x-'));
    assert.deepEqual(top.sort(), ['name', 'networks', 'secrets', 'services', 'volumes']);
    const used = { secrets: new Set<string>(), networks: new Set<string>(), volumes: new Set<string>() };
    for (const [name, service] of services) {
      const strange = Object.keys(service).filter((word) => !known['service']?.includes(word));
      const unhealthy = Object.keys(service.healthcheck ?? {}).filter(
        (word) => !known['healthcheck']?.includes(word),
      );
      assert.deepEqual([...strange, ...unhealthy], [], name);
      for (const secret of service.secrets ?? []) used.secrets.add(secret);
      for (const network of service.networks) used.networks.add(network);
      for (const volume of service.volumes ?? []) {
        const [source = '', , mode] = volume.split(':');
        if (!source.startsWith('./')) used.volumes.add(source);
        else assert.ok(existsSync(join(deploy, source)) && mode === 'ro', volume);
      }
      for (const other of Object.keys(service.depends_on ?? {}))
        assert.ok(Object.hasOwn(compose.services, other));
      for (const path of Object.values(service.environment ?? {})) {
        const [, secret] = /^\/run\/secrets\/(.+)$/.exec(path) ?? [];
        if (secret !== undefined) assert.ok(service.secrets?.includes(secret), `${name}: ${secret}`);
      }
    }
    for (const [kind, names] of Object.entries(used)) {
      assert.deepEqual([...names].sort(), Object.keys(compose[kind as keyof typeof used]).sort());
    }
  });

  test('each node has a journal of its own, where the image keeps its data', () => {
    const mounts = nodes.map(([, { volumes = [] }]) => volumes[0]?.split(':') ?? []);
    assert.equal(new Set(mounts.map(([volume]) => volume)).size, nodes.length);
    for (const [, path] of mounts) assert.equal(path, imageEnvironment['DATA_DIR']);
  });

  test('nodes have the time that they take to stop, and HAProxy the time to end its connections', () => {
    for (const [, { environment, stop_grace_period }] of nodes) {
      const least = Number(environment['SHUTDOWN_DELAY']) + shutdownSeconds;
      assert.ok(Number.parseInt(stop_grace_period, 10) > least, stop_grace_period);
    }
    const [, hardStop] = /hard-stop-after (\d+)s/.exec(read('haproxy.cfg')) ?? [];
    const grace = compose.services['proxy']?.stop_grace_period ?? '';
    assert.ok(Number.parseInt(grace, 10) > Number(hardStop));
  });

  test('ports and paths agree with those of haproxy.cfg', () => {
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

  test('primary and replica share their settings and know of one slot and one role', () => {
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
