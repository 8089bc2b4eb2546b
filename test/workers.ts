import type { Server } from './support.ts';

/** A line of a server's log. */
export interface Line {
  readonly level: number;
  readonly msg: string;
  readonly worker?: number;
  readonly workerPid?: number;
  readonly [fact: string]: unknown;
}

export const linesOf = (server: Pick<Server, 'output'>): readonly Line[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

/** The processes that serve now, by the number of their place, as the log says. */
export const workersOf = (server: Pick<Server, 'output'>): ReadonlyMap<number, number> => {
  const workers = new Map<number, number>();
  for (const { msg, worker = 0, workerPid = 0 } of linesOf(server)) {
    if (msg === 'a worker serves') workers.set(worker, workerPid);
    else if (msg.startsWith('a worker ended') && workers.get(worker) === workerPid) workers.delete(worker);
  }
  return workers;
};

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const patienceMs = 20_000;

/** Waits until something holds. @returns how long it took, ms. @throws Error with what was waited for in vain */
export const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<number> => {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > patienceMs) throw new Error(`In vain: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - began;
};

/** Waits until others serve in the places of workers that ended. @returns how long it took, ms */
export const untilReplaced = (
  server: Pick<Server, 'output'>,
  gone: readonly number[],
  count = 2,
): Promise<number> =>
  until('the workers are replaced', () => {
    const now = [...workersOf(server).values()];
    return now.length === count && !now.some((pid) => gone.includes(pid));
  });
