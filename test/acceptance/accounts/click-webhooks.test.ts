import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { makeLink } from '../../support/server/records.ts';
import { as, type Server, startServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const visits = 400;
const patience = { withinMs: 60_000, everyMs: 250 };

test('delivers every counted click to a receiver that fails sometimes, despite kill -9 of the server', async (t) => {
  const got: { at: number; text: string; headers: Record<string, string>; status: number }[] = [];
  const receiver = createServer(async (request, response) => {
    const at = Date.now();
    let text = '';
    for await (const chunk of request) text += chunk;
    // The first request fails and is retried with the same ID.
    const status = got.length === 0 ? 500 : 204;
    got.push({ at, text, headers: request.headers as Record<string, string>, status });
    response.writeHead(status).end();
  });
  t.after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const environment = { OUTBOUND_ALLOW: '127.0.0.1', SECRET_KEY: 'x'.repeat(40) };
  let server: Server = await startServer(environment);
  const { key } = await server.newKey();
  const link = await makeLink(as(server, key), { customCode: 'told-of-clicks' });
  const { json: created } = await as(server, key).post('/api/v1/webhooks', { url, events: ['link.clicked'] });
  assert.deepEqual(created.data.events, ['link.clicked']);
  let visit = 0;
  const clickSome = async () => {
    const end = visit + visits / 4;
    for (; visit < end; visit += 1) {
      const { status } = await fetch(`${server.url}/told-of-clicks?utm_term=v${visit}`, {
        redirect: 'manual',
      });
      assert.equal(status, 302);
    }
  };
  for (const waitsForTold of [false, true, false, false]) {
    await clickSome();
    // In one round, the server is killed while it sends requests to the receiver. In the other rounds, it is killed
    // right after the clicks, before it processes them.
    if (waitsForTold) await until('a delivery arrived', () => got.length > 1, patience);
    await server.stop('SIGKILL');
    server = await startServer(environment, server.dataDir);
  }
  const api = as(server, key);
  const counted = async (): Promise<number> => (await api.get(`/api/v1/links/${link}`)).json.data.clicks;
  const told = () =>
    got
      .filter(({ status }) => status < 300)
      .flatMap(({ text }) => JSON.parse(text).data.clicks as { linkId: string; utmTerm: string }[]);
  await until(
    'all clicks were delivered',
    async () =>
      new Set(told().map(({ utmTerm }) => utmTerm)).size >= (await counted()) && (await counted()) > 0,
    patience,
  );
  assert.equal(new Set(told().map(({ utmTerm }) => utmTerm)).size, await counted());
  assert.ok(told().every(({ linkId }) => linkId === link));
  for (const { text, headers } of got) assert.ok(new Webhook(created.data.secret).verify(text, headers));
  assert.equal(got[0]?.headers['webhook-id'], got[1]?.headers['webhook-id']);
  assert.ok(got.every(({ text }) => Buffer.byteLength(text) < 256_000 && !/127\.0\.0|visitor"/.test(text)));
  // The attempts are five seconds apart by the server's clock; on a busy machine, the requests may arrive later.
  for (const [place, { at }] of got.entries())
    assert.ok(place === 0 || at - (got[place - 1]?.at ?? 0) > 3_000, String(got.map((one) => one.at)));
  const { json } = await api.get(`/api/v1/webhooks/${created.data.id}/deliveries`);
  assert.ok(json.data.every(({ type }: { type: string }) => type === 'link.clicked'));
});
