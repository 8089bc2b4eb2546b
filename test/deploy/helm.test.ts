// Renders the chart with Helm, reads the result with kubectl, and checks it against Kubernetes' types.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { idInToken } from '../../src/model/accounts/keys.ts';
import { helm, kubectl, requireValid, whyNoHelm } from '../support/kubernetes.ts';
import { executable, temporaryFolder } from '../support/server/server.ts';
import { configOf, containerOf, podOf, type Resource, root, shutdownSeconds, workload } from './files.ts';

const chart = 'deploy/helm/linkfold';
type Rendered = Resource & {
  readonly apiVersion: string;
  readonly metadata: { labels: Record<string, string> };
};
const page = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');

/** Returns the resources that a documented command creates, without a cluster. */
function rendered(line: string): readonly Rendered[] {
  const [, ...args] = line.replaceAll('\\\n', ' ').trim().split(/\s+/);
  assert.match(args[0] ?? '', /^(install|upgrade)$/);
  const { status, stdout, stderr } = helm('template', ...args.slice(1));
  assert.equal(status, 0, stderr);
  return parseAllDocuments(stdout, { version: '1.1' }).flatMap((document) => document.toJS() ?? []);
}

function render(values: object, name = 'linkfold'): readonly Rendered[] {
  const file = join(temporaryFolder('values'), 'values.yaml');
  writeFileSync(file, JSON.stringify(values));
  return rendered(`helm install ${name} ${chart} --values ${file}`);
}

function the(kind: string, all: readonly Rendered[]): Rendered {
  const [one = assert.fail(`There is no ${kind}.`)] = all.filter((resource) => resource.kind === kind);
  return one;
}

/** Returns every path in a value, with the content at that path. */
function leaves(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path} = ${value}`];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`));
}

