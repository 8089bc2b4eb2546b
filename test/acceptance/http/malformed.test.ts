import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Answer, ask } from '../../support/http/ask.ts';
import { type MalformedBytes, malformedBytes } from '../../support/http/malformed-bytes.ts';
import { type MalformedRequest, malformedRequests } from '../../support/http/malformed-requests.ts';
import { everyEndpoint } from '../../support/http/openapi.ts';
import { createJudge, type Judge } from '../../support/http/openapi-judge.ts';
import { answersIn, atMost, converse, faultIn, patienceMs } from '../../support/http/wire.ts';
import { runs, seed } from '../../support/random/random.ts';
import { memoryOf } from '../../support/server/machine.ts';
import { pathWith } from '../../support/server/records.ts';
import { call, type Server, startServer } from '../../support/server/server.ts';
import { words } from '../../support/words.ts';

const connections = 32;
const count = runs(700).numRuns;
const maxGrowth = 32 * 1024 * 1024;
/** A small heap, so that a process that leaks memory crashes. */
const nodeOptions = '--max-semi-space-size=2 --max-old-space-size=48';
/** Memory usage varies with garbage collection; the minimum shows what is retained. */
const samples = 8;
const unknownId = '00000000-0000-4000-8000-000000000000';

type Case = MalformedRequest | MalformedBytes;

const malformed: fc.Arbitrary<Case> = fc.oneof(
  { weight: 7, arbitrary: malformedRequests },
  { weight: 3, arbitrary: malformedBytes },
);

