import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { settings } from '../../src/config.ts';
import { idInToken } from '../../src/model/accounts/keys.ts';
import { temporaryFolder } from '../support/server/server.ts';
import { alone, compose, configOf, deploy, environmentIn, nodes, read, root, workload } from './files.ts';

function drawSecrets() {
  const folder = temporaryFolder('deploy');
  writeFileSync(join(folder, 'secrets.sh'), read('secrets.sh'));
  const draw = () =>
    spawnSync('sh', [join(folder, 'secrets.sh')], {
      env: { PATH: process.env['PATH'], LINKFOLD: join(root, 'bin', 'linkfold') },
      encoding: 'utf8',
    });
  return { folder: join(folder, 'secrets'), draw };
}

describe('deploy/secrets.sh', () => {
  const { folder, draw } = drawSecrets();
  const first = draw();
  const secret = (name: string): string => readFileSync(join(folder, name), 'utf8').trim();

  test('generates every secret that compose.cluster.yaml reads, and prints none', () => {
    assert.deepEqual([first.stdout, first.stderr, first.status], ['', '', 0]);
    const files = Object.entries(compose.secrets ?? {}).map(([name, { file }]) => {
      assert.equal(file, `secrets/${name}`);
      return name;
    });
    assert.deepEqual(readdirSync(folder).sort(), files.sort());
    const passwords = files.filter((name) => name.endsWith('password')).map(secret);
    assert.equal(new Set(passwords).size, 3);
    for (const password of passwords) assert.match(password, /^[0-9a-f]{48}$/);
    assert.ok(idInToken(secret('first-key')) !== undefined);
  });

  test('restricts the folder to its owner; single mounted files are readable in a container', () => {
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o444);
  });

  test('uses the service in compose.cluster.yaml, and the role and database in postgres-primary.sh', () => {
    const url = new URL(secret('database-url'));
    assert.deepEqual([url.protocol, url.hostname], ['postgres:', 'primary']);
    assert.equal(url.password, secret('linkfold-password'));
    assert.ok(Object.hasOwn(compose.services, 'primary'));
    assert.match(read('postgres-primary.sh'), new RegExp(`^CREATE ROLE ${url.username} LOGIN`, 'm'));
    assert.match(
      read('postgres-primary.sh'),
      new RegExp(`^CREATE DATABASE ${url.pathname.slice(1)} OWNER`, 'm'),
    );
  });

  test('changes nothing on a second run, because the database has these passwords', () => {
    const before = readdirSync(folder).map(secret);
    const second = draw();
    assert.equal(second.status, 1);
    assert.match(second.stderr, /already exists/);
    assert.deepEqual(readdirSync(folder).map(secret), before);
  });

  test('provides the settings of compose.cluster.yaml nodes', () => {
    assert.equal(nodes.length, 3);
    for (const [, { environment }] of nodes) {
      const config = configOf(environment, '/run/secrets', folder);
      assert.equal(config.DATABASE_URL, secret('database-url'));
      assert.equal(config.BOOTSTRAP_API_KEY, secret('first-key'));
      assert.deepEqual(config.TRUST_PROXY, { hops: 1 });
    }
  });

  test('provides the settings of the pods', () => {
    const config = configOf(environmentIn(workload), '/run/secrets/linkfold', folder);
    assert.equal(config.DATABASE_URL, secret('database-url'));
  });
});

function isSetting(name: string): boolean {
  return Object.hasOwn(settings, name) || Object.hasOwn(settings, name.replace(/_FILE$/, ''));
}

test('every setting named in deploy/ exists', () => {
  const files = readdirSync(deploy, { withFileTypes: true }).filter((entry) => entry.isFile());
  const lines = /^.*\b(?:Environment=|ENV|-e|Settings of Linkfold:) .*$|^Environment=.*$/gm;
  const named = files.flatMap(({ name }) =>
    [...read(name).matchAll(lines)]
      .flatMap(([line]) => [...line.matchAll(/\b([A-Z]+(?:_[A-Z]+)*)=/g)])
      .map(([, setting = '']) => setting),
  );
  const given = [
    ...Object.keys(alone.environment),
    ...nodes.flatMap(([, { environment }]) => Object.keys(environment)),
    ...Object.keys(environmentIn(workload)),
  ];
  assert.ok(named.length > 0 && given.length > 0);
  assert.deepEqual(
    [...named, ...given].filter((name) => !isSetting(name) && name !== 'NODE_COMPILE_CACHE'),
    [],
  );
});

test('writes every script for a POSIX shell', () => {
  const scripts = readdirSync(deploy).filter((name) => name.endsWith('.sh'));
  assert.equal(scripts.length, 3);
  for (const name of scripts) {
    const checked = spawnSync('sh', ['-n', join(deploy, name)], { encoding: 'utf8' });
    assert.deepEqual([checked.stderr, checked.status], ['', 0]);
    assert.match(read(name), /^#!\/bin\/sh\n/);
    assert.equal(statSync(join(deploy, name)).mode & 0o111, 0o111, name);
  }
});
