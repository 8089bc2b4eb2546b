import type { Connection } from './connection.ts';

/** PostgreSQL 14, the oldest supported version at the time of writing. */
const oldestVersion = 140_000;

const serverSettings = `
  SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby,
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
    current_setting('synchronous_commit') AS synchronous_commit,
    (SELECT setting FROM pg_settings WHERE name = 'statement_timeout') AS statement_ms`;

interface ServerSettings {
  readonly number: string;
  readonly version: string;
  readonly encoding: string;
  readonly standby: boolean;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly statement_ms: string;
}

/** PostgreSQL's durability settings, each with the possible damage when it is off. */
const durability = {
  fsync: 'a power failure can corrupt the database',
  full_page_writes: 'a power failure can corrupt database pages',
  synchronous_commit: 'a crash can lose links that were already acknowledged',
} as const;

/**
 * Checks that a server is durable: it never loses acknowledged data.
 * @param statementMs the timeout that the connection requested; undefined with a pooler, because a pooled connection
 * requests no timeout
 * @throws Error with the problem and its fix
 */
export async function requireDurableServer(
  connection: Connection,
  allowUnsafe: boolean,
  statementMs: number | undefined,
): Promise<void> {
  const found = await connection.get<ServerSettings>(serverSettings, []);
  if (found === undefined) throw new Error('PostgreSQL did not return its settings.');
  if (Number(found.number) < oldestVersion)
    throw new Error(`PostgreSQL ${found.version} is too old. Version 14 or newer is required.`);
  if (found.encoding !== 'UTF8')
    throw new Error(
      `The database has the encoding ${found.encoding}. Create a new one with: CREATE DATABASE … ENCODING 'UTF8'.`,
    );
  if (found.standby)
    throw new Error('DATABASE_URL points to a standby server, which accepts no writes. Use the primary.');
  if (statementMs !== undefined && Number(found.statement_ms) !== statementMs)
    throw new Error(
      'A connection pooler or proxy ignores the timeouts that Linkfold sets on its PostgreSQL connections. ' +
        'Add pooler=transaction to DATABASE_URL, so that they are set in each transaction.',
    );
  if (allowUnsafe) return;
  for (const [setting, consequence] of Object.entries(durability)) {
    if (found[setting as keyof typeof durability] !== 'off') continue;
    throw new Error(
      `PostgreSQL has ${setting} = off: ${consequence}. Set it to on, for the server and for this database and user ` +
        '(ALTER DATABASE and ALTER USER … RESET), or accept the risk with the parameter durability=unchecked in DATABASE_URL.',
    );
  }
}
