import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../random/random.ts';
import { freePorts } from './ports.ts';

/** On Debian, HAProxy is installed in a folder that is only in root's PATH. */
export const haproxyEnvironment = { PATH: `${process.env['PATH']}:/usr/sbin` };

/** @returns why HAProxy is not available, or undefined if it is */
export function whyNoHaproxy(): string | undefined {
  return spawnSync('haproxy', ['-v'], { env: haproxyEnvironment }).error === undefined
    ? undefined
    : 'HAProxy is not installed (Debian: apt-get install haproxy)';
}

export interface Haproxy {
  readonly port: number;
  /** Waits until HAProxy considers all servers ready. */
  allUp(): Promise<void>;
  stop(): Promise<void>;
}

const upWithinMs = 10_000;

/**
 * Returns the configuration recommended in docs/operating.md, but without retries, which would hide failures. The
 * header `x-node` names the node that responded.
 */
function configuration(port: number, statistics: number, servers: readonly number[]): string {
  return `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout check 2s
  retries 0
frontend public
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  option httpchk GET /readyz
  http-check expect status 200
  http-response set-header x-node %s
${servers.map((one, index) => `  server node${index} 127.0.0.1:${one} check inter 100ms fall 2 rise 1`).join('\n')}
listen statistics
  bind 127.0.0.1:${statistics}
  stats enable
  stats uri /
`;
}

/** Starts HAProxy in front of the servers. HAProxy checks their readiness ten times a second. */
export async function startHaproxy(folder: string, servers: readonly number[]): Promise<Haproxy> {
  const [port = 0, statistics = 0] = await freePorts(2);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, statistics, servers));
  const child = spawn('haproxy', ['-db', '-f', file], {
    env: haproxyEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  process.on('exit', () => child.kill('SIGKILL'));
  const isUp = async (): Promise<boolean> => {
    const text = await fetch(`http://127.0.0.1:${statistics}/;csv`).then(
      (answer) => answer.text(),
      () => '',
    );
    const lines = text.split('\n').filter((line) => line.startsWith('nodes,node'));
    return lines.length === servers.length && lines.every((line) => line.split(',')[17] === 'UP');
  };
  return {
    port,
    async allUp() {
      for (let waited = 0; !(await isUp()); waited += 20) {
        if (waited > upWithinMs || child.exitCode !== null) throw new Error(`HAProxy: ${said}`);
        await sleep(20);
      }
    },
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}
