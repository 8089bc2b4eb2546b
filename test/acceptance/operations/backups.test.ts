// Scheduled backups to a folder and to a bucket on a real S3 server.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import S3rver from 's3rver';
import { testEngine } from '../../support/postgres/databases.ts';
import { makeLink } from '../../support/server/records.ts';
import {
  as,
  call,
  type Environment,
  environmentOf,
  executable,
  startServer,
  temporaryFolder,
} from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const skip = testEngine !== 'sqlite' && 'PostgreSQL is backed up by its own programs';
const backupsIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => /^linkfold-\d{8}T\d{6}Z\.db$/.test(name)) : [];

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command, which may fail, and returns its result. */
function run(env: Environment, ...args: string[]): Promise<Result> {
  return new Promise((resolve) =>
    execFile(executable, args, { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  );
}

describe('scheduled backups', { skip }, () => {
  test('backs up on schedule to a valid file', async () => {
    const folder = temporaryFolder('backups');
    const env = {
      BACKUP_SCHEDULE: '6h',
      BACKUP_TO: folder,
      METRICS_TOKEN: 'metrics-token-of-the-test',
      PATH: process.env['PATH'] ?? '',
    };
    const server = await startServer(env);
    try {
      await until('the first backup', () => backupsIn(folder).length === 1);
      const metrics = await call(server, 'GET', '/metrics', {
        headers: { authorization: 'Bearer metrics-token-of-the-test' },
      });
      assert.match(metrics.text, /^linkfold_backup_failures_total 0$/m);
      const [name = ''] = backupsIn(folder);
      const verified = await run(env, 'db', 'restore', join(folder, name), '--verify');
      assert.equal(verified.code, 0, verified.stderr);
    } finally {
      await server.stop();
    }
  });

  test('keeps the newest backups, other files, and files of a running backup', async () => {
    const dataDir = temporaryFolder('data');
    const folder = join(dataDir, 'kept');
    mkdirSync(folder);
    const env = { ...(await environmentOf(dataDir)), BACKUP_TO: folder, BACKUP_KEEP: '2' };
    await run(env, 'db', 'migrate');
    for (const name of ['linkfold-20200101T000000Z.db', 'linkfold-20200102T000000Z.db', 'mine.db'])
      writeFileSync(join(folder, name), 'old');
    const [killed, running] = ['linkfold-20200103T000000Z.db.part-1', 'linkfold-20200104T000000Z.db.part-2'];
    for (const name of [killed, running]) writeFileSync(join(folder, name), 'part');
    utimesSync(join(folder, killed), 0, 0);
    const { code, stderr } = await run(env, 'db', 'backup');
    assert.equal(code, 0, stderr);
    const left = readdirSync(folder).sort();
    assert.equal(left.length, 4, left.join(' '));
    assert.deepEqual(left.slice(0, 2), ['linkfold-20200102T000000Z.db', running]);
    assert.equal(left.at(-1), 'mine.db');
  });

  test('deletes no older backup after a failed one', async () => {
    const dataDir = temporaryFolder('data');
    const folder = join(dataDir, 'kept');
    mkdirSync(folder);
    writeFileSync(join(folder, 'linkfold-20200101T000000Z.db'), 'old');
    const env = { ...(await environmentOf(dataDir)), BACKUP_TO: folder, BACKUP_KEEP: '1' };
    const { code, stderr } = await run(env, 'db', 'backup');
    assert.notEqual(code, 0);
    assert.match(stderr, /no database/i);
    assert.deepEqual(readdirSync(folder), ['linkfold-20200101T000000Z.db']);
  });

  test('rejects invalid settings with the fix', async () => {
    const base = await environmentOf(temporaryFolder('data'));
    const cases: [Environment, RegExp][] = [
      [{ BACKUP_SCHEDULE: '03:00' }, /BACKUP_SCHEDULE requires BACKUP_TO: a folder, or a bucket/],
      [{ BACKUP_TO: 's3://backups' }, /requires BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY/],
      [{ BACKUP_TO: 'ftp://host/x' }, /BACKUP_TO must be a folder, or a bucket such as s3:/],
      [{ BACKUP_SCHEDULE: 'daily', BACKUP_TO: '/x' }, /BACKUP_SCHEDULE must be a time in UTC such as 03:00/],
      [
        { BACKUP_SCHEDULE: '03:00', DATABASE_URL: 'postgres://a:b@127.0.0.1/c' },
        /BACKUP_SCHEDULE only works with SQLite\. Unset it, and back up PostgreSQL with pg_dump/,
      ],
    ];
    for (const [env, sentence] of cases) {
      const { code, stderr } = await run({ ...base, ...env }, 'db', 'backups');
      assert.equal(code, 2, stderr);
      assert.match(stderr, sentence);
    }
  });
});

describe('backups in a bucket', { skip }, () => {
  const folder = temporaryFolder('s3');
  const s3 = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory: folder },
    configureBuckets: [{ name: 'backups', configs: [] }],
  });
  let port = 0;
  let dataDir = '';
  let base: Environment = {};
  let code = '';
  before(async () => {
    ({ port } = await s3.run());
    const server = await startServer();
    ({ dataDir } = server);
    const { key } = await server.newKey();
    const id = await makeLink(as(server, key));
    code = (await call(server, 'GET', `/api/v1/links/${id}`, { key })).json.data.shortCode;
    await server.stop();
    base = {
      ...(await environmentOf(dataDir)),
      ...{ BACKUP_TO: 's3://backups/linkfold', BACKUP_KEEP: '2' },
      BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      ...{ BACKUP_S3_ACCESS_KEY_ID: 'S3RVER', BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER' },
    };
  });
  after(() => s3.close());
  const list = async (): Promise<string[]> =>
    JSON.parse((await run(base, 'db', 'backups', '--json')).stdout).map((one: { name: string }) => one.name);

  test('uploads, reads back, lists, and restores a backup elsewhere', async () => {
    const made = await run(base, 'db', 'backup', '--json');
    assert.equal(made.code, 0, made.stderr);
    const { path } = JSON.parse(made.stdout);
    assert.match(path, /^s3:\/\/backups\/linkfold\/linkfold-\d{8}T\d{6}Z\.db$/);
    assert.deepEqual(
      (await list()).map((name) => `s3://backups/linkfold/${name}`),
      [path],
    );
    const elsewhere = temporaryFolder('elsewhere');
    const env = { ...base, ...(await environmentOf(elsewhere)) };
    const restored = await run(env, 'db', 'restore', path, '--yes');
    assert.equal(restored.code, 0, restored.stderr);
    assert.deepEqual(readdirSync(join(elsewhere, 'backup')), [], 'no temporary file is left');
    const server = await startServer({}, elsewhere);
    try {
      assert.equal((await call(server, 'GET', `/${code}`)).status, 302);
    } finally {
      await server.stop();
    }
  });

  test('keeps only the newest backups', async () => {
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await run(base, 'db', 'backup')).code, 0);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    assert.equal((await list()).length, 2);
  });

  test('leaves no backup after a killed upload; the next run removes its file', async () => {
    const names = await list();
    const env = { ...base, BACKUP_S3_ENDPOINT: await silentServer() };
    const child = spawn(executable, ['db', 'backup'], { env, stdio: 'ignore' });
    const work = join(dataDir, 'backup');
    await until(
      'an upload',
      () => existsSync(work) && readdirSync(work).some((name) => name.endsWith('.part-upload')),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.deepEqual(await list(), names);
    for (const name of readdirSync(work)) utimesSync(join(work, name), 0, 0);
    assert.equal((await run(base, 'db', 'backup')).code, 0);
    assert.deepEqual(readdirSync(work), []);
  });

  test('rejects and removes a backup stored with a changed byte', async () => {
    const names = await list();
    const env = { ...base, BACKUP_S3_ENDPOINT: await changingProxy(port) };
    const { code: exit, stderr } = await run(env, 'db', 'backup');
    assert.notEqual(exit, 0);
    assert.match(stderr, /differs from the uploaded backup\. The object was removed; run the backup again\./);
    assert.deepEqual(await list(), names);
  });

  test('names wrong keys, a missing bucket and an unavailable service, with the setting to check', async () => {
    const cases: [Environment, RegExp][] = [
      [{ BACKUP_S3_ACCESS_KEY_ID: 'wrong' }, /access denied\. Check BACKUP_S3_ACCESS_KEY_ID/],
      [{ BACKUP_TO: 's3://elsewhere' }, /does not exist\. Check BACKUP_TO\./],
      [{ BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1024' }, /cannot be reached.*Check BACKUP_S3_ENDPOINT\./],
    ];
    for (const [env, sentence] of cases) {
      const { code: exit, stderr } = await run({ ...base, ...env }, 'db', 'backup');
      assert.notEqual(exit, 0);
      assert.match(stderr, sentence);
      assert.doesNotMatch(stderr, /S3RVER|wrong/);
    }
  });
});

/** Starts a server that accepts requests and never responds. */
async function silentServer(): Promise<string> {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a proxy that changes the last byte of each uploaded object when it is read back. */
async function changingProxy(port: number): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const forward = request({ port, host: '127.0.0.1', method, path: url, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (method === 'GET' && url.includes('.db')) body[body.length - 1] = (body[body.length - 1] ?? 0) ^ 1;
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      outgoing.end(body);
    });
    incoming.pipe(forward);
  }).listen(0, '127.0.0.1');
  proxy.unref();
  await once(proxy, 'listening');
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
