import assert from 'node:assert/strict';
import { sleep } from '../random/random.ts';
import { call, type Server } from './server.ts';

const withinMs = 500;

/** Waits until a server that was told to stop says so to load balancers. @throws when it does not at once */
export async function untilUnready(server: Server): Promise<void> {
  const begun = performance.now();
  while (performance.now() - begun < withinMs) {
    const { status, json } = await call(server, 'GET', '/readyz');
    if (status === 503) return assert.equal(json.error.code, 'SHUTTING_DOWN');
    await sleep(10);
  }
  assert.fail('The server stays ready although it was told to stop.');
}
