import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { dropPostgresDatabase, emptyPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { dumpOf } from '../support/postgres/dump.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { compiled } from '../support/server/compiled.ts';
import { as, call, endServers, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const skip = (await noPostgres()) ?? false;
/** `LINKFOLD_COUNT` is the number of kills. */
const { seed, count } = effort(2);
const links = 5_000;

const copies: string[] = [];
async function newPostgres(): Promise<string> {
  const url = await emptyPostgresDatabase();
  copies.push(url);
  return url;
}

const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const running = new Set<ChildProcess>();
after(async () => {
  for (const child of running) child.kill('SIGKILL');
  await endServers();
  for (const url of copies) await dropPostgresDatabase(url);
});

interface Copied {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts the copy command. FROM and TO are environment variable names. */
function startCopy(from: string, to: string, flags: readonly string[] = ['--json']) {
  const env = { PATH: process.env['PATH'] ?? '', OLD_URL: from, NEW_URL: to, ...compiled };
  const child = spawn(process.execPath, [main, 'db', 'copy', 'OLD_URL', 'NEW_URL', ...flags], { env });
  running.add(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const ended = new Promise<Copied>((resolve) =>
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, out, err });
    }),
  );
  return { child, ended, said: () => err };
}

async function copy(from: string, to: string) {
  const { code, out, err } = await startCopy(from, to).ended;
  assert.equal(code, 0, err + out);
  const facts = JSON.parse(out) as { ok: boolean; tables: { table: string; rows: number }[] };
  assert.ok(facts.ok);
  return facts.tables.reduce((all, { rows }) => all + rows, 0);
}

/** Adds many links and clicks, which are copies of those that a server created. */
function multiply(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    BEGIN;
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${links})
    INSERT INTO links (id, account_id, code, destination, created_at, updated_at)
      SELECT randomblob(16), account_id, 'many-' || n, destination || n, created_at, updated_at
      FROM n, (SELECT * FROM links LIMIT 1);
    INSERT INTO codes (key, account_id, link_row, live)
      SELECT code, account_id, link_row, 1 FROM links WHERE code LIKE 'many-%';
    UPDATE link_counts SET links = links + ${links} WHERE length(scope) = 1;
    INSERT INTO link_clicks (link_row, account_id, total) SELECT link_row, account_id, 6 FROM links WHERE code LIKE 'many-%';
    COMMIT`);
  database.close();
}

async function sourceWith(dataDir: string): Promise<string> {
  const url = `sqlite:${join(dataDir, 'linkfold.db')}`;
  const server = await startServer({ DATABASE_URL: url }, dataDir);
  const api = as(server, (await server.newKey()).key);
  await api.post('/api/v1/shorten', { url: 'https://example.com/' });
  await server.stop();
  multiply(join(dataDir, 'linkfold.db'));
  return url;
}

test(
  'leaves TO empty after kill -9 at any time during a copy; the same command then copies everything',
  { skip },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const from = await sourceWith(temporaryFolder('copy'));
      const there = await newPostgres();
      const back = `sqlite:${join(temporaryFolder('copy-back'), 'linkfold.db')}`;
      for (const [source, target] of [
        [from, there],
        [there, back],
      ] as const) {
        const seen = { before: 0, copying: 0, verifying: 0 };
        let hasEnded = false;
        for (let kills = 0; kills < count && !hasEnded; kills += 1) {
          const { child, ended, said } = startCopy(source, target);
          // The time of the kill depends on the reported progress, because speed depends on the machine.
          const percent = 10 * random.below(10);
          const reached = (): number =>
            Math.max(-1, ...[...said().matchAll(/Copying: (\d+)/g)].map(([, at]) => Number(at)));
          // The first kill happens during the copy. Some of the other kills happen before the copy begins.
          if (kills > 0 && random.chance(0.2)) await sleep(random.below(300));
          else while (reached() < percent && child.exitCode === null) await sleep(1);
          await sleep(random.below(20));
          child.kill('SIGKILL');
          const { code, err } = await ended;
          hasEnded = code === 0;
          if (err.includes('Verifying')) seen.verifying += 1;
          else seen[err.includes('Copying') ? 'copying' : 'before'] += 1;
        }
        if (!hasEnded) assert.ok((await copy(source, target)) > links);
        t.diagnostic(JSON.stringify(seen));
        assert.ok(seen.copying + seen.verifying > 0, 'no kill happened during the copy');
        assert.deepEqual(await dumpOf(target), await dumpOf(source));
        await openOnce(target);
      }
    }),
);

/** Starts a server on a database, and stops it again. */
async function openOnce(url: string): Promise<void> {
  const server = await startServer({ DATABASE_URL: url }, temporaryFolder('copy-opened'));
  assert.equal((await call(server, 'GET', '/many-7')).status, 302);
  await server.stop();
}

test('counts clicks once that are only in journals during a move', {
  skip,
}, async () => {
  const dataDir = temporaryFolder('move');
  const from = `sqlite:${join(dataDir, 'linkfold.db')}`;
  const to = await newPostgres();
  const before = await startServer({ DATABASE_URL: from }, dataDir);
  const { key } = await before.newKey();
  const ids: string[] = [];
  const codes: string[] = [];
  for (let made = 0; made < 5; made += 1) {
    const { json } = await as(before, key).post('/api/v1/shorten', { url: `https://example.com/${made}` });
    ids.push(json.data.id);
    codes.push(json.data.shortUrl.split('/').pop());
  }
  const clicks = new Map<string, number>();
  const visit = async (times: number): Promise<void> => {
    for (let visits = 0; visits < times; visits += 1) {
      const at = visits % codes.length;
      assert.equal((await call(before, 'GET', `/${codes[at]}`)).status, 302);
      clicks.set(ids[at] ?? '', (clicks.get(ids[at] ?? '') ?? 0) + 1);
    }
  };
  await visit(40);
  await until('clicks are applied', async () => (await totalIn(from)) === 40);
  await visit(60);
  await before.stop('SIGKILL'); // The last clicks are still only in the journal.
  await copy(from, to);
  assert.ok((await totalIn(to)) < 100, 'nothing was left in the journal');

  const moved = await startServer({ DATABASE_URL: to }, dataDir);
  for (const [at, id] of ids.entries()) {
    const { json } = await as(moved, key).get(`/api/v1/links/${id}`);
    assert.equal(json.data.clicks, clicks.get(id), `link ${at}`);
    assert.equal((await call(moved, 'GET', `/${codes[at]}`)).status, 302);
  }
  const again = await startCopy(from, to).ended;
  assert.equal(again.code, 1);
  assert.match(again.err, /is (?:in use|not empty)/);
  await moved.stop();
});

