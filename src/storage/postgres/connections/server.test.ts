// Requirements for a PostgreSQL server and its connections: settings, encryption, passwords.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import {
  type Postgres,
  password,
  postgresMissing,
  startPostgres,
} from '../../../../test/support/postgres/postgres.ts';
import { Failure } from '../../../model/failures.ts';
import { migrationStatus, openStorage } from '../../open.ts';
import { type Connection, connect } from './connection.ts';
import { postgresAddressIn } from './url.ts';

const missing = await postgresMissing();
const sound = { fsync: 'on', ssl: 'on' };
function tlsFile(name: string): string {
  return join(import.meta.dirname, '../../../../test/tls', name);
}

describe('a PostgreSQL server', { skip: missing ?? false }, () => {
  let server: Postgres;
  before(async () => {
    server = await startPostgres({ settings: { fsync: 'on' }, auth: 'scram-sha-256' });
    for (const name of ['server.crt', 'server.key']) server.write(name, readFileSync(tlsFile(name), 'utf8'));
    await server.stop();
    await server.start(sound);
  });
  after(() => server.end());

  const asAdministrator = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await connect(postgresAddressIn(server.url()), { statementMs: 0 });
    try {
      return await work(connection);
    } finally {
      await connection.end();
    }
  };
  const opens = async (url: string): Promise<void> => {
    const storage = await openStorage(url);
    await storage.ping();
    await storage.close();
  };
  const restart = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    await server.stop('immediate');
    await server.start(settings);
  };

  for (const [setting, consequence] of [
    ['fsync', /fsync = off: a power failure can corrupt the database\. Set it to on/],
    ['full_page_writes', /full_page_writes = off: a power failure can corrupt database pages/],
    ['synchronous_commit', /synchronous_commit = off: a crash can lose links .* ALTER USER … RESET/],
  ] as const) {
    test(`is rejected with ${setting} off, unless the URL accepts that`, async () => {
      await restart({ ...sound, [setting]: 'off' });
      try {
        await assert.rejects(openStorage(server.url()), consequence);
        await opens(server.url('postgres', { durability: 'unchecked' }));
      } finally {
        await restart(sound);
      }
      await opens(server.url());
    });
  }

  test('is rejected if its database, its user or the URL turn synchronous_commit off; weaker levels pass', async () => {
    const off = /synchronous_commit = off/;
    await assert.rejects(openStorage(server.url('postgres', { options: '-c synchronous_commit=off' })), off);
    await opens(server.url('postgres', { options: '-c synchronous_commit=local' }));
    for (const target of ['DATABASE postgres', 'USER linkfold']) {
      await asAdministrator((connection) =>
        connection.command(`ALTER ${target} SET synchronous_commit = off`),
      );
      try {
        await assert.rejects(openStorage(server.url()), off);
      } finally {
        await asAdministrator((connection) => connection.command(`ALTER ${target} RESET synchronous_commit`));
      }
    }
    await opens(server.url());
  });

  test('is rejected if its database cannot store every character', async () => {
    await asAdministrator((connection) =>
      connection.command("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0"),
    );
    await assert.rejects(openStorage(server.url('ascii')), /encoding SQL_ASCII\. .*ENCODING 'UTF8'/);
  });

  test('is rejected if it is a standby', async () => {
    server.write('standby.signal', '');
    await restart(sound);
    try {
      await assert.rejects(openStorage(server.url()), /points to a standby server, which accepts no writes/);
    } finally {
      await server.promote();
    }
    await opens(server.url());
  });

  test('is named with the reason when it cannot be used, without the password', async () => {
    const refusals: [string, RegExp][] = [
      [
        server.url().replace(`:${password}@`, ':hunter2@'),
        /password authentication failed for user "linkfold"/,
      ],
      [server.url().replace(`:${password}@`, '@'), /requires a password, but DATABASE_URL has none/],
      [server.url('nowhere'), /database "nowhere" does not exist/],
      [
        server.url().replace(/:\d+\//, ':1/'),
        /could not use the database at 127\.0\.0\.1:1: connect ECONNREFUSED/,
      ],
      [
        server.url().replace('127.0.0.1', 'no-such-host.invalid'),
        /could not use the database at no-such-host\.invalid:\d+: /,
      ],
    ];
    for (const [url, reason] of refusals) {
      for (const open of [openStorage, migrationStatus]) {
        await assert.rejects(open(url), (error) => {
          assert.ok(error instanceof Failure && error.code === 'STORAGE_UNAVAILABLE');
          assert.match(error.message, reason);
          assert.doesNotMatch(
            inspect(error, { depth: 9, showHidden: true }),
            new RegExp(`hunter2|${password}`),
          );
          return true;
        });
      }
    }
  });

  test('is contacted exactly as in the URL, and no server in its place', async () => {
    const ca = tlsFile('ca.crt');
    const own = tlsFile('server.crt');
    const isEncrypted = async (host: string, parameters: Record<string, string>): Promise<unknown> => {
      const url = server.url('postgres', parameters).replace('127.0.0.1', host);
      const connection = await connect(postgresAddressIn(url), { statementMs: 0 });
      try {
        const found = await connection.get<{ ssl: boolean }>(
          'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
          [],
        );
        return found?.ssl;
      } finally {
        await connection.end();
      }
    };
    const here = '127.0.0.1';
    assert.equal(await isEncrypted(here, {}), false);
    assert.equal(await isEncrypted(here, { sslmode: 'disable' }), false);
    assert.equal(await isEncrypted(here, { sslmode: 'require' }), true);
    assert.equal(await isEncrypted(here, { sslmode: 'require', sslrootcert: ca }), true);
    assert.equal(await isEncrypted(here, { sslmode: 'verify-ca', sslrootcert: ca }), true);
    assert.equal(await isEncrypted('localhost', { sslmode: 'verify-full', sslrootcert: ca }), true);
    const refused = (host: string, parameters: Record<string, string>, reason: RegExp) =>
      assert.rejects(isEncrypted(host, parameters), reason);
    await refused(here, { sslmode: 'verify-full', sslrootcert: ca }, /does not match certificate/);
    await refused('localhost', { sslmode: 'verify-full' }, /certificate/);
    for (const sslmode of ['require', 'verify-ca', 'verify-full'])
      await refused('localhost', { sslmode, sslrootcert: own }, /certificate/);
    await restart({ fsync: 'on' });
    await refused(here, { sslmode: 'require' }, /does not support SSL/);
    await restart(sound);
  });
});
