import type { Connection } from './connection.ts';

/** PostgreSQL 14, the oldest version that was still maintained when this was written. */
const oldestVersion = 140_000;

const facts = `
  SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby,
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
    current_setting('synchronous_commit') AS synchronous_commit,
    (SELECT setting FROM pg_settings WHERE name = 'statement_timeout') AS statement_ms`;

interface Facts {
  readonly number: string;
  readonly version: string;
  readonly encoding: string;
  readonly standby: boolean;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly statement_ms: string;
}

/** By setting: what becomes of an acknowledged write while it is off. */
const durability = {
  fsync: 'a power cut can damage the whole database',
  full_page_writes: 'a power cut can damage pages of the database',
  synchronous_commit: 'a crash takes back the last links that were acknowledged',
} as const;

/**
 * Checks that a server keeps what it acknowledges.
 * @param statementMs what the connection asked for as it was made; undefined behind a pooler, where none asks
 * @throws Error that names what is wrong with it and the remedy
 */
export async function requireSoundServer(
  connection: Connection,
  allowUnsafe: boolean,
  statementMs: number | undefined,
): Promise<void> {
  const found = await connection.get<Facts>(facts, []);
  if (found === undefined) throw new Error('PostgreSQL does not say what its settings are.');
  if (Number(found.number) < oldestVersion)
    throw new Error(`PostgreSQL ${found.version} is too old: 14 or newer is needed.`);
  if (found.encoding !== 'UTF8')
    throw new Error(
      `The database has the encoding ${found.encoding}. Make it anew with: CREATE DATABASE … ENCODING 'UTF8'.`,
    );
  if (found.standby)
    throw new Error('DATABASE_URL leads to a standby, which takes no writes. It must lead to the primary.');
  if (statementMs !== undefined && Number(found.statement_ms) !== statementMs)
    throw new Error(
      'Something on the way to PostgreSQL, such as a pooler, drops the time limits that a connection asks for. ' +
        'Say pooler=transaction in DATABASE_URL; they are then set in each transaction.',
    );
  if (allowUnsafe) return;
  for (const [setting, consequence] of Object.entries(durability)) {
    if (found[setting as keyof typeof durability] !== 'off') continue;
    throw new Error(
      `PostgreSQL has ${setting} = off: ${consequence}. Set it to on, for the server and for this database and user ` +
        '(ALTER DATABASE and ALTER USER … RESET), or accept the loss with the parameter durability=unchecked in DATABASE_URL.',
    );
  }
}
