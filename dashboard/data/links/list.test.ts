import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';

const held: ServerResponse[] = [];
const server = createServer((_, response) => held.push(response)).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
// Dashboard modules read the page's URL when they are loaded, so `location` must be set before the import.
const { port } = server.address() as AddressInfo;
Object.assign(globalThis, { location: new URL(`http://127.0.0.1:${port}/dashboard/links`) });
const { linksChanged, listFor, reload } = await import('./list.ts');

/** Responds to the pending request. */
async function answer(): Promise<void> {
  while (held.length === 0) await once(server, 'request');
  const pagination = { total: 0, nextCursor: null };
  held
    .shift()
    ?.setHeader('content-type', 'application/json')
    .end(JSON.stringify({ success: true, data: [], pagination }));
}

test('reloads a list that was read while links changed', async () => {
  const list = listFor({ search: '', sort: 'createdAt', order: 'desc' });
  const quiet = reload(list);
  await answer();
  await quiet;
  assert.ok(list.readAt > 0);

  const meanwhile = reload(list);
  linksChanged();
  await answer();
  await meanwhile;
  assert.equal(list.readAt, 0);
});
