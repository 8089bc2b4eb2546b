// What visitors notice while a server applies the journal of one that was killed:
//   npm run bench:orphans -- [--links 1000000] [--clicked 100000] [--segments 2] [--tree /path/to/another/version]
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createEncoder, encodeHeader, fileOfSegment } from '../../src/clicks/journal/files/segment.ts';
import { unknownFacts } from '../../src/model/clicks/click-facts.ts';
import { temporaryFolder } from '../../test/support/files/temporary.ts';
import { copyDatabase, datasetOf } from '../measuring/database.ts';
import { freePort } from '../measuring/servers.ts';

const here = join(import.meta.dirname, '..', '..');
const { values } = parseArgs({
  options: {
    links: { type: 'string', default: '1000000' },
    clicked: { type: 'string', default: '100000' },
    segments: { type: 'string', default: '2' },
    tree: { type: 'string', default: here },
    warm: { type: 'boolean', default: false },
    // The other process is killed while this one serves.
    running: { type: 'boolean', default: false },
  },
});
const [links, clicked, segments] = [values.links, values.clicked, values.segments].map(Number) as [
  number,
  number,
  number,
];
const segmentBytes = 16 * 1_048_576;
const endsWithinMs = 600_000;
/** As many clicks as a tick of the event loop has under load. */
const clicksPerFrame = 50;

const dataset = await datasetOf(here, links);
const dataDir = temporaryFolder('orphans');
const path = join(dataDir, 'linkfold.db');
copyDatabase(dataset, path);

/** Clicks on links all over the table, in no order. */
function leaveOrphan(): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const every = Math.max(1, Math.floor(links / clicked));
  const ids = database
    .prepare('SELECT id FROM links WHERE link_row % ? = 0')
    .all(every)
    .map(({ id }) => id as Uint8Array);
  database.close();
  const directory = join(dataDir, 'aside');
  mkdirSync(directory);
  mkdirSync(join(dataDir, 'clicks'));
  let clicks = 0;
  let place = 0;
  for (let segment = 0; segment < segments; segment += 1) {
    const encoder = createEncoder();
    const parts: Uint8Array[] = [encodeHeader(journal, segment)];
    for (let bytes = 32; bytes < segmentBytes - 2_000; ) {
      for (let record = 0; record < clicksPerFrame; record += 1) {
        place = (place + 7_919) % ids.length;
        encoder.add(ids[place] as Uint8Array, Date.now(), unknownFacts(record % 4));
        clicks += 1;
      }
      const frame = Buffer.from(encoder.take());
      parts.push(frame);
      bytes += frame.length;
    }
    writeFileSync(join(directory, fileOfSegment(segment)), Buffer.concat(parts));
  }
  return clicks;
}
const journal = randomUUID();
const clicks = leaveOrphan();
const orphan = join(dataDir, 'clicks', journal);
function putOrphan(): void {
  return renameSync(join(dataDir, 'aside'), orphan);
}
if (!values.running) putOrphan();
// Cold: what the links are read from is on the disk alone.
if (!values.warm) {
  execFileSync('sync');
  execFileSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0', 'status=none']);
}

const port = await freePort();
const began = performance.now();
const server = spawn(join(resolve(values.tree), 'bin', 'linkfold'), ['serve'], {
  env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'info' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.on('exit', () => server.kill('SIGKILL'));
let readyMs: number | undefined;
server.stdout.on('data', (chunk: Buffer) => {
  if (String(chunk).includes('"msg":"ready"')) readyMs ??= performance.now() - began;
});

const agent = new Agent({ keepAlive: true });
const [code = ''] = dataset.hotCodes;
function visit(): Promise<boolean> {
  return new Promise((done) => {
    get({ port, host: '127.0.0.1', path: `/${code}`, agent }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode === 302));
    }).once('error', () => done(false));
  });
}

let openMs: number | undefined;
let drainedMs: number | undefined;
let putMs: number | undefined;
let visits = 0;
let visitsBefore = 0;
const took: number[] = [];
for (let looks = 0; drainedMs === undefined || readyMs === undefined; looks += 1) {
  const sentAt = performance.now();
  if (sentAt - began > endsWithinMs) throw new Error('It takes too long.');
  const isServed = await visit();
  const now = performance.now();
  if (isServed && openMs === undefined) openMs = now - began;
  else if (isServed) took.push(now - sentAt);
  if (values.running && readyMs !== undefined && putMs === undefined && now - began > readyMs + 1_000) {
    putOrphan();
    putMs = now - began;
    took.length = 0;
    visitsBefore = visits;
  }
  if (isServed) visits += 1;
  const isPut = !values.running || putMs !== undefined;
  if (looks % 50 === 0 && isPut && openMs !== undefined && !existsSync(orphan)) drainedMs ??= now - began;
  await pause(openMs === undefined ? 10 : 1);
}
const sorted = took.toSorted((a, b) => a - b);
function at(share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
const memory = /VmHWM:\s+(\d+)/.exec(execFileSync('cat', [`/proc/${server.pid}/status`]).toString())?.[1];
server.kill('SIGTERM');
await new Promise((done) => server.once('exit', done));
const database = new DatabaseSync(path, { readOnly: true });
const counted = Number(
  database
    .prepare(
      'SELECT (SELECT COALESCE(SUM(clicks), 0) FROM recent_clicks) + (SELECT SUM(total) FROM link_clicks) AS sum',
    )
    .get()?.['sum'],
);
database.close();
process.stdout.write(
  `${JSON.stringify({
    links,
    clicked,
    segments,
    clicks,
    firstRedirectMs: Math.round(openMs ?? 0),
    readyMs: Math.round(readyMs),
    allAppliedMs: Math.round(drainedMs - (putMs ?? 0)),
    visits: took.length,
    visitsBefore,
    p50: at(0.5),
    p99: at(0.99),
    longestMs: at(1),
    memoryMiB: Math.round(Number(memory) / 1_024),
    isExact: counted === dataset.clicks + clicks + visits,
  })}\n`,
);
