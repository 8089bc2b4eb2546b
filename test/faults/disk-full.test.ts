// R3: the disk is full for a while under load. Redirects continue, writes are rejected, and everything recovers without
// a restart once there is space.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { mountSmallDisks, type SmallDisks, whyNoSmallDisks } from '../support/faults/small-disk.ts';
import { type Ledger, newLedger, possibleClicks, prepare, startLoad } from '../support/load/load.ts';
import { verify, verifyFile } from '../support/load/verify.ts';
import { createRandom, effort, type Random, sleep, withSeed } from '../support/random/random.ts';
import { call, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const { seed, count } = effort(1);
const skip = whyNoSmallDisks() ?? false;
if (skip !== false) process.stderr.write(`SKIPPED: behavior on a full disk is not tested: ${skip}.\n`);

const writers = 3;
const clickers = 4;
const before = 300;
/** Time limit for a busy machine. */
const patient = { withinMs: 120_000 };

process.setMaxListeners(0);

interface Layout {
  readonly name: string;
  readonly data: string;
  readonly database: string;
  readonly full: string;
  /**
   * Time in ms for which the disk is full. For the database, it is long enough for the pauses between retries to grow.
   */
  readonly fullMs: number;
}
const layouts: readonly Layout[] = [
  { name: 'one disk for everything', data: 'all', database: 'all', full: 'all', fullMs: 2_000 },
  { name: 'the database’s disk', data: 'data', database: 'database', full: 'database', fullMs: 7_000 },
  { name: 'the journal’s disk', data: 'data', database: 'database', full: 'data', fullMs: 2_000 },
];

interface Site extends Layout {
  readonly disks: SmallDisks;
  start(): Promise<Server>;
  /** Checks the database file. No server may have it open. */
  verifyFile(): void;
}

async function build(t: TestContext, layout: Layout, size = 64): Promise<Site> {
  const disks = await mountSmallDisks([...new Set([layout.data, layout.database])], size);
  t.after(disks.close);
  const env = { DATABASE_URL: `sqlite:${join(disks.path(layout.database), 'linkfold.db')}` };
  const start = async (): Promise<Server> => {
    const server = await startServer(env, disks.path(layout.data), disks.within);
    t.after(() => server.stop('SIGKILL'));
    return server;
  };
  return {
    ...layout,
    disks,
    start,
    verifyFile() {
      // SQLite follows symbolic links in a path. Outside the mount namespace, a link in this path would have another
      // target.
      const copy = temporaryFolder('copy');
      cpSync(disks.seen(layout.database), copy, { recursive: true });
      verifyFile(copy);
    },
  };
}

function lines(server: Server): { level: number; msg: string; [fact: string]: unknown }[] {
  return server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}
function alarms(server: Server): string[] {
  return lines(server).flatMap(({ level, msg }) => (level >= 50 ? [msg] : []));
}

/** Returns true unless the last log line about clicks says that they cannot be applied. */
function appliesClicks(server: Server): boolean {
  const said = lines(server).filter(({ msg }) => /^Clicks .*(appl|brought)/.test(msg));
  return !said.at(-1)?.msg.includes('cannot');
}

async function isReady(server: Server): Promise<boolean> {
  return (await call(server, 'GET', '/readyz')).status === 200;
}
async function canWrite(server: Server, key: string): Promise<boolean> {
  return (
    (await call(server, 'POST', '/api/v1/folders', { key, body: { name: '' } })).status !== 503 &&
    (await isReady(server))
  );
}

/** Returns true if all acknowledged visits of every link are counted. */
async function areCounted({ links }: Ledger, server: Server, key: string): Promise<boolean> {
  for (const link of links) {
    const [least] = possibleClicks(link);
    if (link.id === undefined || least === 0) continue;
    const { status, json } = await call(server, 'GET', `/api/v1/links/${link.id}`, { key });
    if (status !== 404 && (status !== 200 || json.data.clicks < least)) return false;
  }
  return true;
}

describe('disk full', { skip, concurrency: true }, () => {
  for (const layout of layouts) {
    test(`${layout.name}: continues redirects, returns 503 for writes, and recovers when there is space`, (t) =>
      withSeed(t, { seed, count }, async () => {
        const random = createRandom(seed);
        // Each round has its own disks, because files from earlier rounds would fill a shared disk.
        for (let round = 0; round < count; round += 1) await fillAndFree(t, layout, random);
      }));
  }

  const fillAndFree = async (t: TestContext, layout: Layout, random: Random): Promise<void> => {
    const site = await build(t, layout);
    const ledger: Ledger = newLedger();
    const server = await site.start();
    const { key } = await server.newKey();
    const target = { port: server.port, token: key };
    await prepare(ledger, target);
    let isFull = false;
    const load = startLoad({ ledger, random, target, writers, clickers, mayRefuse: () => isFull });
    await sleep(before);
    isFull = true;
    site.disks.fill(site.full);
    await sleep(site.fullMs);
    // Requests that are in progress may still find some free space.
    await until('readiness reports the full disk', async () => !(await isReady(server)), patient);
    // While the database has free pages, SQLite overwrites the write-ahead log from its start, so writes may still
    // succeed.
    const hasMet = (): boolean => site.full !== site.database || load.refused() > 0;
    await until('a write meets the full disk', hasMet, patient);
    // When SQLite frees a little space on the full disk, the server is ready for a moment, so wait for the error.
    const told = async () => (await call(server, 'GET', '/readyz')).json?.error?.code;
    await until(
      'readiness reports the reason',
      async () => (await told()) === 'STORAGE_UNAVAILABLE',
      patient,
    );
    await sleep(before);
    assert.equal((await call(server, 'GET', '/api/v1/links', { key })).status, 200, 'reads answer');
    const visits = ledger.links.reduce((sum, link) => sum + link.visits.length, 0);
    site.disks.free(site.full);
    const back = await until('writes succeed again', () => canWrite(server, key), patient);
    isFull = false;
    const applied = await until('clicks are applied', () => appliesClicks(server), patient);
    await sleep(before);
    await load.stop();
    assert.deepEqual(load.broken, []);
    if (site.full !== site.database) assert.equal(load.refused(), 0, 'links need no journal');
    t.diagnostic(
      `${visits} clicks, ${load.refused()} writes refused, back after ${Math.round(back)} ms, clicks applied after ${Math.round(back + applied)} ms`,
    );
    await verify(ledger, target);
    assert.ok(alarms(server).length > 0, 'the log reports the full disk');
    assert.equal(await server.stop(), 0);
    site.verifyFile();
    site.disks.close();
  };

  test('survives kill, stop and start while the disk is full', (t) =>
    withSeed(t, { seed, count }, async () => {
      const site = await build(t, { ...layouts[0], name: 'killed' } as Layout);
      const random = createRandom(seed);
      const ledger: Ledger = newLedger();
      let server = await site.start();
      const { key } = await server.newKey();
      const target = () => ({ port: server.port, token: key });
      await prepare(ledger, target());
      for (let round = 0; round < count; round += 1) {
        const load = startLoad({
          ledger,
          random,
          target: target(),
          writers,
          clickers,
          mayRefuse: () => true,
        });
        await sleep(before);
        const filledAt = Date.now();
        site.disks.fill(site.full);
        await sleep(random.below(1_500));
        const end = random.pick(['SIGKILL', 'SIGTERM'] as const);
        assert.equal(await server.stop(end), end === 'SIGKILL' ? null : 0, server.output());
        await load.stop();
        // Clicks that are only in memory are lost when the process ends, as the alarm reports.
        for (const { visits } of ledger.links) {
          for (const visit of visits) if (visit.ackedAt >= filledAt) visit.ackedAt = Number.POSITIVE_INFINITY;
        }

        // SQLite frees the space of its shared memory file at startup. The program that fills the disk may take that
        // space first.
        const started = await site.start().catch((error: Error) => error);
        if (started instanceof Error) {
          assert.match(started.message, /error: .*disk is full/);
          site.disks.free(site.full);
          server = await site.start();
        } else {
          server = started;
          const hot = ledger.links[0];
          assert.equal((await call(server, 'GET', `/${hot?.code}`)).status, 302);
          hot?.visits.push({ sentAt: 0, ackedAt: 1 });
          assert.ok(alarms(server).length > 0, 'the log reports the full disk');
          site.disks.free(site.full);
        }
        t.diagnostic(started instanceof Error ? started.message : 'started while the disk was full');
        const back = await until('writes succeed again', () => canWrite(server, key), patient);
        const applied = await until('clicks are applied', () => appliesClicks(server), patient);
        t.diagnostic(
          `back after ${Math.round(back)} ms, clicks applied after ${Math.round(back + applied)} ms`,
        );
        // The new process applies the previous one's clicks automatically.
        await until('acknowledged clicks are counted', () => areCounted(ledger, server, key), patient);
        await verify(ledger, target());
      }
      assert.equal(await server.stop(), 0);
      site.verifyFile();
    }));

  test('refuses no write because of the write-ahead log, also as the database grows, or until a long reader ends', async (t) => {
    const site = await build(t, { ...layouts[0], name: 'log' } as Layout, 4);
    const server = await site.start();
    const { key } = await server.newKey();
    const make = () =>
      call(server, 'POST', '/api/v1/shorten', { key, body: { url: 'https://example.com/' } });
    const path = `/api/v1/links/${(await make()).json.data.id}`;
    const file = (name: string) => join(site.disks.seen('all'), `linkfold.db${name}`);
    // The header of the write-ahead log counts how often SQLite restarted the log.
    const log = openSync(file('-wal'), 'r');
    t.after(() => closeSync(log));
    const sequence = Buffer.alloc(4);
    const timesBegun = (): number => {
      readSync(log, sequence, 0, sequence.length, 12);
      return sequence.readUInt32BE();
    };
    const answers = new Map<number, number>();
    let asked = 0;
    let longest = 0;
    const giveUpAt = performance.now() + patient.withinMs;
    const writing = async (isOver: () => boolean): Promise<void> => {
      while (!isOver() && performance.now() < giveUpAt) {
        asked += 1;
        const body = { title: `title ${asked}` };
        const { status, json } = await (asked % 4 === 0
          ? make()
          : call(server, 'PATCH', path, { key, body }));
        longest = Math.max(longest, fstatSync(log).size);
        // Ignores rejections by a busy machine, which are not caused by the full disk.
        if (json?.error?.code === 'OVERLOADED') asked -= 1;
        else answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    };
    const writeUntil = (isOver: () => boolean) => Promise.all([writing(isOver), writing(isOver)]);

    const [atFirst, grewFrom] = [timesBegun(), statSync(file('')).size];
    await writeUntil(() => timesBegun() >= atFirst + 3);
    assert.ok(statSync(file('')).size > grewFrom, 'the database had to grow');
    assert.deepEqual([...answers.keys()].toSorted(), [200, 201]);
    const shortly = longest;

    const [command = '', ...within] = site.disks.within;
    const program = `
      const { DatabaseSync } = require('node:sqlite');
      const database = new DatabaseSync(${JSON.stringify(join(site.disks.path('all'), 'linkfold.db'))});
      database.exec('BEGIN; SELECT * FROM links');
      console.log('holds');
      process.stdin.once('data', () => { database.exec('COMMIT'); process.exit(); });`;
    const reader = spawn(command, [...within, process.execPath, '-e', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    t.after(() => reader.kill('SIGKILL'));
    await once(reader.stdout, 'data');
    // The write-ahead log fills the disk up to a reserve. Once the reader ends, SQLite empties the log, even though the
    // database has to grow.
    const begunBefore = timesBegun();
    let isLetGo = false;
    const letGo = async () => {
      await until('a write is refused', () => answers.has(503), patient);
      reader.stdin.write('enough');
      await once(reader, 'exit');
      isLetGo = true;
    };
    await Promise.all([letGo(), writeUntil(() => isLetGo && timesBegun() > begunBefore)]);
    t.diagnostic(
      `log of ${shortly}, with a reader ${longest} bytes; answers ${JSON.stringify([...answers])}`,
    );
    assert.ok(longest > 2_200_000, `The reader did not keep the log from growing: ${longest} bytes.`);
    assert.ok(timesBegun() > begunBefore, 'the log starts again from its beginning');
    assert.equal((await make()).status, 201);
    assert.equal(await server.stop(), 0);
    site.verifyFile();
  });
});
