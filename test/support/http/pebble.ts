import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { temporaryFolder } from '../files/temporary.ts';
import { until } from '../until.ts';
import { freePorts } from './ports.ts';

// Starts a real certificate authority for tests: Let's Encrypt's pebble, which deliberately rejects 5 % of valid
// nonces.

/** Returns why pebble is not available, or undefined if it is. */
export function whyNoPebble(): string | undefined {
  const missing = ['pebble', 'pebble-challtestsrv'].filter((one) => spawnSync(one, ['-help']).error);
  return missing.length === 0
    ? undefined
    : `${missing.join(' and ')} not installed (Debian: apt-get install pebble)`;
}

const keys = join(import.meta.dirname, '..', '..', 'tls');
/** CA certificate of pebble's own server, which Node must trust. */
export const pebbleTrust = join(keys, 'ca.crt');

export interface Pebble {
  readonly directory: string;
  /** Root certificate for the certificates that pebble issues, in PEM format. */
  readonly root: string;
  /** Returns pebble's log of all requests and decisions. */
  log(): string;
  /** Kills pebble to simulate a crash. `start` restarts it without data and with another root certificate. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface PebblePorts {
  /** Port at which pebble validates HTTP-01 for every host. `tls` is the port for TLS-ALPN-01. */
  readonly http: number;
  readonly tls: number;
}

/** @param more additional settings, such as `certificateValidityPeriod` in seconds */
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
  // A DNS server that resolves every name to this machine.
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
