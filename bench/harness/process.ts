import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** One core for the measured server and another for the load. Both are undefined if processes cannot be pinned. */
export interface Cores {
  readonly server: number | undefined;
  readonly load: number | undefined;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Parses a list of cores: `0-2,5` means 0, 1, 2 and 5. */
function coresIn(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Selects the cores. Pins this process, and therefore the load generators that it starts, to the core for the load. */
export function selectCores(): Cores {
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readText('/proc/self/status'))?.[1];
  const [server, load] = allowed === undefined ? [] : coresIn(allowed);
  const isPinned =
    load !== undefined &&
    spawnSync('taskset', ['-a', '-p', '-c', String(load), String(process.pid)]).status === 0;
  return isPinned ? { server, load } : { server: undefined, load: undefined };
}

/** Moves a running thread to a core. */
export function pinThread(thread: number, core: number | undefined): void {
  if (core !== undefined) spawnSync('taskset', ['-p', '-c', String(core), String(thread)]);
}

/** Returns a command pinned to a core. */
export function pinnedTo(
  core: number | undefined,
  [command, ...args]: readonly [string, ...string[]],
): [string, string[]] {
  return core === undefined ? [command, args] : ['taskset', ['-c', String(core), command, ...args]];
}

const msPerTick = 10;

function cpuMsIn(path: string): number {
  // The second field is the program's name in parentheses. The name may contain spaces, so parsing starts after it.
  const fields = readText(path).split(') ').pop()?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

/** Returns a process's CPU time in ms, including its ended threads and its children, or NaN if unavailable. */
export function cpuMsOf(pid: number): number {
  const children = readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Number);
  // Adds running children only. The kernel counts the time of ended children in separate fields.
  return children.reduce((sum, child) => sum + (cpuMsOf(Number(child)) || 0), cpuMsIn(`/proc/${pid}/stat`));
}

/** A thread and its CPU time so far. */
interface Thread {
  readonly id: number;
  /**
   * `main`, or the name that Linkfold gave the thread. Runtime threads, such as the compiler and the garbage collector,
   * are named `others`.
   */
  readonly name: string;
  readonly systemName: string;
  readonly cpuMs: number;
}

/** Returns a process's current threads, or an empty list if unavailable. */
export function threadsOf(pid: number): readonly Thread[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((id) => {
      const systemName = readText(`/proc/${pid}/task/${id}/comm`).trim();
      const [, own = 'others'] = /^linkfold-(.*)/.exec(systemName) ?? [];
      const name = Number(id) === pid ? 'main' : own;
      return { id: Number(id), name, systemName, cpuMs: cpuMsIn(`/proc/${pid}/task/${id}/stat`) };
    });
  } catch {
    return [];
  }
}

/** Returns the CPU time in ms of a process's threads, by thread name. */
export function cpuByThread(pid: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name, cpuMs } of threadsOf(pid)) sums.set(name, (sums.get(name) ?? 0) + cpuMs);
  return sums;
}

/** Returns how long a thread has run, in ms with microsecond precision. */
export function ranMsOf(pid: number, thread: number): number {
  return Number(readText(`/proc/${pid}/task/${thread}/schedstat`).split(' ', 1)[0]) / 1e6;
}

/** Returns a process's resident memory in MB, including mapped files, or NaN if unavailable. */
export function memoryMbOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`))?.[1];
  return (Number(kib ?? Number.NaN) * 1_024) / 1e6;
}

/** Returns the time, in ms, on a clock shared by all processes on the machine. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
