import { spawn, spawnSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../http/ports.ts';
import { sleep } from '../random/random.ts';
import { temporaryFolder } from '../server/server.ts';
import { runner } from './postgres.ts';

/** On Debian, PgBouncer is installed in a folder that is only in root's PATH. */
const env = { PATH: `${process.env['PATH']}:/usr/sbin` };

/** @returns why PgBouncer is not available, or undefined if it is */
export function whyNoPgbouncer(): string | undefined {
  return spawnSync('pgbouncer', ['--version'], { env }).error === undefined
    ? undefined
    : 'PgBouncer is not installed (Debian: apt-get install pgbouncer)';
}

export interface Pgbouncer {
  /** Returns the URL for reaching the database through the pooler, with additional parameters. */
  url(parameters?: Readonly<Record<string, string>>): string;
  /** Kills PgBouncer. `start` restarts it on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

const startsWithinMs = 5_000;

/**
 * Starts a PgBouncer in transaction mode in front of a database. PgBouncer ends with this process. Like PostgreSQL,
 * PgBouncer refuses to run as root.
 * @param settings settings in `pgbouncer.ini`
 */
export async function startPgbouncer(
  database: string,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pgbouncer> {
  const { hostname, port: target, username, password, pathname, searchParams } = new URL(database);
  const folder = temporaryFolder('pgbouncer');
  const port = await freePort();
  const users = join(folder, 'users');
  const configuration = join(folder, 'pgbouncer.ini');
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    pool_mode: 'transaction',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    configuration,
    `[databases]\n* = host=${hostname} port=${target}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  const { user } = runner;
  let child: ReturnType<typeof spawn> | undefined;
  process.once('exit', () => child?.kill('SIGKILL'));
  const start = async (): Promise<void> => {
    const running = spawn('pgbouncer', ['--quiet', configuration], { env, stdio: 'pipe', ...user });
    let said = '';
    running.stderr.on('data', (data) => {
      said += data;
    });
    child = running;
    for (const end = performance.now() + startsWithinMs; !(await accepts(port)); await sleep(10))
      if (running.exitCode !== null || performance.now() > end)
        throw new Error(`PgBouncer did not start:\n${said}`);
  };
  if (user !== undefined)
    for (const path of [folder, users, configuration]) chownSync(path, user.uid, user.gid);
  await start();
  return {
    url(parameters = {}) {
      const query = new URLSearchParams([...searchParams, ...Object.entries(parameters)]).toString();
      return `postgres://${username}:${password}@127.0.0.1:${port}${pathname}${query && `?${query}`}`;
    },
    async kill() {
      const running = child;
      child = undefined;
      if (running === undefined) return;
      const gone = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGKILL');
      await gone;
    },
    start,
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      resolve(true);
      socket.destroy();
    });
  });
}
