import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { closeSync, copyFileSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { copyDatabase, datasetOf } from '../../bench/harness/database.ts';
import { verifyBackup } from '../../src/storage/backup/backup.ts';
import { restoreDatabase } from '../../src/storage/backup/restore.ts';
import { ask } from '../support/http/ask.ts';
import { countedClicks, verifyFile } from '../support/load/verify.ts';
import { createRandom, effort, type Random, sleep, withSeed } from '../support/random/random.ts';
import { call, endServers, startServer, temporaryFolder } from '../support/server/server.ts';

/** `LINKFOLD_COUNT` is the number of links before the test. */
const { seed, count } = effort(3_000);
const flips = count >= 1_000_000 ? 40 : 10;
/** Number of backups, made at different times between two applier runs. */
const backups = count >= 1_000_000 ? 1 : 4;
const beforeMs = 700;
const afterMs = 300;
const writers = 10;
const writerPauseMs = 15;
const clickers = 4;
const clickerPauseMs = 4;
const timeout = 300_000 + count;

interface Made {
  readonly file: string;
  readonly begun: number;
  readonly ended: number;
  readonly facts: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly sentAt: number;
  ackedAt: number;
}

/** The changes to one link, in order. Each change was sent after the response to the previous one. */
interface History {
  readonly title: string;
  readonly steps: Sent[];
}

/** Sends about 500 writes and follows about 500 links per second, and records them. */
function startTraffic(port: number, token: string, codes: readonly string[], random: Random) {
  const agent = new Agent({ keepAlive: true });
  const histories: History[] = [];
  const clicks: Sent[] = [];
  const failed: string[] = [];
  let stopped = false;

  const send = async (sent: Sent[], wanted: number, method: string, path: string, body?: object) => {
    const one: Sent = { sentAt: performance.now(), ackedAt: Number.POSITIVE_INFINITY };
    sent.push(one);
    const key = path.startsWith('/api/') ? token : undefined;
    const { status, text } = await ask({ port, agent }, { method, path, key, body });
    if (status === wanted) one.ackedAt = performance.now();
    else failed.push(`${method} ${path} answered ${status}: ${text}`);
    return text;
  };
  const writing = async (writer: number): Promise<void> => {
    for (let made = 0; !stopped; made += 1) {
      const history: History = { title: `w${writer}-${made}`, steps: [] };
      histories.push(history);
      const body = { url: 'https://example.com/', title: history.title };
      const { id } = JSON.parse(await send(history.steps, 201, 'POST', '/api/v1/shorten', body)).data;
      await sleep(writerPauseMs);
      const title = `${history.title} changed`;
      await send(history.steps, 200, 'PATCH', `/api/v1/links/${id}`, { title });
      await sleep(writerPauseMs);
      if (made % 2 === 0) await send(history.steps, 204, 'DELETE', `/api/v1/links/${id}`);
    }
  };
  const clicking = async (): Promise<void> => {
    while (!stopped) {
      await send(clicks, 302, 'GET', `/${random.pick(codes)}`);
      await sleep(clickerPauseMs);
    }
  };
  const work = [
    ...Array.from({ length: writers }, (_, writer) => writing(writer)),
    ...Array.from({ length: clickers }, () => clicking()),
  ];
  return {
    histories,
    clicks,
    failed,
    async stop() {
      stopped = true;
      await Promise.all(work);
      agent.destroy();
    },
  };
}

/** Returns, for each history, how many of its steps a database contains. */
function stepsIn(path: string): ReadonlyMap<string, number> {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("SELECT title, deleted_at FROM links WHERE title GLOB 'w[0-9]*-*'").all();
  database.close();
  const stepsOf = (title: string, deleted: boolean): number =>
    deleted ? 3 : title.endsWith(' changed') ? 2 : 1;
  return new Map(
    rows.map(({ title, deleted_at }) => [
      String(title).replace(' changed', ''),
      stepsOf(String(title), deleted_at !== null),
    ]),
  );
}

function clicksIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const sum = Number(
    database.prepare(`SELECT SUM(clicks) AS clicks FROM ${countedClicks}`).get()?.['clicks'] ?? 0,
  );
  database.close();
  return sum;
}

/** Returns a single SHA-256 hash of all tables. Rows are sorted as strings. */
function exportOf(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  const hash = createHash('sha256');
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  for (const { name } of tables) {
    const columns = database.prepare(`SELECT name FROM pragma_table_info('${name}')`).all();
    const row = columns.map((column) => `quote(${column['name']})`).join(" || ',' || ");
    hash.update(`${name}\n`);
    for (const line of database.prepare(`SELECT ${row} AS line FROM ${name} ORDER BY line`).iterate()) {
      hash.update(`${line['line']}\n`);
    }
  }
  database.close();
  return hash.digest('hex');
}

