import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeLink } from '../../support/server/records.ts';
import { as, startServer, temporaryFolder } from '../../support/server/server.ts';

test('monitors destinations and fills in missing titles from the page', async () => {
  const requests: string[] = [];
  const site = createServer(({ method, url, headers }, response) => {
    requests.push(`${method} ${url} ${headers['user-agent']}`);
    response.setHeader('content-type', 'text/html');
    if (url === '/there') response.end('<title>Spring &amp; summer</title>');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const data = temporaryFolder('watched');
  const off = await startServer({}, data);
  const { key } = await off.newKey();
  const make = (path: string, more = {}) => makeLink(as(off, key), { url: origin + path, ...more });
  const there = await make('/there');
  const named = await make('/missing', { title: 'Mine' });
  const alone = await make('/alone', { checkDestination: false });
  await off.stop();
  assert.equal(requests.length, 0, 'none if the operator has disabled checks');

  const settings = { WATCH_DESTINATIONS: '1', FETCH_TITLES: '1', OUTBOUND_ALLOW: '127.0.0.1' };
  const server = await startServer(settings, data);
  const api = as(server, key);
  const read = async (id: string) =>
    (await api.get(`/api/v1/links/${id}?include=destinationCheck,checkDestination`)).json.data;
  // Checks of two links on the same host are five seconds apart.
  while ((await read(there)).destinationCheck === null || (await read(named)).destinationCheck === null)
    await pause(100);
  const { title, destinationCheck } = await read(there);
  const { since, checkedAt, ...found } = destinationCheck;
  assert.deepEqual(found, {
    ...{ state: 'fine', problem: null, notice: null, status: 200, redirects: 0, certificateEndsAt: null },
  });
  assert.deepEqual([title, since], ['Spring & summer', checkedAt]);
  const missing = await read(named);
  assert.deepEqual(
    [missing.title, missing.destinationCheck.state, missing.destinationCheck.problem],
    ['Mine', 'suspect', 'not-found'],
  );
  assert.deepEqual(
    [(await read(alone)).destinationCheck, (await read(alone)).checkDestination],
    [null, false],
  );
  const list = (query: string) => api.get(`/api/v1/links?${query}`);
  assert.deepEqual(
    (await list('destination=failing')).json.data,
    [],
    'it counts only if it also fails an hour later',
  );
  assert.equal((await list('destination=gone')).status, 400);
  assert.equal((await list('include=destinationCheck')).json.data.length, 3);
  const isNamed = (line: string) => line.includes('Linkfold-Watch/') && line.includes(`+${server.url})`);
  assert.ok(requests.every(isNamed));
  assert.ok(requests.every((line) => !line.includes('/alone')));
  await server.stop();
  site.close();
});