async function totalIn(url: string): Promise<number> {
  const { recent_clicks: recent = [], link_clicks: folded = [] } = await dumpOf(url);
  const sum = (rows: typeof recent, column: string): number =>
    rows.reduce((all, row) => all + Number(row[column]), 0);
  return sum(recent, 'clicks') + sum(folded, 'total');
}

test('shows no password, wherever FROM and TO come from', { skip }, async () => {
  const dataDir = temporaryFolder('copy-words');
  const path = join(dataDir, 'linkfold.db');
  const server = await startServer({ DATABASE_URL: `sqlite:${path}` }, dataDir);
  await server.stop();
  const to = new URL(await newPostgres());
  const password = 'p4ssw0rd-of-no-one';
  to.password = password;
  const file = join(dataDir, 'new-url');
  const nowhere = new URL(to);
  nowhere.port = '1';
  const wrong = new URL(to);
  wrong.searchParams.set('colour', 'red');
  const run = async (...args: string[]): Promise<Copied> => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      NEW_URL_FILE: file,
      NOTHING: '',
      ...compiled,
    };
    const child = spawn(process.execPath, [main, 'db', 'copy', ...args], { env });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    assert.ok(!(out + err).includes(password), out + err);
    return { code, out, err };
  };
  for (const [url, code, words] of [
    [wrong, 2, /TO has the unknown parameter "colour"/],
    [nowhere, 3, /could not use the database at 127\.0\.0\.1:1/],
  ] as const) {
    writeFileSync(file, `${url.href}\n`);
    for (const name of ['NEW_URL', `@${file}`]) {
      const ended = await run('DATABASE_URL', name);
      assert.equal(ended.code, code, ended.err);
      assert.match(ended.err, words);
    }
  }
  writeFileSync(file, `${to.href}\n`);
  assert.match((await run('DATABASE_URL', 'NEW_URL')).err, /TO contains exactly the rows of FROM/);
  assert.match((await run('DATABASE_URL', `@${file}`)).err, /TO \(.*\) is not empty: it contains accounts/);
  assert.match((await run(`sqlite:${path}`, to.href)).err, /password of TO is visible in process lists/);
  assert.match(
    (await run('NOTHING', 'NEW_URL')).err,
    /FROM names the variable NOTHING, but neither NOTHING nor NOTHING_FILE is set/,
  );
  assert.equal((await run('@/no/such/file', 'NEW_URL')).code, 2);
});
