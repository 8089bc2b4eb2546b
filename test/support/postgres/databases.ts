import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { folderOfProcess, folderOfRun, makeFolder } from '../files/temporary.ts';
import { postgresMissing, startPostgres } from './postgres.ts';

const startsWithinMs = 60_000;
/** Name of a template database with all tables. Copying it takes a tenth of the time that the migrations take. */
const template = 'linkfold_template';
const linkfold =
  process.env['LINKFOLD_UNDER_TEST'] ?? join(import.meta.dirname, '..', '..', '..', 'bin', 'linkfold');

/** Returns the server that all files in a test run share. The first caller starts it. */
async function sharedServer(): Promise<string> {
  const given = process.env['TEST_POSTGRES_URL'];
  if (given !== undefined && given !== '') return given;
  const folder = join(folderOfRun(), 'shared-postgres');
  const file = join(folder, 'url');
  if (makeFolder(folder)) {
    const server = await startPostgres({ shared: true, settings: { autovacuum_naptime: '1h' } });
    await makeTemplate(server.url(template, { durability: 'unchecked' }));
    writeFileSync(`${file}.part`, server.url('postgres', { durability: 'unchecked' }));
    await rename(`${file}.part`, file);
  }
  for (const end = performance.now() + startsWithinMs; ; ) {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      if (performance.now() > end) throw new Error('No PostgreSQL server was started.', { cause: error });
    }
    await pause(20);
  }
}

async function makeTemplate(url: string): Promise<void> {
  const administration = new URL(url);
  administration.pathname = '/postgres';
  await query(administration, `CREATE DATABASE ${template}`);
  const { PATH = '', HOME = '/tmp' } = process.env;
  await promisify(execFile)(linkfold, ['db', 'migrate'], { env: { PATH, HOME, DATABASE_URL: url } });
}

let server: Promise<string> | undefined;
let databases = 0;

async function asAdministrator(sql: string): Promise<void> {
  server ??= sharedServer();
  await query(new URL(await server), sql);
}

async function query(url: URL, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: bare(url) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Returns the URL without Linkfold's own query parameters. */
function bare(url: URL): string {
  const copy = new URL(url);
  copy.searchParams.delete('durability');
  return copy.href;
}

/** Returns why PostgreSQL tests cannot run, or undefined if they can. */
export async function noPostgres(): Promise<string | undefined> {
  return process.env['TEST_POSTGRES_URL'] ? undefined : postgresMissing();
}

/** Creates an empty, migrated database on the server of this test run, and returns its URL. */
export async function newPostgresDatabase(): Promise<string> {
  return process.env['TEST_POSTGRES_URL']
    ? emptyPostgresDatabase()
    : makeDatabase(` TEMPLATE ${template} STRATEGY FILE_COPY`);
}

/** Creates a database without tables on the server of this test run, and returns its URL. */
export function emptyPostgresDatabase(): Promise<string> {
  return makeDatabase('');
}

async function makeDatabase(like: string): Promise<string> {
  databases += 1;
  const name = `linkfold_test_${process.pid}_${databases}`;
  await asAdministrator(`CREATE DATABASE ${name}${like}`);
  const url = new URL(await (server ?? sharedServer()));
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database that {@link newPostgresDatabase} created, and ends its connections. */
export function dropPostgresDatabase(url: string): Promise<void> {
  return asAdministrator(`DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

export interface Engine {
  readonly name: string;
  /** Returns the URL of a new database without records. For SQLite, the file does not exist yet. */
  newDatabase(): Promise<string>;
  /** Returns the URL of a new database without tables. */
  emptyDatabase(): Promise<string>;
  drop(url: string): Promise<void>;
  /** Reason why the engine cannot be tested on this machine. */
  readonly missing?: string | undefined;
}

function newSqliteDatabase(): string {
  databases += 1;
  return `sqlite:${join(folderOfProcess(), `${databases}.db`)}`;
}

/** Database engines to test. Add new engines here. */
export const engines: readonly Engine[] = [
  {
    name: 'sqlite',
    newDatabase: async () => newSqliteDatabase(),
    emptyDatabase: async () => newSqliteDatabase(),
    drop: async () => {},
  },
  {
    name: 'postgres',
    newDatabase: newPostgresDatabase,
    emptyDatabase: emptyPostgresDatabase,
    drop: dropPostgresDatabase,
    missing: await noPostgres(),
  },
];

/** The engine to test. If it is `postgres`, every test that starts servers without its own database uses PostgreSQL. */
export const testEngine = process.env['LINKFOLD_TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

/**
 * Waits until every process has seen changes that other processes acknowledged. On PostgreSQL, processes poll four
 * times a second, and one second is guaranteed.
 */
export async function othersKnow(): Promise<void> {
  if (testEngine !== 'sqlite') await pause(1_000);
}

const databaseOfFolder = new Map<string, Promise<string>>();

/**
 * Blocks writes, but not reads, by the servers on a data directory, as a long transaction in another program would.
 * @returns a function that unblocks writes
 */
export async function refuseWrites(dataDir: string): Promise<() => Promise<void>> {
  if (testEngine === 'sqlite') {
    // The timeout is long, because the server may be writing.
    const database = new DatabaseSync(join(dataDir, 'linkfold.db'), { timeout: 20_000 });
    database.exec('BEGIN IMMEDIATE');
    return async () => database.close();
  }
  const client = new pg.Client({
    connectionString: bare(new URL((await databaseOf(dataDir)).DATABASE_URL ?? '')),
  });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE links, folders, click_journals, meta IN EXCLUSIVE MODE');
  return () => client.end();
}

/** Returns settings that make all servers on a data directory share one database of the tested engine. */
export async function databaseOf(dataDir: string): Promise<{ DATABASE_URL?: string }> {
  if (testEngine === 'sqlite') return {};
  const database = databaseOfFolder.get(dataDir) ?? newPostgresDatabase();
  databaseOfFolder.set(dataDir, database);
  return { DATABASE_URL: await database };
}
