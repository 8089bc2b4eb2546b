import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOfRun, makeFolder } from '../files/temporary.ts';
import { until } from '../until.ts';
import { linesOf } from './log.ts';
import {
  type Environment,
  environmentOf,
  executable,
  type Server,
  type Service,
  serviceAt,
} from './server.ts';

/** A service that many test files share and no test stops. */
export type SharedServer = Service & Pick<Server, 'output'>;

/** Lets visitors set their IP address, and disables limits per address, because all tests use the same address. */
const settings = {
  TRUST_PROXY: '1',
  COUNTRY_HEADER: 'X-Country',
  USER_HEADER: 'X-User',
  LINK_QUOTAS: 'pro=3',
  BLOCKED_HOSTS: 'blocked.example',
  CODE_MISS_LIMIT: '1000000',
  AUTH_FAILURE_LIMIT: '1000000',
};

/**
 * Returns the server that the files in a test run share, for tests that need only an account. The first caller starts
 * it, and it ends with the run.
 */
export async function sharedServer(): Promise<SharedServer> {
  const folder = join(folderOfRun(), 'shared-server');
  const file = join(folder, 'environment.json');
  if (makeFolder(folder)) {
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const environment = { ...(await environmentOf(dataDir)), ...settings };
    writeFileSync(file, JSON.stringify(environment));
    const log = openSync(join(folder, 'log'), 'w');
    spawn(executable, ['serve'], { env: environment, detached: true, stdio: ['ignore', log, log] }).unref();
    await until('the shared server is ready', () => urlIn(folder) !== undefined);
    rmSync(join(dataDir, 'first-key.txt'));
    writeFileSync(join(folder, 'ready'), '');
  }
  await until('the shared server is ready', () => textOf(join(folder, 'ready')) !== undefined);
  const service = serviceAt(urlIn(folder) ?? '', JSON.parse(textOf(file) ?? '{}') as Environment);
  return { ...service, output: () => textOf(join(folder, 'log')) ?? '' };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function urlIn(folder: string): string | undefined {
  const log = textOf(join(folder, 'log')) ?? '';
  const whole = log.slice(0, log.lastIndexOf('\n') + 1);
  const ready = linesOf({ output: () => whole }).find(({ msg }) => msg === 'ready');
  return ready?.['url'] as string | undefined;
}
