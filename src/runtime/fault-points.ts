// Fault points are places in the program where tests inject faults that might occur on a slow disk or under load
// (docs/reliability.md).
import { writeSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

/** Probability of each fault, per execution of its fault point. */
export const faultPoints = {
  shortWrite: 0.3,
  lateTimer: 0.2,
  smallFold: 0.5,
  smallRecoveryBatch: 0.9,
  smallChangePage: 0.3,
  smallCache: 0.5,
  lostNotice: 0.3,
  slowReply: 0.1,
  expiredLease: 0.5,
  missedIdempotencyKey: 0.5,
  conflict: 0.1,
  reorderedWrite: 0.2,
} as const;
export type FaultPoint = keyof typeof faultPoints;

/** Delay of a late timer in ms. */
export const lateMs = 1_500;
/** Maximum delay of a response or a write in ms. */
const maxDelayMs = 50;

const seed = process.env['LINKFOLD_FAULTS'];
/**
 * True if faults are enabled. Check this before calling `isFaulty`, so that a fault point costs only one comparison.
 */
export const hasFaults = seed !== undefined && seed !== '';
let state = Number(seed) + 1_000_003 * threadId;

/** Returns the next number of a linear congruential generator (Numerical Recipes), at least 0 and less than 1. */
function next(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

const hits = new Map<FaultPoint, number>();

/** Decides randomly whether a fault occurs now. Reports faults to standard error, with decreasing frequency. */
export function isFaulty(point: FaultPoint): boolean {
  if (!hasFaults || next() >= faultPoints[point]) return false;
  const count = (hits.get(point) ?? 0) + 1;
  hits.set(point, count);
  // This writes to the file descriptor directly, because `process.stderr` in a thread loses messages if the process is
  // killed.
  if (Number.isInteger(Math.log2(count))) writeSync(2, `fault point ${point} +${Math.ceil(count / 2)}\n`);
  return true;
}

export function faultDelay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, next() * maxDelayMs));
}
