import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';
import { createListener } from './listener.ts';
import { createTickLimit } from './tick-limit.ts';

/** Starts a listener whose API is not loaded yet. */
async function listening(t: TestContext) {
  let ids = 0;
  const listener = createListener({
    redirect: (_request, response) => response.writeHead(302, { location: 'https://example.com/' }).end(),
    checkReady: async () => {},
    newRequestId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    tickLimit: createTickLimit(256),
  });
  const port = await listener.listen({ port: 0, host: '127.0.0.1' });
  t.after(async () => {
    listener.drain('leave');
    await listener.close();
  });
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      redirect: 'manual',
      headers: { connection: 'close' },
    });
    return { status: answer.status, code: /"code":"([A-Z_]+)"/.exec(await answer.text())?.[1] };
  };
  return { listener, get };
}

test('serves visitors and queues API requests before the API is loaded', async (t) => {
  const { listener, get } = await listening(t);
  assert.equal((await get('/code')).status, 302);
  assert.equal((await get('/healthz')).status, 200);
  assert.deepEqual(await get('/readyz'), { status: 503, code: 'STORAGE_UNAVAILABLE' });
  assert.equal(await listener.isReady(), false);
  const waiting = Promise.all([get('/api/v1/me'), get('/api/v1/links')]);
  assert.equal(await Promise.race([waiting, pause(50, 'waits')]), 'waits');
  listener.mountApi((_request, response) => response.writeHead(200).end());
  assert.deepEqual(
    (await waiting).map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await get('/readyz')).status, 200);
  assert.equal((await get('/api/v1/me')).status, 200);
});

test('queues a thousand requests for the API, and no more', async (t) => {
  const { listener, get } = await listening(t);
  const refused: unknown[] = [];
  const answers = Array.from({ length: 1_010 }, async () => {
    const answer = await get('/api/v1/me');
    if (answer.status !== 200) refused.push(answer);
    return answer.status;
  });
  await until('connections above the limit are refused', () => refused.length === 10);
  assert.deepEqual(refused[0], { status: 503, code: 'STORAGE_UNAVAILABLE' });
  listener.mountApi((_request, response) => response.writeHead(200).end());
  assert.equal((await Promise.all(answers)).filter((status) => status === 200).length, 1_000);
});

test('refuses queued requests and closes the port when the API fails to load', async (t) => {
  const { listener, get } = await listening(t);
  const waiting = get('/api/v1/me');
  await pause(50);
  listener.drain('stop');
  assert.deepEqual(await waiting, { status: 503, code: 'SHUTTING_DOWN' });
  await listener.close();
});
