import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../support/http/ports.ts';
import { freshCode, makeLink } from '../../support/server/records.ts';
import { type Answer, as, call, startServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

/** Maximum number of server starts. On a busy machine, the test may miss the startup phase, and tries again. */
const starts = 5;

test('serves visitors before the API is loaded, while API requests wait', async (t) => {
  const port = await freePort();
  const server = { url: `http://127.0.0.1:${port}` };
  const first = await startServer({ PORT: String(port) });
  t.after(() => first.stop());
  const { key } = await first.newKey();
  const code = freshCode();
  const id = await makeLink(as(first, key), { customCode: code });
  await first.stop();

  /** Retries a request until the server responds. */
  const ask = async (path: string): Promise<Answer> => {
    let answer: Answer | undefined;
    const isAnswered = async (): Promise<boolean> => {
      answer = await call(server, 'GET', path, { key }).catch(() => undefined);
      return answer !== undefined;
    };
    await until(`an answer to ${path}`, isAnswered, { everyMs: 1 });
    return answer as Answer;
  };

  let visits = 0;
  for (let probe: Answer | undefined; probe?.status !== 503; ) {
    assert.ok(visits < starts, 'each time the API was there as soon as the port was open');
    const starting = startServer({ PORT: String(port) }, first.dataDir);
    t.after(() => starting.then((server) => server.stop()));
    const asked = [ask(`/${code}`), ask('/readyz'), ask('/api/v1/me')] as const;
    const [again, visit, probed, request] = await Promise.all([starting, ...asked]);
    probe = probed;
    assert.equal(visit.status, 302);
    assert.equal(request.status, 200, request.text);
    visits += 1;
    const link = await call(again, 'GET', `/api/v1/links/${id}`, { key });
    assert.equal(link.json.data.clicks, visits);
    await again.stop();
    if (probe.status === 503) assert.match(probe.text, /The server is starting\./);
    else assert.equal(probe.status, 200);
  }
});
