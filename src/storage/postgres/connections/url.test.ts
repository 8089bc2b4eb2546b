import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { postgresAddressIn } from './url.ts';

const here = import.meta.filename;
const missing = join(import.meta.dirname, 'no-such-file');

test('parses host, user and database from a URL', () => {
  const address = postgresAddressIn(
    'postgresql://us%40er:p%2Fw%3A%25@db.example.com:6432/li%20nk?sslmode=disable',
  );
  const { host, port, user, password, database, tls, isOpenToReaders } = address;
  assert.deepEqual(
    { host, port, user, password, database, tls, isOpenToReaders },
    {
      host: 'db.example.com',
      port: 6432,
      user: 'us@er',
      password: 'p/w:%',
      database: 'li nk',
      tls: false,
      isOpenToReaders: false,
    },
  );
  const plain = postgresAddressIn('POSTGRES://me@[::1]/links');
  assert.deepEqual([plain.host, plain.port, plain.password], ['::1', 5432, undefined]);
  const socket = postgresAddressIn('postgres://me:pw@localhost/links?host=/var/run/postgresql');
  assert.equal(socket.host, '/var/run/postgresql');
});

test('parses parameters', () => {
  const { options, applicationName, connectMs, pooled, allowUnsafe } = postgresAddressIn(
    'postgres://me@localhost/links?options=-c%20search_path%3Da&application_name=b&connect_timeout=3&pooler=transaction&durability=unchecked',
  );
  assert.deepEqual(
    { options, applicationName, connectMs, pooled, allowUnsafe },
    { options: '-c search_path=a', applicationName: 'b', connectMs: 3_000, pooled: true, allowUnsafe: true },
  );
  const usual = postgresAddressIn('postgres://me@localhost/links?pooler=none&durability=checked');
  assert.deepEqual([usual.pooled, usual.allowUnsafe], [false, false]);
});

test('encrypts as its mode says', () => {
  const tls = (parameters: string, host = 'db.example.com') =>
    postgresAddressIn(`postgres://me@${host}/links?${parameters}`).tls;
  assert.equal(tls('sslmode=disable'), false);
  assert.deepEqual(tls('sslmode=require'), { rejectUnauthorized: false });
  assert.deepEqual(tls('sslmode=verify-full'), {});
  const withRoot = tls(`sslmode=verify-full&sslrootcert=${here}`);
  assert.deepEqual(Object.keys(withRoot || {}), ['ca']);
  for (const mode of ['require', 'verify-ca']) {
    const checked = tls(`sslmode=${mode}&sslrootcert=${here}`);
    assert.deepEqual(Object.keys(checked || {}).sort(), ['ca', 'checkServerIdentity']);
  }
  const client = tls(`sslmode=verify-full&sslcert=${here}&sslkey=${here}`);
  assert.deepEqual(Object.keys(client || {}).sort(), ['cert', 'key']);
  for (const [host, open] of [
    ['db.example.com', true],
    ['10.0.0.1', true],
    ['localhost', false],
    ['127.0.0.1', false],
    ['[::1]', false],
  ] as const) {
    const address = postgresAddressIn(`postgres://me@${host}/links`);
    assert.deepEqual([address.tls, address.isOpenToReaders], [false, open], host);
  }
});

test('names errors without repeating the URL', () => {
  const wrong: [string, RegExp][] = [
    ['postgres://', /must contain a host/],
    [
      'postgres://me:hunter2@localhost',
      /must contain a database: postgres:\/\/USER:PASSWORD@HOST:PORT\/DATABASE/,
    ],
    ['postgres://localhost/links', /must contain a user/],
    ['postgres://me:hun#ter2@localhost/links', /must/],
    ['postgres://me:hun/ter2@localhost/links', /must/],
    ['postgres://me:hunter2%@localhost/links', /password with invalid percent-encoding; encode % as %25/],
    ['postgres://me:hunter2@localhost:port/links', /must have the form/],
    ['postgres://me:hunter2@a,b/links', /one host/],
    [
      'postgres://me:hunter2@localhost/links?sslmod=require',
      /the unknown parameter "sslmod"; supported are host, sslmode/,
    ],
    ['postgres://me:x@localhost/links?hunter2!', /has an unknown parameter/],
    [
      'postgres://me:hunter2@localhost/links?sslmode=on',
      /invalid sslmode; it must be one of disable, require, verify-ca, verify-full/,
    ],
    [
      'postgres://me:hunter2@localhost/links?sslmode=prefer',
      /sslmode=prefer, which does not guarantee encryption/,
    ],
    ['postgres://me:hunter2@localhost/links?sslmode=verify-ca', /requires sslrootcert/],
    ['postgres://me:hunter2@localhost/links?sslrootcert=/x', /requires an sslmode/],
    [
      `postgres://me:hunter2@localhost/links?sslmode=verify-full&sslrootcert=${missing}`,
      /sslrootcert, but that file/,
    ],
    [
      'postgres://me:hunter2@localhost/links?connect_timeout=0',
      /invalid connect_timeout; it must be 1 to 60 seconds/,
    ],
    [
      'postgres://me:hunter2@localhost/links?pooler=session',
      /invalid pooler; it must be one of none, transaction/,
    ],
    [
      'postgres://me:hunter2@localhost/links?durability=off',
      /invalid durability; it must be one of checked, unchecked/,
    ],
  ];
  for (const [url, message] of wrong) {
    assert.throws(
      () => postgresAddressIn(url),
      (error: Error) => {
        assert.match(error.message, /^DATABASE_URL /, url);
        assert.match(error.message, message, url);
        assert.doesNotMatch(inspect(error, { depth: 9 }).replace(/\n\s+at .*/g, ''), /hun|ter2/, url);
        return true;
      },
    );
  }
});
