import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A core for the tested server and another for the load; undefined if processes cannot be pinned. */
export interface Cores {
  readonly server: number | undefined;
  readonly load: number | undefined;
  readonly all: readonly number[];
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** `0-2,5` → 0, 1, 2, 5 */
function listed(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Selects the cores, and moves this process (and so its load generators) off the server's. */
export function takeCores(): Cores {
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readText('/proc/self/status'))?.[1];
  const all = allowed === undefined ? [] : listed(allowed);
  const [server, load] = all;
  if (server === undefined || load === undefined) return { server: undefined, load: undefined, all };
  const pinned = spawnSync('taskset', ['-a', '-p', '-c', String(load), String(process.pid)]);
  return pinned.status === 0 ? { server, load, all } : { server: undefined, load: undefined, all };
}

/** Moves a running thread. */
export function pin(thread: number, core: number | undefined): void {
  if (core !== undefined) spawnSync('taskset', ['-p', '-c', String(core), String(thread)]);
}

/** Returns a command pinned to the given cores. */
export function pinnedTo(
  cores: readonly (number | undefined)[],
  command: string,
  args: readonly string[],
): [string, string[]] {
  const known = cores.filter((core) => core !== undefined);
  return known.length === 0 ? [command, [...args]] : ['taskset', ['-c', known.join(','), command, ...args]];
}

interface Ticks {
  readonly busy: number;
  /** Stolen by the hypervisor. */
  readonly stolen: number;
  readonly all: number;
}

function ticksOf(core: number | undefined): Ticks {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readText('/proc/stat'))?.[1];
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, steal = 0] = (line ?? '')
    .split(' ')
    .map(Number);
  const busy = user + nice + system + irq + softIrq + steal;
  return { busy, stolen: steal, all: busy + idle + wait };
}

/** Use of two cores over a time: shares of 1, NaN if unknown. */
export interface CoreUse {
  readonly server: number;
  readonly load: number;
  /** Share of the server's core stolen by the hypervisor. */
  readonly stolen: number;
}

/** Starts watching two cores. @returns a function that returns their use since then */
export function watchCores(cores: Cores): () => CoreUse {
  const before = { server: ticksOf(cores.server), load: ticksOf(cores.load) };
  const share = (of: 'busy' | 'stolen', then: Ticks, now: Ticks): number =>
    (now[of] - then[of]) / (now.all - then.all);
  return () => {
    const server = ticksOf(cores.server);
    return {
      server: share('busy', before.server, server),
      load: share('busy', before.load, ticksOf(cores.load)),
      stolen: share('stolen', before.server, server),
    };
  };
}
