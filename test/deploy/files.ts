import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config.ts';

// The parsed files in deploy/. The tests need no container engine: they compare the files with each other and with the
// source code, and run their scripts and HAProxy as plain processes.

export const root = join(import.meta.dirname, '..', '..');
export const deploy = join(root, 'deploy');
export function read(name: string): string {
  return readFileSync(join(deploy, name), 'utf8');
}

export type Strings = Readonly<Record<string, string>>;

export interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment: Strings;
  readonly secrets?: readonly string[];
  readonly networks?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
}

interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: object;
  readonly volumes: object;
  readonly secrets?: Readonly<Record<string, { file: string }>>;
}

function composeIn(name: string) {
  return parse(read(name), { merge: true }) as Compose;
}
/** Compose file for a single node. The next lines contain the one for a cluster. */
export const single = composeIn('compose.yaml');
export const compose = composeIn('compose.cluster.yaml');
export const [alone = assert.fail('compose.yaml has no service')] = Object.values(single.services);
const services = Object.entries(compose.services);
/** Cluster services that run Linkfold. */
export const nodes = services.filter(([name]) => name.startsWith('node'));

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: object;
  readonly resources: { readonly limits: { readonly memory: string } };
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly runAsUser: number };
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly emptyDir?: object }[];
}

export interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly serviceName?: string;
    readonly selector: Strings | { readonly matchLabels: Strings };
    readonly ports?: readonly { readonly port: number; readonly targetPort: string }[];
    readonly template?: { readonly metadata: { readonly labels: Strings }; readonly spec: Pod };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

/**
 * Returns the resources in a file. Kubernetes reads YAML 1.1, where `no` and 0440 have different meanings than in YAML
 * 1.2. Asserts that the file means the same in both versions.
 */
function resourcesIn(name: string): readonly Resource[] {
  const [first, second] = (['1.1', '1.2'] as const).map((version) =>
    parseAllDocuments(read(name), { version }).map((document) => document.toJS()),
  );
  assert.deepEqual(first, second);
  return (first ?? []).filter((resource) => resource !== null);
}

export function podOf(resource: Resource | undefined): Pod {
  assert.ok(resource?.spec.template !== undefined);
  return resource.spec.template.spec;
}
export function containerOf(resource: Resource | undefined): Container {
  const [container] = podOf(resource).containers;
  assert.ok(container !== undefined);
  return container;
}

export const resources = resourcesIn('kubernetes.yaml');
/** The Kubernetes StatefulSet. */
export const [workload = assert.fail('kubernetes.yaml has no pods')] = resources.filter(
  ({ spec }) => spec.template !== undefined,
);
export function environmentIn(resource: Resource): Strings {
  return Object.fromEntries(containerOf(resource).env.map(({ name, value }) => [name, value]));
}

/** Environment variables that the Dockerfile sets. */
export const imageEnvironment: Strings = Object.fromEntries(
  [...(/^ENV (.+)$/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

/** Returns the configuration that a node loads. Secrets are read from another folder instead of the mounted folder. */
export function configOf(given: Strings, mounted: string, secrets: string) {
  const env = { ...imageEnvironment, ...given };
  const texts = Object.entries(env).map(([name, value]) => [
    name,
    String(value)
      .replace(/^\$\{BASE_URL:\?.*\}$/, 'https://go.example.com')
      .replace(mounted, secrets),
  ]);
  return loadConfig(Object.fromEntries(texts));
}

/** After SHUTDOWN_DELAY, `src/app/serve.ts` exits within this number of seconds. */
export const shutdownSeconds = 30;
