import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { temporaryFolder } from '../files/temporary.ts';
import { until } from '../until.ts';
import { freePorts } from './ports.ts';

// A real certificate authority for tests: Let's Encrypt's pebble, which refuses 5 % of good nonces on purpose.

/** Why no test can use it; undefined when it is there. */
export function whyNoPebble(): string | undefined {
  const missing = ['pebble', 'pebble-challtestsrv'].filter((one) => spawnSync(one, ['-help']).error);
  return missing.length === 0
    ? undefined
    : `${missing.join(' and ')} not there (Debian: apt-get install pebble)`;
}

const keys = join(import.meta.dirname, '..', '..', 'tls');
/** The certificate of the authority's own server is of this authority: what Node must trust to ask it. */
export const pebbleTrust = join(keys, 'ca.crt');

export interface Pebble {
  readonly directory: string;
  /** The root of what it issues, in PEM. */
  readonly root: string;
  /** Every request that it has heard, and what it decided. */
  log(): string;
  /** Stops it as if it had died; `start` begins anew, with another root, and knows nobody. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface PebblePorts {
  /** Where it looks for files, and for certificates, of every host. */
  readonly http: number;
  readonly tls: number;
}

/** @param more of its settings, such as `certificateValidityPeriod`, s */
export async function startPebble({ http, tls }: PebblePorts, more = {}): Promise<Pebble> {
  const [port = 0, management = 0, dns = 0, dnsManagement = 0] = await freePorts(4);
  const folder = temporaryFolder('pebble');
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(keys, 'server.crt'),
    privateKey: join(keys, 'server.key'),
    httpPort: http,
    tlsPort: tls,
    ...more,
  };
  const file = join(folder, 'pebble.json');
  writeFileSync(file, JSON.stringify({ pebble: config }));
  // Every name leads to this machine.
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', ''];
  const here = ['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${dnsManagement}`];
  const names = spawn('pebble-challtestsrv', [...off, ...here], { stdio: 'ignore' });
  process.on('exit', () => names.kill('SIGKILL'));
  names.unref();
  let child: ChildProcess | undefined;
  process.on('exit', () => child?.kill('SIGKILL'));
  let log = '';
  let root = '';
  const start = async (): Promise<void> => {
    child = spawn('pebble', ['-config', file, '-dnsserver', `127.0.0.1:${dns}`, '-strict'], {
      env: { PATH: process.env['PATH'] ?? '', PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.unref();
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (log += text));
    await until('pebble answers', async () => {
      root = await read(management, '/roots/0').catch(() => '');
      return root !== '';
    });
  };
  await start();
  return {
    directory: `https://localhost:${port}/dir`,
    get root() {
      return root;
    },
    log: () => log,
    async stop() {
      const ended = child === undefined || child.exitCode !== null ? undefined : once(child, 'exit');
      child?.kill('SIGKILL');
      await ended;
    },
    start,
  };
}

function read(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: 'localhost', port, path, ca: readFileSync(pebbleTrust), agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.once('end', () => resolve(text)).once('error', reject);
    }).once('error', reject);
  });
}
