// The fast path must behave like Node's own parser. The tests send the same bytes to two servers, only one of which
// uses the fast path.
import assert from 'node:assert/strict';
import { after, before as first, type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { freePort } from '../support/http/ports.ts';
import { atMost } from '../support/http/wire.ts';
import { createRandom, effort, withSeed } from '../support/random/random.ts';
import { as, type Environment, type Server, startServer } from '../support/server/server.ts';
import { type Pace, play, probeCode } from './converse.ts';
import {
  domainCodes,
  domains,
  exactCodes,
  liveCodes,
  pageOrigin,
  type Sequence,
  segmentedCode,
  sequenceOf,
} from './sequences.ts';

const usual = 500;
const atOnce = 100;
/** Each pace is slower than the one before. A difference that occurs at every pace is not caused by timing. */
const paces: readonly Pace[] = [
  { gap: 0, patience: 2_000 },
  { gap: 60, patience: 4_000 },
  { gap: 500, patience: 8_000 },
];

interface Side extends Server {
  readonly api: ReturnType<typeof as>;
}

async function start(fastRedirects: '0' | '1', env: Environment = {}): Promise<Side> {
  const port = await freePort();
  const started = await startServer({
    FAST_REDIRECTS: fastRedirects,
    PORT: String(port),
    // Nearly all requests are for this host, because other hosts have no links.
    BASE_URL: 'http://go.example.com',
    ...env,
  });
  const server = { ...started, port, url: `http://127.0.0.1:${port}` };
  const { key, account } = await server.newKey();
  const api = as(server, key);
  const more = env['CODE_SEGMENTS'] === undefined ? [] : [segmentedCode];
  for (const customCode of [...liveCodes, ...more, probeCode]) {
    const made = await api.post('/api/v1/shorten', { url: `https://example.com/${customCode}`, customCode });
    assert.equal(made.status, 201);
  }
  for (const [codes, domain] of Object.entries(domains)) {
    await server.command('domains', 'create', domain, '--codes', codes, '--account', account, '--proven');
    for (const customCode of codes === 'exact' ? [...domainCodes, ...exactCodes] : domainCodes) {
      const url = `https://example.com/${encodeURIComponent(customCode)}`;
      const made = await api.post('/api/v1/shorten', { url, customCode, domain });
      assert.equal(made.status, 201, made.text);
    }
  }
  return { ...server, api };
}

let fast: Side;
let plain: Side;
first(async () => {
  [fast, plain] = await Promise.all([start('1'), start('0')]);
});
after(async () => {
  await Promise.all([fast?.stop(), plain?.stop()]);
});

/** Ports of two servers, the first with the fast path and the second without. */
type Ports = readonly [number, number];

function both([first, second]: Ports, sequence: Sequence, pace: Pace): Promise<[string, string]> {
  return Promise.all([play(first, sequence, pace), play(second, sequence, pace)]);
}

/**
 * Returns the difference if it occurs at every pace. At a fast pace, one server may receive two chunks as one, and the
 * other may receive them separately. Such a difference does not occur at slower paces.
 */
async function difference(ports: Ports, sequence: Sequence, late: boolean): Promise<string | undefined> {
  let found: string | undefined;
  for (const pace of paces) {
    const [first, second] = await both(ports, sequence, pace);
    if (first === second) return undefined;
    // If the connection closes while a response waits for the disk, the server need not send that response.
    if (late && isClosed(first) && isClosed(second)) return undefined;
    found = report(sequence, first, second);
  }
  return found;
}

function isClosed(outcome: string): boolean {
  return outcome.endsWith('[closed]');
}

function report(sequence: Sequence, withFastPath: string, without: string): string {
  return [
    JSON.stringify(sequence.pieces.map((piece) => piece.toString('latin1'))),
    ...(sequence.end ? ['and our side closes'] : []),
    `with the fast path:\n${withFastPath}`,
    `without:\n${without}`,
  ].join('\n');
}

/** Returns the number of clicks on each link, sorted by code. */
async function clicksOf({ api }: Side): Promise<number[]> {
  const { json } = await api.get('/api/v1/links?limit=100');
  const links: { shortCode: string; clicks: number }[] = json.data;
  return links.toSorted((a, b) => a.shortCode.localeCompare(b.shortCode)).map(({ clicks }) => clicks);
}

interface Comparison {
  readonly count: number;
  readonly seed: number;
  /** True if the client may close the connection before it has received the responses. */
  readonly mayEnd?: boolean;
  /** True if a response may be sent in a later event loop turn than the one that read its request. */
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

test('returns the same responses and connection states for random bytes with and without the fast path', async (t) => {
  const { count, seed } = effort(usual);
  await compare(t, [fast.port, plain.port], { count, seed });
});

test('records the same clicks when no two chunks merge', async (t) => {
  const { count, seed } = effort(usual);
  await withSeed(t, { count, seed }, async () => {
    const indexes = Array.from({ length: Math.ceil(count / 10) }, (_, index) => index);
    for (let at = 0; at < indexes.length; at += perBatch)
      await compareClicks(seed, indexes.slice(at, at + perBatch));
  });
});

const perBatch = 250;

async function compareClicks(seed: number, indexes: readonly number[]): Promise<void> {
  let counted: readonly number[][] = [];
  for (const pace of paces.slice(1)) {
    const before = [await clicksOf(fast), await clicksOf(plain)];
    await atMost(atOnce, indexes, (index) =>
      both([fast.port, plain.port], sequenceOf(createRandom(seed + index)), pace),
    );
    const after = [await clicksOf(fast), await clicksOf(plain)];
    counted = after.map((clicks, side) => clicks.map((count, link) => count - (before[side]?.[link] ?? 0)));
    if (isDeepStrictEqual(counted[0], counted[1])) break;
  }
  if (indexes.length === perBatch) assert.ok(counted[0]?.every((clicks) => clicks > 0));
  assert.deepEqual(counted[0], counted[1]);
}

test('does the same with CORS and codes with slashes', async (t) => {
  const { count, seed } = effort(usual);
  const env = { CORS_ORIGINS: pageOrigin, CODE_SEGMENTS: '3' };
  const sides = await Promise.all([start('1', env), start('0', env)]);
  try {
    await compare(t, [sides[0].port, sides[1].port], { count: Math.ceil(count / 4), seed });
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
});

test('does the same when responses wait for the disk and more data arrives', async (t) => {
  const { count, seed } = effort(usual);
  const env = { CLICK_DURABILITY: 'strict' };
  const sides = await Promise.all([start('1', env), start('0', env)]);
  try {
    // Clients do not close early here, because Node drops pending responses when the client closes the connection.
    const how = { count: Math.ceil(count / 4), seed, mayEnd: false, late: true };
    await compare(t, [sides[0].port, sides[1].port], how);
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
});
