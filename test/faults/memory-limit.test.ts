// R29: the whole process runs in a control group that is limited to 256 MiB. Everything that needs a lot of memory
// happens at the same time. If the process exceeds the limit, the kernel kills it.
import assert from 'node:assert/strict';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLoop, prepareRequests, show, streamsAt } from '../support/load/measure.ts';
import { createRandom, effort, withSeed } from '../support/random/random.ts';
import { call, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

/** Duration of the load in seconds. */
const { seed, count: seconds } = effort(4);
const mebibyte = 1_048_576;
const limit = 256 * mebibyte;
/**
 * Hostile requests per second, cycling through the kinds. Some clients do not read, and some never finish their
 * request.
 */
const hostilePerSecond = 10;
/** A busy machine responds late. In this test, it only matters that it responds. */
const patienceMs = 60_000;

/** File names in one version of control groups. */
interface Version {
  readonly root: string;
  readonly limit: string;
  readonly peak: string;
  readonly kills: string;
}
const versions: readonly Version[] = [
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
  },
  { root: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak', kills: 'memory.events' },
];
function folder(version: Version): string {
  return join(version.root, `linkfold-test-${process.pid}`);
}

function canBeMade(version: Version): boolean {
  try {
    mkdirSync(folder(version));
    accessSync(join(folder(version), version.limit), constants.W_OK);
    return true;
  } catch {
    return false;
  } finally {
    if (existsSync(folder(version))) rmdirSync(folder(version));
  }
}
const version = versions.find(canBeMade);
const skip = version === undefined && 'SKIPPED: no control group can be created here (requires root)';
if (skip !== false) process.stderr.write(`${skip}.\n`);

function makeGroup(names: Version) {
  const path = folder(names);
  mkdirSync(path);
  writeFileSync(join(path, names.limit), String(limit));
  const read = (name: string): string => readFileSync(join(path, name), 'utf8');
  return {
    /** Command prefix that runs a command in the control group. */
    within: ['sh', '-c', `echo $$ > ${join(path, 'cgroup.procs')} && exec "$0" "$@"`],
    peak: (): number => Number(read(names.peak)),
    kills: (): number => Number(/^oom_kill (\d+)$/m.exec(read(names.kills))?.[1]),
    remove: () => rmdirSync(path),
  };
}

test('keeps serving in a 256 MiB container without being killed', { skip }, (t) =>
  withSeed(t, { seed, count: seconds }, async () => {
    if (version === undefined) return;
    const random = createRandom(seed);
    const group = makeGroup(version);
    const server = await startServer({ RATE_LIMITS: 'free=1000' }, undefined, group.within);
    t.after(async () => {
      await server.stop('SIGKILL');
      group.remove();
    });
    const requests = await prepareRequests(server, 120);
    const unread = [
      requests.list[0]?.repeat(50) ?? '',
      'GET /unknown-code HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n'.repeat(50),
    ];
    const piece = Buffer.alloc(65_536, 0x61);
    const hostile: Socket[] = [];
    const attack = (): Socket => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => {});
      hostile.push(socket);
      return socket;
    };
    const attacking = setInterval(() => {
      for (const requests of unread) attack().pause().write(requests);
      const body = attack().resume();
      body.write('POST /api/v1/shorten HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n');
      const more = setInterval(() => body.writable && body.write(piece), 10);
      body.once('close', () => clearInterval(more));
    }, 1_000 / hostilePerSecond);
    t.after(() => clearInterval(attacking));
    // Visitors who request unknown codes. Each request has a new user agent.
    const word = (): string => random.next().toString(36).slice(2);
    const strangers = Array.from(
      { length: 5_000 },
      () => `GET /${word()} HTTP/1.1\r\nHost: a\r\nUser-Agent: Mozilla/5.0 ${word().repeat(40)}\r\n\r\n`,
    );
    const streams = [
      ...streamsAt(requests, { redirect: 300, write: 100, read: 50 }),
      { name: 'stranger', requests: strangers, rate: 100, pool: 'redirect' },
    ];
    const pools = { redirect: 256, api: 64 };
    const stages = [{ seconds, streams }];
    const [figures = {}] = await openLoop({ port: server.port, pools, stages, patienceMs });
    clearInterval(attacking);
    for (const socket of hostile) socket.destroy();
    t.diagnostic(show(figures));
    t.diagnostic(`at most ${Math.round(group.peak() / mebibyte)} MiB, including cached files`);
    assert.equal(group.kills(), 0, 'the kernel killed it');
    assert.equal(server.child.exitCode ?? server.child.signalCode, null, server.output().slice(-2_000));
    const { redirect } = figures;
    assert.ok(redirect !== undefined && redirect.good >= 0.9 * redirect.due, 'redirects were answered');
    const isReady = async () => (await call(server, 'GET', '/readyz')).status === 200;
    await until('it is ready', isReady);
    assert.equal(await server.stop(), 0);
  }),
);