function show(one: Case): string {
  return JSON.stringify(one, (_name, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  )
    .replace(/(.{1,4}?)\1{20,}/g, (all: string, part: string) => `${part}…${all.length / part.length} times…`)
    .slice(0, 600);
}

describe('malformed requests', () => {
  let server: Server;
  let authorization: string;
  let judge: Judge;
  const seen = new Map<string, number>();

  before(async () => {
    server = await startServer({ NODE_OPTIONS: nodeOptions });
    const { key } = await server.newKey();
    authorization = `Bearer ${key}`;
    await touchAll(key);
    judge = createJudge((await call(server, 'GET', '/api/v1/openapi.json')).json);
  });
  after(() => server.stop());

  /**
   * Sends one request to each endpoint. Memory that an endpoint retains after its first request, such as its validator
   * and statements, is not a leak.
   */
  const touchAll = async (key: string): Promise<void> => {
    for (const endpoint of everyEndpoint.filter(({ givesFile }) => !givesFile))
      await call(server, endpoint.method, pathWith(endpoint, unknownId), {
        key,
        ...(endpoint.fields !== undefined && { body: endpoint.exampleBody }),
      });
  };

  const note = ({ status, text }: Answer): void => {
    const what = /"code":"(\w+)"/.exec(text)?.[1] ?? String(status);
    seen.set(what, (seen.get(what) ?? 0) + 1);
  };

  /** @returns the fault in the server's response, or undefined if there is none */
  const complaintAbout = async (one: Case): Promise<string | undefined> => {
    if ('request' in one) {
      const { request, mayClose = false } = one;
      try {
        const headers = { authorization, ...request.headers };
        const answer = await ask(server, { ...request, headers });
        note(answer);
        const { method = 'GET', path } = request;
        const { status, text } = answer;
        const header = (name: string) => answer.headers[name]?.toString();
        const judged = { method, path, status, text, header, headerNames: Object.keys(answer.headers) };
        return faultIn(answer, { head: method === 'HEAD' }) ?? judge.complaintAbout(judged);
      } catch (error) {
        const closed = ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
        return mayClose && closed ? undefined : String(error);
      }
    }
    const { bytes, answers, end = false, reset = false } = one;
    const head = Buffer.from(bytes[0] ?? '')
      .toString('latin1')
      .startsWith('HEAD');
    const enough = (text: string): boolean => answers > 0 && answersIn(text, { head }).length >= answers;
    const { text, closed } = await converse(server.port, bytes, { end, reset, enough });
    const received = answersIn(text, { head });
    for (const answer of received) note(answer);
    if (!closed && !enough(text))
      return `no answer and no close within ${patienceMs} ms: ${text.slice(0, 200)}`;
    if (received.length < answers) return `${received.length} answers of ${answers}: ${text.slice(0, 200)}`;
    return received.map((answer) => faultIn(answer, { head })).find((fault) => fault !== undefined);
  };

  const sendAll = async (cases: readonly Case[]): Promise<string[]> => {
    const complaints = await atMost(connections, cases, async (one) => {
      const complaint = await complaintAbout(one);
      return complaint && `${one.kind}: ${complaint}\n    ${show(one)}`;
    });
    return complaints.filter((complaint) => complaint !== undefined);
  };

  test(`${count} generated ones: no fault, no hang, every response in the catalogue and the OpenAPI document`, async (t) => {
    const again = `LINKFOLD_SEED=${seed} LINKFOLD_COUNT=${count} repeats this run`;
    t.diagnostic(again);
    // The first third warms up the server, so that later growth is a leak, not a cache.
    const cases = fc.sample(malformed, { seed, numRuns: count });
    const complaints: string[] = [];
    const sendMeasured = async (from: number, to: number): Promise<number> => {
      const memory: number[] = [];
      for (let at = 0; at < samples; at += 1) {
        const [begin = 0, end = 0] = [at, at + 1].map(
          (part) => from + Math.round(((to - from) * part) / samples),
        );
        complaints.push(...(await sendAll(cases.slice(begin, end))));
        memory.push(memoryOf(server.child.pid));
      }
      return Math.min(...memory.slice(samples / 2));
    };
    const third = Math.round(count / 3);
    const before = await sendMeasured(0, third);
    const atEnd = await sendMeasured(third, count);

    assert.equal(
      complaints.length,
      0,
      `${complaints.length} of ${count}; ${again}\n${complaints.slice(0, 10).join('\n')}`,
    );
    assert.equal(server.child.exitCode ?? server.child.signalCode, null, `the process ended; ${again}`);
    assert.equal((await call(server, 'GET', '/readyz')).status, 200, again);
    const growth = atEnd - before;
    t.diagnostic(`memory grew by ${Math.round(growth / 1024 / 1024)} MiB`);
    t.diagnostic(
      `answers: ${[...seen]
        .sort()
        .map(([what, times]) => `${what} ${times}`)
        .join(', ')}`,
    );
    assert.ok(growth < maxGrowth, `memory grew by ${growth} bytes; ${again}`);
    const alarms = server
      .output()
      .split('\n')
      .filter((line) => /"level":(50|60)|fault|"msg":"request failed"/.test(line));
    assert.deepEqual(alarms.slice(0, 3), [], again);
  });

  test('the generators trigger every error that a client without a key can cause', {
    skip: count < 4_000,
  }, () => {
    const reached = ['INVALID_JSON', 'INVALID_BODY', 'VALIDATION_ERROR', 'INVALID_URL', 'BAD_REQUEST'];
    const more = words('MISSING_API_KEY INVALID_API_KEY ROUTE_NOT_FOUND METHOD_NOT_ALLOWED BODY_TOO_LARGE');
    const rest = words(`
      LINK_NOT_FOUND FOLDER_NOT_FOUND CODE_NOT_FOUND URI_TOO_LONG UNSUPPORTED_MEDIA_TYPE
    `);
    for (const code of [
      ...reached,
      ...more,
      ...rest,
      'EXPECTATION_FAILED',
      'HEADERS_TOO_LARGE',
      '200',
      '201',
    ]) {
      assert.ok(seen.has(code), `${code} was never returned, seed ${seed}`);
    }
  });

  test('survives a client that disconnects during an error response', async () => {
    for (const bytes of [
      'garbage\r\n\r\n',
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
    ]) {
      await atMost(connections, Array.from({ length: 100 }), () =>
        converse(server.port, [bytes], { reset: true }),
      );
    }
    assert.equal(server.child.exitCode ?? server.child.signalCode, null, server.output().slice(-2_000));
    assert.equal((await call(server, 'GET', '/healthz')).status, 200);
  });

  test('closes the connection after a refused upgrade, because Node would hide later parse errors', async () => {
    const upgrade = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    const { text, closed } = await converse(server.port, [upgrade]);
    assert.ok(closed);
    assert.deepEqual(
      answersIn(text).map(({ status, headers }) => [status, headers.connection]),
      [[200, 'close']],
    );
  });

  test('rejects a request without polluting a prototype: plain requests still work', async () => {
    const fresh = await server.newKey();
    const made = await call(server, 'POST', '/api/v1/shorten', {
      key: fresh.key,
      body: { url: 'https://example.com/' },
    });
    assert.deepEqual(Object.keys(made.json.data), words('id shortCode shortUrl destinationUrl createdAt'));
    const listed = await call(server, 'GET', '/api/v1/links', { key: fresh.key });
    assert.equal(listed.json.pagination.total, 1);
  });
});
