import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createProgram } from '../../src/cli/program.ts';
import { call, endServers, startServer } from '../support/server/server.ts';
import { words } from '../support/words.ts';
import { containerOf, read, root, workload } from './files.ts';

after(endServers);

test('returns 200 for every probed path', async () => {
  const { startupProbe, readinessProbe, livenessProbe } = containerOf(workload);
  const probes = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path);
  const checked = [...read('haproxy.cfg').matchAll(/http-check send .*\buri (\S+)/g)].map(
    ([, path = '']) => path,
  );
  assert.equal(checked.length, 2);
  const server = await startServer();
  for (const path of new Set([...probes, ...checked])) {
    const { status, headers } = await call(server, 'GET', path);
    assert.deepEqual([path, status, headers.get('location')], [path, 200, null]);
  }
  assert.equal(await server.stop(), 0);
});

test('deploy/Dockerfile copies all needed files and runs an existing command', async () => {
  const dockerfile = read('Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  const sent = read('Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  assert.deepEqual(copied.sort(), sent.sort());
  for (const source of words(`
    bin scripts src dashboard openapi.json package.json package-lock.json .npmrc
  `)) {
    assert.ok(copied.includes(source) && existsSync(join(root, source)), source);
  }
  const [entry = ''] = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(dockerfile)?.[1] ?? '[]');
  assert.ok(existsSync(join(root, entry.replace('/app/', ''))));
  const [command] = JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]');
  assert.ok((await createProgram()).commands.some((one) => one.name() === command));
});
