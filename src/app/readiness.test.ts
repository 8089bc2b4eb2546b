import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/files/temporary.ts';
import { openStorage } from '../storage/open.ts';
import { createReadiness } from './readiness.ts';

test('writes to storage once per half second, however many clients probe', async (t) => {
  const storage = await openStorage(`sqlite:${join(temporaryFolder('readiness'), 'linkfold.db')}`);
  t.after(storage.close);
  const checkReady = createReadiness(storage, { health: () => ({ ok: true, clicksAtRisk: 0 }) });
  const writes = () => storage.stats().writeSeconds.counts.reduce((sum, count) => sum + count, 0);
  const before = writes();
  const began = performance.now();
  for (let probes = 0; probes < 5; probes += 1) await Promise.all(Array.from({ length: 40 }, checkReady));
  const most = 1 + Math.floor((performance.now() - began) / 500);
  assert.ok(writes() > before, 'it asks');
  assert.ok(
    writes() - before <= most,
    `200 probes wrote ${writes() - before} times; at most ${most} were expected`,
  );
});
