import { cpSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import pg from 'pg';
import { type Postgres, password, startPostgres, superuser } from './postgres.ts';

/** Works with the server as its administrator. */
export async function administer<T>(server: Postgres, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.url() });
  // It may be ended while it is used.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export interface ReplicaOptions {
  /** How the primary calls it, such as in `synchronous_standby_names`. */
  readonly name?: string;
  /** Where it finds the primary, such as the port of a proxy. */
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts a streaming replica of a server, from a copy of its files that is made while it works. */
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
        // What is in the log comes by the stream.
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
