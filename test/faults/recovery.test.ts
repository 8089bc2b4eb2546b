// A server applies the journals of killed processes. Visitors do not wait, and each click counts once.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { copyDatabase, type Dataset, datasetOf } from '../../bench/harness/database.ts';
import { createEncoder, encodeHeader, fileOfSegment } from '../../src/clicks/journal/files/segment.ts';
import { unknownFacts } from '../../src/model/clicks/click-facts.ts';
import { freePort } from '../support/http/ports.ts';
import { countedClicks, verifyFile } from '../support/load/verify.ts';
import { refuseWrites } from '../support/postgres/databases.ts';
import { createRandom, effort, type Random, sleep, withSeed } from '../support/random/random.ts';
import { alarmsOf } from '../support/server/log.ts';
import { call, endServers, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';

after(endServers);

const links = 5_000;
const clicksPerFrame = 200;
const manyFrames = 100;
/** As many frames as a server writes in the second or two before its clicks are applied. */
const fewFrames = 10;
const executable = join(import.meta.dirname, '..', '..', 'bin', 'linkfold');

function databaseIn(dataDir: string): string {
  return join(dataDir, 'linkfold.db');
}

async function place(): Promise<{ readonly dataDir: string; readonly dataset: Dataset }> {
  const dataset = await datasetOf(join(import.meta.dirname, '..', '..'), links);
  const dataDir = temporaryFolder('recovery');
  copyDatabase(dataset, databaseIn(dataDir));
  return { dataDir, dataset };
}

function read<T>(dataDir: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(databaseIn(dataDir), { readOnly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function clicksIn(dataDir: string): ReadonlyMap<number, number> {
  return read(dataDir, (database) => {
    const rows = database
      .prepare(`SELECT link_row, SUM(clicks) AS clicks FROM ${countedClicks} GROUP BY link_row`)
      .all();
    return new Map(rows.map((row) => [Number(row['link_row']), Number(row['clicks'])]));
  });
}

/**
 * Creates a journal with clicks on links from the whole table.
 * @param expected the clicks are added to this map
 */
function leaveOrphan(
  dataDir: string,
  segments: number,
  random: Random,
  expected: Map<number, number>,
  frames = manyFrames,
): void {
  const ids = read(dataDir, (database) => database.prepare('SELECT link_row, id FROM links').all());
  const journal = randomUUID();
  const directory = join(dataDir, 'clicks', journal);
  mkdirSync(directory, { recursive: true });
  for (let segment = 0; segment < segments; segment += 1) {
    const parts: Uint8Array[] = [encodeHeader(journal, segment)];
    const encoder = createEncoder();
    for (let frame = 0; frame < frames; frame += 1) {
      for (let click = 0; click < clicksPerFrame; click += 1) {
        const one = random.pick(ids);
        const row = Number(one['link_row']);
        encoder.add(one['id'] as Uint8Array, Date.now(), unknownFacts(click % 4));
        expected.set(row, (expected.get(row) ?? 0) + 1);
      }
      parts.push(Buffer.from(encoder.take()));
    }
    writeFileSync(join(directory, fileOfSegment(segment)), Buffer.concat(parts));
  }
}

function journals(dataDir: string): number {
  return readdirSync(join(dataDir, 'clicks')).length;
}
function allApplied(server: Server): Promise<number> {
  return until('all journals except its own are deleted', () => journals(server.dataDir) === 1, {
    withinMs: 60_000,
  });
}

function verifyClicks(dataDir: string, expected: ReadonlyMap<number, number>): void {
  const found = clicksIn(dataDir);
  const wrong = [...new Set([...expected.keys(), ...found.keys()])]
    .filter((row) => found.get(row) !== expected.get(row))
    .map((row) => `${row}: ${found.get(row)}, not ${expected.get(row)}`);
  assert.deepEqual(wrong.slice(0, 10), []);
  verifyFile(dataDir);
}

test('serves visitors before the clicks of a killed process are applied, and shows these soon in the API', async () => {
  const { dataDir, dataset } = await place();
  const [code = ''] = dataset.hotCodes;
  const expected = new Map(clicksIn(dataDir));
  leaveOrphan(dataDir, 2, createRandom(1), expected);
  const { row = 0, id = '' } = read(dataDir, (database) => {
    const found = database.prepare('SELECT link_row, hex(id) AS id FROM links WHERE code = ?').get(code);
    return { row: Number(found?.['link_row']), id: String(found?.['id']).toLowerCase() };
  });
  const uuid = id.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
  // While another process locks the database, nothing can be applied.
  const allowWrites = await refuseWrites(dataDir);
  const port = await freePort();
  const starting = startServer({ PORT: String(port) }, dataDir);
  const url = `http://127.0.0.1:${port}`;
  let visits = 0;
  const visit = async (): Promise<boolean> => {
    const { status } = await call({ url }, 'GET', `/${code}`).catch(() => ({ status: 0 }));
    if (status === 302) visits += 1;
    return status === 302;
  };
  await until('a visitor is redirected', visit);
  const server = await starting;
  assert.doesNotMatch(
    server.output().slice(0, server.output().indexOf('"msg":"ready"')),
    /have not been applied yet/,
    'the start does not wait for the database either',
  );
  assert.match(server.output(), /are still being applied/);
  assert.equal(journals(dataDir), 2);
  await allowWrites();
  await allApplied(server);
  expected.set(row, (expected.get(row) ?? 0) + visits);
  const shown = await call(server, 'GET', `/api/v1/links/${uuid}`, { key: dataset.key });
  assert.equal(shown.json.data.clicks, expected.get(row));
  assert.equal(await server.stop(), 0);
  verifyClicks(dataDir, expected);
});

test('includes the clicks of a killed process when the server is ready', async () => {
  const { dataDir, dataset } = await place();
  const expected = new Map(clicksIn(dataDir));
  leaveOrphan(dataDir, 1, createRandom(2), expected, fewFrames);
  const server = await startServer({}, dataDir);
  assert.equal((await call(server, 'GET', '/readyz')).status, 200);
  // Startup waits only three seconds for the clicks to be applied. If that is too short, as on a busy machine, the
  // server logs it.
  if (/are still being applied/.test(server.output())) await allApplied(server);
  const { json } = await call(server, 'GET', '/api/v1/links?limit=100', { key: dataset.key });
  const rows = read(
    dataDir,
    (database) =>
      new Map(
        database
          .prepare('SELECT code, link_row FROM links')
          .all()
          .map((row) => [row['code'], Number(row['link_row'])]),
      ),
  );
  for (const { shortCode, clicks } of json.data)
    assert.equal(clicks, expected.get(rows.get(shortCode) ?? 0) ?? 0);
  assert.deepEqual(alarmsOf(server), []);
  assert.equal(await server.stop(), 0);
  verifyClicks(dataDir, expected);
});

test('counts each click once when killed repeatedly while applying', (t) => {
  const { seed, count } = effort(1);
  return withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const { dataDir } = await place();
    const expected = new Map(clicksIn(dataDir));
    let interrupted = 0;
    for (let round = 0; round < count; round += 1) {
      leaveOrphan(dataDir, 1 + random.below(4), random, expected);
      const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dataDir };
      const child = spawn(executable, ['serve'], { env, stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const before = [...clicksIn(dataDir).values()].reduce((sum, clicks) => sum + clicks, 0);
      await until(
        'some are applied',
        async () => {
          const now = [...clicksIn(dataDir).values()].reduce((sum, clicks) => sum + clicks, 0);
          return now > before;
        },
        { everyMs: 30 },
      );
      await sleep(random.below(150));
      child.kill('SIGKILL');
      await ended;
      if (journals(dataDir) > 1) interrupted += 1;
    }
    const server = await startServer({}, dataDir);
    await allApplied(server);
    assert.deepEqual(alarmsOf(server), []);
    assert.equal(await server.stop(), 0);
    verifyClicks(dataDir, expected);
    t.diagnostic(`${interrupted} of ${count} kills happened while journals were applied`);
  });
});
