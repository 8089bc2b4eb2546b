import { cpSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import pg from 'pg';
import { type Postgres, password, startPostgres, superuser } from './postgres.ts';

/** Runs a function with an administrator connection to the server. */
export async function administer<T>(server: Postgres, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.url() });
  // The server may end the connection at any time, which is not an error here.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export interface ReplicaOptions {
  /** Name of the replica as seen by the primary, for `synchronous_standby_names`. */
  readonly name?: string;
  /** Port to which the replica connects to reach the primary, such as the port of a proxy. */
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts a streaming replica from a copy of the primary's files. The copy is made while the primary is running. */
export function startReplica(
  primary: Postgres,
  { name = 'replica', port = primary.port, settings = {} }: ReplicaOptions = {},
): Promise<Postgres> {
  return startPostgres({
    settings: {
      primary_conninfo: `host=127.0.0.1 port=${port} user=${superuser} password=${password} application_name=${name}`,
      ...settings,
    },
    fill: (dataDir) =>
      administer(primary, async (client) => {
        await client.query("SELECT pg_backup_start('replica', true)");
        // Leaves out the write-ahead log, which the replica receives by streaming.
        const left = /^(postmaster\.(pid|opts)|pg_wal\/.*|pg_replslot\/.*|pg_stat_tmp\/.*)$/;
        cpSync(primary.dataDir, dataDir, {
          recursive: true,
          filter: (path) => !left.test(relative(primary.dataDir, path)),
        });
        const stopped = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
        writeFileSync(join(dataDir, 'backup_label'), stopped.rows[0]?.labelfile ?? '');
        writeFileSync(join(dataDir, 'standby.signal'), '');
      }),
  });
}
