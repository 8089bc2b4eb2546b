import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Waits for the next minute, when the rate limits start over, unless enough time is left in this minute. */
export async function roomInTheMinute(ms = 8_000): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < ms) await pause(left + 50);
}

const paceMs = 20;
/**
 * Maximum number of allowed responses above the limit. On a slow machine, that many are sent between two exchanges of
 * counts.
 */
const maxBeyond = 1_000 / paceMs;
const refusalsInARow = 30;

/**
 * Sends requests until every process rejects them, and asserts that the processes share the limit: requests are never
 * rejected too early, and at most slightly too late. If the processes did not exchange counts, each would allow the
 * full limit.
 * @param ask sends the n-th request and returns its status
 * @param status status of allowed requests
 * @param limit must be well above 50
 */
export async function assertHeldTogether(
  ask: (n: number) => Promise<number | undefined>,
  status: number,
  limit: number,
): Promise<void> {
  await roomInTheMinute(15_000);
  let passed = 0;
  let refused = 0;
  for (let n = 0; refused < refusalsInARow && n < 6 * limit; n += 1) {
    const answered = await ask(n);
    refused = answered === 429 ? refused + 1 : 0;
    if (answered !== 429) passed += 1;
    assert.ok(answered === 429 || answered === status, `status ${answered}`);
    await pause(paceMs);
  }
  assert.equal(refused, refusalsInARow);
  assert.ok(passed >= limit, `refused early: after ${passed}`);
  assert.ok(passed <= limit + maxBeyond && passed < 2 * limit, `late: after ${passed}`);
}