describe('the Helm chart', { skip: whyNoHelm ?? false }, () => {
  const lines = [...page.matchAll(/^helm (?:install|upgrade)(?:.*\\\n)*.*$/gm)].map(([line]) => line);
  const [, values = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const file = join(temporaryFolder('values'), 'values.yaml');
  writeFileSync(file, values);
  const [alone = [], several = [], upgraded = []] = lines.map((line) =>
    rendered(line.replace('--values values.yaml', `--values ${file}`)),
  );
  const all = [...alone, ...several];

  test('passes its linter, and renders with the documented commands', () => {
    assert.equal(lines.length, 3);
    const { status, stdout } = helm('lint', '--strict', chart);
    assert.equal(status, 0, stdout);
    assert.deepEqual(alone.map(({ kind }) => kind).sort(), ['Service', 'Service', 'StatefulSet']);
    assert.deepEqual(several.map(({ kind }) => kind).sort(), [
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PrometheusRule',
      'Service',
      'Service',
      'ServiceMonitor',
      'StatefulSet',
    ]);
    assert.deepEqual(upgraded, several);
  });

  test('contains nothing unknown to Kubernetes', async () => {
    for (const resource of all) {
      // The Prometheus operator's types are not part of Kubernetes.
      if (resource.apiVersion.startsWith('monitoring.coreos.com/')) continue;
      await requireValid(resource);
      const commands = { StatefulSet: ['set', 'env', 'TESTED=1'], Service: ['set', 'selector', 'tested=1'] };
      const command = commands[resource.kind as keyof typeof commands];
      if (command === undefined) continue;
      const [set = '', what = '', value = ''] = command;
      const read = kubectl([set, what, '--local', '-f', '-', value, '-o', 'json'], JSON.stringify(resource));
      assert.equal(read.status, 0, read.stderr);
      const known = new Set(leaves(JSON.parse(read.stdout)).map((line) => line.replace(/ = .*/, '')));
      const said = leaves(resource).map((line) => line.replace(/ = .*/, ''));
      const ofSelector = (path: string) => resource.kind === 'Service' && path.startsWith('.spec.selector');
      assert.deepEqual(
        said.filter((path) => !known.has(path) && !ofSelector(path)),
        [],
      );
    }
  });

  test('matches deploy/kubernetes.yaml with several pods', () => {
    const pod = podOf(the('StatefulSet', several));
    const plain = podOf(workload);
    const { image: _, ...container } = containerOf(the('StatefulSet', several)) as unknown as Record<
      string,
      unknown
    >;
    const { image: __, ...other } = containerOf(workload) as unknown as Record<string, unknown>;
    for (const name of [
      'startupProbe',
      'readinessProbe',
      'livenessProbe',
      'securityContext',
      'ports',
      'resources',
    ])
      assert.deepEqual(container[name], other[name], name);
    assert.deepEqual(pod.securityContext, plain.securityContext);
    assert.equal(pod.terminationGracePeriodSeconds, plain.terminationGracePeriodSeconds);
    const namesOf = (env: unknown) => (env as { name: string }[]).map(({ name }) => name).sort();
    assert.deepEqual(namesOf(container['env']), namesOf(other['env']));
  });

  test('selects the pods, and references existing names', () => {
    for (const resources of [alone, several]) {
      const { metadata, spec } = the('StatefulSet', resources);
      const labels = spec.template?.metadata.labels ?? {};
      const services = resources.filter(({ kind }) => kind === 'Service');
      for (const { spec } of services)
        for (const [name, value] of Object.entries(spec.selector)) assert.equal(labels[name], value);
      assert.ok(services.some(({ metadata }) => metadata.name === spec.serviceName));
      assert.ok(services.some((service) => service.metadata.name === metadata.name));
    }
    const monitor = the('ServiceMonitor', several).spec.selector as { matchLabels: Record<string, string> };
    const found = several.filter(
      ({ kind, metadata }) =>
        kind === 'Service' &&
        Object.entries(monitor.matchLabels).every(([name, value]) => metadata.labels[name] === value),
    );
    assert.deepEqual(
      found.map(({ metadata }) => metadata.name),
      ['linkfold-nodes'],
    );
    assert.equal(the('StatefulSet', render({}, 'shop')).metadata.name, 'shop-linkfold');
  });

  test('gives a pod the settings, secrets and time to stop', () => {
    const secrets = temporaryFolder('secrets');
    const key = execFileSync(executable, ['keys', 'generate'], { encoding: 'utf8' }).trim();
    writeFileSync(join(secrets, 'DATABASE_URL'), 'postgres://linkfold:secret@database/linkfold\n');
    writeFileSync(join(secrets, 'BOOTSTRAP_API_KEY'), `${key}\n`);
    const stateful = the('StatefulSet', several);
    const env = Object.fromEntries(containerOf(stateful).env.map(({ name, value }) => [name, value]));
    const config = configOf(env, '/run/secrets/linkfold', secrets);
    assert.equal(config.DATABASE_URL, 'postgres://linkfold:secret@database/linkfold');
    assert.equal(idInToken(config.BOOTSTRAP_API_KEY ?? ''), idInToken(key));
    const items = podOf(stateful).volumes.flatMap(
      (volume) =>
        (volume as { projected?: { sources: { secret: { items: { path: string }[] } }[] } }).projected
          ?.sources ?? [],
    );
    assert.deepEqual(items.flatMap(({ secret }) => secret.items.map(({ path }) => path)).sort(), [
      'BOOTSTRAP_API_KEY',
      'DATABASE_URL',
    ]);
    for (const shutdownDelay of [0, 10, 120]) {
      const pod = podOf(the('StatefulSet', render({ shutdownDelay })));
      assert.ok(pod.terminationGracePeriodSeconds > shutdownDelay + shutdownSeconds);
    }
  });

  test('explains how to get the first key after installation, unless given', () => {
    const notesOf = (...args: string[]): string => {
      const { status, stdout, stderr } = helm('install', 'linkfold', chart, '--dry-run=client', ...args);
      assert.equal(status, 0, stderr);
      return stdout.slice(stdout.indexOf('NOTES:'));
    };
    assert.match(notesOf(), /from 1 pod on SQLite\.[\s\S]*exec linkfold-0 -- linkfold keys create/);
    const given = notesOf('--values', file);
    assert.match(given, /from 3 pods on PostgreSQL\./);
    assert.doesNotMatch(given, /keys create/);
  });

  test('includes the documented alerts, for the job of its monitor', () => {
    const rule = the('PrometheusRule', several) as unknown as { spec: { groups: unknown } };
    assert.deepEqual(rule.spec, parse(readFileSync(join(root, 'docs/alerts.yaml'), 'utf8')));
    const monitor = the('ServiceMonitor', several) as unknown as { spec: { jobLabel: string } };
    assert.ok(JSON.stringify(rule.spec).includes('job=\\"linkfold\\"'));
    assert.equal(the('Service', several).metadata.labels[monitor.spec.jobLabel], 'linkfold');
  });

  test('allows visitors from everywhere and Prometheus from its namespace', () => {
    const rulesOf = (networkPolicy: object): unknown =>
      (the('NetworkPolicy', render({ networkPolicy })).spec as unknown as { ingress: unknown }).ingress;
    assert.deepEqual(rulesOf({ enabled: true }), [{ ports: [{ port: 'http' }] }]);
    const from = [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }];
    assert.deepEqual(rulesOf({ enabled: true, visitors: from, metrics: from }), [
      { ports: [{ port: 'http' }], from },
      { ports: [{ port: 'metrics' }], from },
    ]);
  });

  test('adds volumes, and uses an existing claim', async () => {
    const stateful = the(
      'StatefulSet',
      render({
        persistence: { existingClaim: 'links', size: '1Gi' },
        extraVolumes: [{ name: 'geo', configMap: { name: 'geo' } }],
        extraVolumeMounts: [{ name: 'geo', mountPath: '/geo', readOnly: true }],
      }),
    );
    await requireValid(stateful);
    assert.equal((stateful.spec as { volumeClaimTemplates?: unknown }).volumeClaimTemplates, undefined);
    const volumes = podOf(stateful).volumes as { name: string }[];
    assert.deepEqual(volumes.map(({ name }) => name).sort(), ['data', 'geo', 'temporary']);
    const mounts = (containerOf(stateful) as unknown as { volumeMounts: { name: string }[] }).volumeMounts;
    assert.deepEqual(mounts.map(({ name }) => name).sort(), ['data', 'geo', 'temporary']);
  });

  test('rejects invalid values', () => {
    for (const [wrong, said] of [
      [{ replicas: 2 }, /DATABASE_URL/],
      [{ replicaCount: 2 }, /replicaCount/],
      [{ baseUrl: 'go.example.com' }, /baseUrl/],
      [{ baseUrl: 'https://go.example.com/' }, /baseUrl/],
      [{ settings: { PORT: 80 } }, /PORT/],
      [{ settings: { PORT: '8080' } }, /PORT/],
      [{ settings: { METRICS_PORT: '8080' } }, /METRICS_PORT/],
      [{ extraVolumeMounts: [{ name: 'geo' }] }, /mountPath/],
      [{ settings: { port: '80' } }, /port/],
      [{ settings: { TRUST_PROXI: '10.0.0.0/8' } }, /settings\.TRUST_PROXI cannot be set/],
      [{ secrets: { SECRET_KEI: { secret: 'a', key: 'b' } } }, /secrets\.SECRET_KEI cannot be set/],
      [{ secrets: { TRUST_PROXY: { secret: 'a', key: 'b' } } }, /secrets\.TRUST_PROXY cannot be set/],
      [{ secrets: { DATABASE_URL: 'postgres://secret' } }, /DATABASE_URL/],
      [{ persistence: { size: 'large' } }, /size/],
      [{ ingress: { enable: true } }, /enable/],
    ] as const) {
      const file = join(temporaryFolder('values'), 'values.yaml');
      writeFileSync(file, JSON.stringify(wrong));
      const refused = helm('template', 'linkfold', chart, '--values', file);
      assert.notEqual(refused.status, 0, JSON.stringify(wrong));
      assert.match(refused.stderr, said);
    }
  });

  test("knows every value in the schema, with the program's versions", () => {
    const read = (name: string) => parse(readFileSync(join(root, chart, name), 'utf8'));
    assert.deepEqual(
      Object.keys(read('values.schema.json').properties)
        .filter((name) => name !== 'global')
        .sort(),
      Object.keys(read('values.yaml')).sort(),
    );
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.deepEqual([read('Chart.yaml').version, read('Chart.yaml').appVersion], [version, version]);
  });
});
