import assert from 'node:assert/strict';
import { until } from '../until.ts';
import { call, type Server } from './server.ts';

/**
 * Waits until a server that is stopping reports that it is not ready.
 * @throws Error if the server's port closes first
 */
export async function untilUnready(server: Server): Promise<void> {
  await until('the server is unready', async () => {
    const { status, json } = await call(server, 'GET', '/readyz');
    if (status === 503) assert.equal(json.error.code, 'SHUTTING_DOWN');
    return status === 503;
  });
}
