import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parseExposition, seriesValue } from '../../support/http/exposition.ts';
import { type Line, linesOf } from '../../support/server/log.ts';
import { as, call, endServers, type Server, startServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

// Tests the lines about responses in the operator's log.

const token = 'a-token-for-the-scraper';
const heldMs = 400;

describe('the log line of an API response', () => {
  let server: Server;
  let key: string;
  before(async () => {
    server = await startServer({ METRICS_TOKEN: token, METRICS_PORT: '0' });
    key = (await server.newKey()).key;
  });
  after(endServers);

  const lineOf = async (requestId: string | null): Promise<Line> => {
    const find = (): Line | undefined => linesOf(server).find((line) => line['requestId'] === requestId);
    await until('the line is there', () => find() !== undefined);
    return find() as Line;
  };

  test('includes the error code of a refusal, and none otherwise', async () => {
    const json = { 'content-type': 'application/json' };
    const asked = [
      call(server, 'GET', '/api/v1/links/unknown', { key }),
      call(server, 'GET', '/api/v1/links'),
      call(server, 'GET', '/api/v1/nothing'),
      call(server, 'GET', '/api/v1/links/%zz', { key }),
      call(server, 'DELETE', '/api/v1/shorten', { key }),
      call(server, 'POST', '/api/v1/shorten', { key, body: {} }),
      call(server, 'POST', '/api/v1/shorten', { key, body: '{', headers: json }),
      call(server, 'POST', '/api/v1/shorten', { key, body: 'x', headers: { 'content-type': 'text/plain' } }),
    ];
    const codes = new Set<string>();
    for (const answer of await Promise.all(asked)) {
      assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
      const line = await lineOf(answer.headers.get('x-request-id'));
      assert.deepEqual([line['status'], line['errorCode']], [answer.status, answer.json.error.code]);
      codes.add(answer.json.error.code);
    }
    assert.ok(codes.size >= 6, [...codes].join());
    const good = await as(server, key).get('/api/v1/me');
    assert.ok(!Object.hasOwn(await lineOf(good.headers.get('x-request-id')), 'errorCode'));
  });

  test('measures the time since the headers arrived, as do the metrics', async () => {
    const body = JSON.stringify({ url: 'https://example.com/' });
    const head = `POST /api/v1/shorten HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(server.port, '127.0.0.1').setEncoding('utf8');
    let answer = '';
    socket.on('data', (text) => (answer += text));
    const began = performance.now();
    socket.write(head);
    await pause(heldMs);
    socket.write(body);
    await new Promise((resolve) => socket.once('close', resolve));
    const took = performance.now() - began;
    assert.match(answer, /^HTTP\/1\.1 201 /);
    const { ms } = (await lineOf(/^x-request-id: (.+)\r$/im.exec(answer)?.[1] ?? null)) as {
      ms?: number;
    } & Line;
    // The server may receive the headers slightly after the test has sent them.
    assert.ok(ms !== undefined && ms > heldMs / 2 && ms <= took, `${ms} of ${took} ms`);

    const quick = await as(server, key).get('/api/v1/me');
    const { ms: quickMs } = (await lineOf(quick.headers.get('x-request-id'))) as { ms?: number } & Line;
    assert.ok(quickMs !== undefined && quickMs > 0, `${quickMs}`);
    assert.match(String(quickMs), /^\d+(\.\d\d?)?$/);

    const { url } = linesOf(server).find(({ msg }) => msg === 'metrics are available') as {
      url?: string;
    } & Line;
    const scraped = await fetch(String(url), { headers: { authorization: `Bearer ${token}` } });
    const sum = seriesValue(
      parseExposition(await scraped.text()),
      'linkfold_api_request_duration_seconds_sum',
      { endpoint: 'shorten' },
    );
    assert.ok(sum >= ms / 1_000, `${sum} s`);
  });
});

for (const workers of ['1', '2'])
  test(`SIGUSR1 toggles debug logging, with ${workers} workers`, async (t) => {
    const server = await startServer({ WORKERS: workers });
    t.after(() => server.stop());
    const levels = () =>
      linesOf(server).flatMap(({ msg, level }) => (String(msg).includes('SIGUSR1') ? [level] : []));
    const processes = workers === '1' ? 1 : 3;
    for (const times of [1, 2]) {
      server.child.kill('SIGUSR1');
      await until('every process says so', () => levels().length === times * processes);
    }
    assert.deepEqual(new Set(levels().slice(0, processes)), new Set(['debug']));
    assert.deepEqual(new Set(levels().slice(processes)), new Set(['info']));
  });
