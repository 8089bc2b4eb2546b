import { until } from '../until.ts';
import { linesOf } from './log.ts';
import type { Server } from './server.ts';

/** Returns the process IDs of the current workers by their number, according to the log. */
export function workersOf(server: Pick<Server, 'output'>): ReadonlyMap<number, number> {
  const workers = new Map<number, number>();
  for (const { msg, worker = 0, workerPid = 0 } of linesOf(server)) {
    if (msg === 'a worker is ready') workers.set(worker, workerPid);
    else if (msg.startsWith('a worker exited') && workers.get(worker) === workerPid) workers.delete(worker);
  }
  return workers;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Waits until new workers have replaced those that ended.
 * @returns the waiting time in ms
 */
export function untilReplaced(
  server: Pick<Server, 'output'>,
  gone: readonly number[],
  count = 2,
): Promise<number> {
  return until('the workers are replaced', () => {
    const now = [...workersOf(server).values()];
    return now.length === count && !now.some((pid) => gone.includes(pid));
  });
}