/** Compares the histories in a backup with the times of their requests and responses. */
function checkPointInTime(
  histories: readonly History[],
  held: ReadonlyMap<string, number>,
  begun: number,
): void {
  const known = new Map(histories.map((history) => [history.title, history]));
  let lastSent = 0;
  for (const [title, steps] of held) {
    const sent = known.get(title)?.steps ?? [];
    assert.ok(steps <= sent.length, `${title} has ${steps} changes, but only ${sent.length} were sent.`);
    for (const { sentAt } of sent.slice(0, steps)) lastSent = Math.max(lastSent, sentAt);
  }
  for (const { title, steps } of histories) {
    const missing = steps.slice(held.get(title) ?? 0);
    for (const { ackedAt } of missing) {
      assert.ok(
        ackedAt > begun,
        `A change to ${title} was acknowledged before the backup, but is not in it.`,
      );
      assert.ok(ackedAt > lastSent, `A change to ${title} is missing, but a later change is there.`);
    }
  }
}

function flipBit(path: string, random: Random): number {
  const file = openSync(path, 'r+');
  const offset = random.below(statSync(path).size);
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, offset);
  writeSync(file, Buffer.from([(byte[0] ?? 0) ^ (1 << random.below(8))]), 0, 1, offset);
  closeSync(file);
  return offset;
}

after(endServers);

test('makes a consistent backup under load that restores; a damaged one replaces nothing', { timeout }, (t) =>
  withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const dataset = await datasetOf(join(import.meta.dirname, '..', '..'), count);
    const dataDir = temporaryFolder('backup');
    copyDatabase(dataset, join(dataDir, 'linkfold.db'));
    const clicksBefore = clicksIn(join(dataDir, 'linkfold.db'));
    const server = await startServer({}, dataDir);
    const folder = temporaryFolder('backups');
    const file = join(folder, 'last.db');

    const traffic = startTraffic(server.port, dataset.key, dataset.hotCodes, random);
    const backUp = async (target: string): Promise<Made> => {
      const begun = performance.now();
      const facts = JSON.parse(await server.command('db', 'backup', target, '--json'));
      return { file: target, begun, ended: performance.now(), facts };
    };
    const links: Made[] = [];
    for (let number = 1; number < backups; number += 1) {
      await sleep(random.below(beforeMs));
      links.push(await backUp(join(folder, `${number}.db`)));
    }
    await sleep(beforeMs);
    const { begun, ended, facts } = await backUp(file);
    links.push({ file, begun, ended, facts });
    await sleep(afterMs);
    await traffic.stop();
    assert.deepEqual(traffic.failed, []);
    assert.equal((await call(server, 'GET', '/readyz')).status, 200);
    assert.equal(await server.stop(), 0);

    const target = temporaryFolder('restored');
    const restoring = performance.now();
    const path = join(target, 'linkfold.db');
    const restored = await restoreDatabase(`sqlite:${path}`, file);
    const restoreMs = performance.now() - restoring;
    const writes = traffic.histories.flatMap(({ steps }) => steps);
    const perSecond = (sent: readonly Sent[]): number =>
      Math.round(
        sent.filter(({ sentAt }) => sentAt > begun && sentAt < ended).length / ((ended - begun) / 1_000),
      );
    t.diagnostic(
      `${count} links: backup ${Math.round(ended - begun)} ms during ${perSecond(writes)} writes/s and ${perSecond(traffic.clicks)} redirects/s, restore ${Math.round(restoreMs)} ms`,
    );

    const names = ['schemaVersion', 'accounts', 'keys', 'links', 'folders', 'clicks', 'sha256'] as const;
    for (const name of names) assert.equal(restored[name], facts[name], name);
    assert.equal(exportOf(path), exportOf(file), 'the same rows in every table');
    verifyFile(target);
    assert.ok(stepsIn(path).size < traffic.histories.length, 'it was made in the middle of the load');
    for (const one of links) {
      checkPointInTime(traffic.histories, stepsIn(one.file), one.begun);
      const clicks = clicksIn(one.file) - clicksBefore;
      const least = traffic.clicks.filter(({ ackedAt }) => ackedAt < one.begun).length;
      const most = traffic.clicks.filter(({ sentAt }) => sentAt < one.ended).length;
      assert.ok(least <= clicks && clicks <= most, `${clicks} clicks, not ${least} to ${most}.`);
    }

    const before = readFileSync(path);
    const damaged = `${file}.damaged`;
    for (let flip = 0; flip < flips; flip += 1) {
      copyFileSync(file, damaged);
      const offset = flipBit(damaged, random);
      const refusal = /is damaged|not a SQLite database/;
      await assert.rejects(verifyBackup(damaged), refusal, `a bit at ${offset}`);
      await assert.rejects(restoreDatabase(`sqlite:${path}`, damaged), refusal);
    }
    assert.ok(readFileSync(path).equals(before), 'nothing was replaced');

    const again = await startServer({}, target);
    assert.equal((await call(again, 'GET', `/${dataset.hotCodes[0]}`)).status, 302);
    assert.equal(await again.stop(), 0);
  }),
);
