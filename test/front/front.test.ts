// The front and Node's own parser must not be told apart by anybody: the same bytes on two servers, one with the front.
import assert from 'node:assert/strict';
import { after, before as first, type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { atMost } from '../support/http/wire.ts';
import { createRandom, effort, withSeed } from '../support/random/random.ts';
import { isInstalled } from '../support/server/machine.ts';
import { as, type Environment, type Server, startServer } from '../support/server/server.ts';
import { type Pace, play, probeCode } from './converse.ts';
import { haproxyBefore, nginxBefore } from './proxies.ts';
import { liveCodes, pageOrigin, type Sequence, sequenceOf } from './sequences.ts';

const usual = 2_500;
const atOnce = 100;
const fast: Pace = { gap: 0, patience: 2_000 };
const slow: Pace = { gap: 60, patience: 4_000 };
/** Gaps between pieces, ms, that bring out what timing alone can do. */
const gaps = [0, 1, 0, 3, 0, 7, 0, 15, 0, 1, 2, 4, 0, 10, 0, 30];

interface Side extends Server {
  readonly api: ReturnType<typeof as>;
}

async function start(fastRedirects: '0' | '1', env: Environment = {}): Promise<Side> {
  const server = await startServer({ FAST_REDIRECTS: fastRedirects, ...env });
  const { key } = await server.newKey();
  const api = as(server, key);
  for (const customCode of [...liveCodes, probeCode]) {
    const made = await api.post('/api/v1/shorten', { url: `https://example.com/${customCode}`, customCode });
    assert.equal(made.status, 201);
  }
  return { ...server, api };
}

let front: Side;
let plain: Side;
first(async () => {
  [front, plain] = await Promise.all([start('1'), start('0')]);
});
after(async () => {
  await Promise.all([front?.stop(), plain?.stop()]);
});

/** The ports of the same server with and without the front, or of proxies before them. */
type Ports = readonly [number, number];

async function both([first, second]: Ports, sequence: Sequence, pace: Pace): Promise<[string, string]> {
  return Promise.all([play(first, sequence, pace), play(second, sequence, pace)]);
}

/**
 * Two pieces that arrive in one read, or an error that overtakes an answer and takes it along as the connection breaks,
 * are differences of timing that each server shows alone. So what differed is played again: slowly, when both must
 * agree, and fast, until one has shown what the other did.
 */
async function difference(ports: Ports, sequence: Sequence, late: boolean): Promise<string | undefined> {
  const [first, second] = await both(ports, sequence, fast);
  if (first === second) return undefined;
  // An error that comes while an answer waits for the disk may take its place, however slowly it comes.
  if (late && isClosed(first) && isClosed(second)) return undefined;
  const [slowFirst, slowSecond] = await both(ports, sequence, slow);
  if (slowFirst !== slowSecond && !bothBreak(slowFirst, slowSecond)) {
    return report(sequence, slowFirst, slowSecond);
  }
  if (bothBreak(first, second)) return undefined;
  const seen = [new Set([first, slowFirst]), new Set([second, slowSecond])] as const;
  for (const gap of gaps) {
    if (seen[1].has(first) && seen[0].has(second)) return undefined;
    const [one, other] = await both(ports, sequence, { gap, patience: 1_000 });
    seen[0].add(one);
    seen[1].add(other);
  }
  return seen[1].has(first) || seen[0].has(second) ? undefined : report(sequence, first, second);
}

/** What HAProxy says of its client's bytes by itself: it races with our answers, and may take one along. */
const proxysPage = /HTTP\/1\.1 400 Bad request\r\n\r\n<html>.*?<\/html>\s*/gs;

/** Both closed for an error, and one has only lost answers that the other got through before it. */
function bothBreak(first: string, second: string): boolean {
  const [fewer = [], more = []] = [first, second]
    .map((outcome) => outcome.replaceAll(proxysPage, '').trim())
    .map((outcome) => outcome.split(/(?=HTTP\/1\.1 )|\n(?=\[closed\])/).filter((answer) => answer !== ''))
    .sort((a, b) => a.length - b.length);
  const bothClosed = isClosed(first) && isClosed(second);
  const isError = /^connection: close/im.test(first + second) || (first + second).search(proxysPage) !== -1;
  return bothClosed && isError && isPartOf(fewer, more);
}

function isClosed(outcome: string): boolean {
  return outcome.endsWith('[closed]');
}

/** Whether the items of one list are in the other, in their order. */
function isPartOf(fewer: readonly string[], more: readonly string[]): boolean {
  let found = 0;
  for (const item of more) if (item === fewer[found]) found += 1;
  return found === fewer.length;
}

function report(sequence: Sequence, withFront: string, without: string): string {
  return [
    JSON.stringify(sequence.pieces.map((piece) => piece.toString('latin1'))),
    ...(sequence.end ? ['and our side closes'] : []),
    `with the front:\n${withFront}`,
    `without:\n${without}`,
  ].join('\n');
}

/** Of every link, in the order of their codes. */
async function clicksOf({ api }: Side): Promise<number[]> {
  const { json } = await api.get('/api/v1/links?limit=100');
  const links: { shortCode: string; clicks: number }[] = json.data;
  return links.toSorted((a, b) => a.shortCode.localeCompare(b.shortCode)).map(({ clicks }) => clicks);
}

interface Comparison {
  readonly count: number;
  readonly seed: number;
  /** Whether our side may close before it has its answers. */
  readonly mayEnd?: boolean;
  /** Whether answers come later than the turn of their request. */
  readonly late?: boolean;
}

async function compare(
  t: TestContext,
  ports: Ports,
  { count, seed, mayEnd = true, late = false }: Comparison,
): Promise<void> {
  await withSeed(t, { count, seed }, async () => {
    const indexes = Array.from({ length: count }, (_, index) => index);
    const differences = await atMost(atOnce, indexes, async (index) => {
      const { pieces, end } = sequenceOf(createRandom(seed + index));
      const found = await difference(ports, { pieces, end: end && mayEnd }, late);
      return found === undefined ? [] : [`LINKFOLD_SEED=${seed + index}: ${found}`];
    });
    const all = differences.flat();
    assert.equal(all.length, 0, `${all.length} of ${count} differ\n${all.slice(0, 5).join('\n\n')}`);
  });
}

test('random bytes get the same answers and connection fates with and without the front', async (t) => {
  const { count, seed } = effort(usual);
  await compare(t, [front.port, plain.port], { count, seed });
});

test('and the same clicks, where no two pieces meet', async (t) => {
  const { count, seed } = effort(usual);
  await withSeed(t, { count, seed }, async () => {
    const indexes = Array.from({ length: Math.ceil(count / 10) }, (_, index) => index);
    for (let at = 0; at < indexes.length; at += perBatch)
      await compareClicks(seed, indexes.slice(at, at + perBatch));
  });
});

const perBatch = 250;

/** On a busy machine two pieces may meet all the same; what is no matter of time differs at any pace. */
async function compareClicks(seed: number, indexes: readonly number[]): Promise<void> {
  for (const gap of [slow.gap, 4 * slow.gap, 16 * slow.gap]) {
    const before = [await clicksOf(front), await clicksOf(plain)];
    await atMost(atOnce, indexes, (index) =>
      both([front.port, plain.port], sequenceOf(createRandom(seed + index)), { ...slow, gap }),
    );
    const after = [await clicksOf(front), await clicksOf(plain)];
    const [mine = [], other = []] = after.map((clicks, side) =>
      clicks.map((count, link) => count - (before[side]?.[link] ?? 0)),
    );
    if (indexes.length === perBatch) assert.ok(mine.every((clicks) => clicks > 0));
    if (gap > 4 * slow.gap) assert.deepEqual(mine, other);
    else if (isDeepStrictEqual(mine, other)) return;
  }
}

test('the same when pages of another origin may ask', async (t) => {
  const { count, seed } = effort(usual);
  const env = { CORS_ORIGINS: pageOrigin };
  const sides = await Promise.all([start('1', env), start('0', env)]);
  try {
    await compare(t, [sides[0].port, sides[1].port], { count: Math.ceil(count / 4), seed });
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
});

test('the same when answers wait for the disk, and more comes meanwhile', async (t) => {
  const { count, seed } = effort(usual);
  const env = { CLICK_DURABILITY: 'strict' };
  const sides = await Promise.all([start('1', env), start('0', env)]);
  try {
    // Node gives up on answers that are not there when its client closes.
    const how = { count: Math.ceil(count / 4), seed, mayEnd: false, late: true };
    await compare(t, [sides[0].port, sides[1].port], how);
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
});

for (const [program, before] of [
  ['nginx', nginxBefore],
  ['haproxy', haproxyBefore],
] as const) {
  test(`the same behind ${program}, which uses one connection for many clients`, async (t) => {
    if (!isInstalled(program)) return t.skip(`NOT RUN: ${program} is not installed`);
    const { count, seed } = effort(usual);
    const proxies = await Promise.all([before(front.port), before(plain.port)]);
    try {
      const ports: Ports = [proxies[0].port, proxies[1].port];
      // A proxy that sees its client's end may give up on what it asked for.
      await compare(t, ports, { count: Math.ceil(count / 4), seed, mayEnd: false });
    } finally {
      await Promise.all(proxies.map((proxy) => proxy.stop()));
    }
  });
}
