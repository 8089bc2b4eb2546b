import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Counts begin anew with the minute: waits for the next one, unless so much is left of this one. */
export async function roomInTheMinute(ms = 8_000): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < ms) await pause(left + 50);
}

const paceMs = 20;
/** What may be answered too many: what comes until two exchanges are over, on a slow machine. */
const maxBeyond = 1_000 / paceMs;
const refusalsInARow = 30;

/**
 * Asks until every process refuses, and asserts that the limit holds for all of them together: never too early, and hardly
 * late. Alone each process would let through as many.
 * @param ask the n-th request. @returns its status
 * @param status of what is let through
 * @param limit well above 50
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
