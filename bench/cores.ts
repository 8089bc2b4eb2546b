import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One core for the server under test, another one for the load; undefined where processes cannot be pinned. */
export interface Cores {
  readonly server: number | undefined;
  readonly load: number | undefined;
  readonly all: readonly number[];
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** `0-2,5` → 0, 1, 2, 5 */
const listed = (text: string): number[] =>
  text.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });

/** Chooses the cores, and keeps this process (and so its load generators) off the server's. */
export const takeCores = (): Cores => {
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readText('/proc/self/status'))?.[1];
  const all = allowed === undefined ? [] : listed(allowed);
  const [server, load] = all;
  if (server === undefined || load === undefined) return { server: undefined, load: undefined, all };
  const pinned = spawnSync('taskset', ['-a', '-p', '-c', String(load), String(process.pid)]);
  return pinned.status === 0 ? { server, load, all } : { server: undefined, load: undefined, all };
};

/** A command that runs on the given cores only. */
export const pinnedTo = (
  cores: readonly (number | undefined)[],
  command: string,
  args: readonly string[],
): [string, string[]] => {
  const known = cores.filter((core) => core !== undefined);
  return known.length === 0 ? [command, [...args]] : ['taskset', ['-c', known.join(','), command, ...args]];
};

interface Ticks {
  readonly busy: number;
  readonly all: number;
}

const ticksOf = (core: number | undefined): Ticks => {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readText('/proc/stat'))?.[1];
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, steal = 0] = (line ?? '')
    .split(' ')
    .map(Number);
  const busy = user + nice + system + irq + softIrq + steal;
  return { busy, all: busy + idle + wait };
};

/** Starts to watch two cores. @returns a function that says how busy each was since, 0 to 1, NaN where unknown */
export const watchCores = (cores: Cores): (() => { server: number; load: number }) => {
  const before = { server: ticksOf(cores.server), load: ticksOf(cores.load) };
  const busy = (then: Ticks, now: Ticks): number => (now.busy - then.busy) / (now.all - then.all);
  return () => ({
    server: busy(before.server, ticksOf(cores.server)),
    load: busy(before.load, ticksOf(cores.load)),
  });
};
