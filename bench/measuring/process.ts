import { readdirSync, readFileSync } from 'node:fs';

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const msPerTick = 10;

/** Processor time used so far by a process or thread. */
export interface CpuTime {
  readonly userMs: number;
  readonly kernelMs: number;
}

function cpuIn(path: string): CpuTime {
  // The second field is the program's name in parentheses, and may contain spaces.
  const fields = readText(path).split(') ').pop()?.split(' ') ?? [];
  return { userMs: Number(fields[11]) * msPerTick, kernelMs: Number(fields[12]) * msPerTick };
}

/**
 * Returns the processor time of all threads of a process and its children, including ended threads, ms; NaN if
 * unavailable.
 */
export function cpuMsOf(pid: number | undefined): number {
  const { userMs, kernelMs } = cpuIn(`/proc/${pid}/stat`);
  const children = readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Number);
  // The time of an ended child is added to its parent.
  return children.reduce((sum, child) => sum + (cpuMsOf(Number(child)) || 0), userMs + kernelMs);
}

/** Returns the processor time of a process's ended children, ms; NaN if unavailable. */
export function cpuMsOfEnded(pid: number): number {
  const fields = readText(`/proc/${pid}/stat`).split(') ').pop()?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * msPerTick;
}

export interface Thread {
  readonly id: number;
  readonly name: string;
}

/** Returns the current threads of a process, main thread first; none if unavailable. */
export function threadsOf(pid: number): readonly Thread[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((id) => ({ id: Number(id), name: readText(`/proc/${pid}/task/${id}/comm`).trim() }))
      .sort((a, b) => a.id - b.id);
  } catch {
    return [];
  }
}

export function threadCpuOf(pid: number, thread: number): CpuTime {
  return cpuIn(`/proc/${pid}/task/${thread}/stat`);
}

/** Returns the processor time of a process's threads, ms, by name for threads that we named. */
export function cpuByThread(pid: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const msOf = ({ userMs, kernelMs }: CpuTime): number => userMs + kernelMs;
  for (const { id, name } of threadsOf(pid)) {
    const of = id === pid ? 'main' : name.startsWith('linkfold-') ? name.slice('linkfold-'.length) : 'others';
    sums.set(of, (sums.get(of) ?? 0) + msOf(threadCpuOf(pid, id)));
  }
  return sums;
}

/** Returns how long a thread has run, ms, with µs precision. */
export function ranMsOf(pid: number, thread: number): number {
  return Number(readText(`/proc/${pid}/task/${thread}/schedstat`).split(' ', 1)[0]) / 1e6;
}

/** Memory in MB. */
export interface Memory {
  /** All resident memory: the program's own pages, and mapped files, mostly Node's code. */
  readonly resident: number;
  /** The part that is not backed by a file, so it cannot be dropped and read again. */
  readonly anonymous: number;
}

export function memoryOf(pid: number | undefined): Memory {
  const status = readText(`/proc/${pid}/status`);
  const mb = (field: string): number =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
  return { resident: mb('VmRSS'), anonymous: mb('RssAnon') };
}
