import { readdirSync, readFileSync } from 'node:fs';

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const msPerTick = 10;

/** Processor time that a process, or one of its threads, has used so far. */
export interface CpuTime {
  readonly userMs: number;
  readonly kernelMs: number;
}

function cpuIn(path: string): CpuTime {
  // The second field is the program's name, in brackets, and may hold spaces.
  const fields = readText(path).split(') ').pop()?.split(' ') ?? [];
  return { userMs: Number(fields[11]) * msPerTick, kernelMs: Number(fields[12]) * msPerTick };
}

/** Of all threads of a process and of its children, those threads that ended included, ms; NaN where the system does not tell. */
export function cpuMsOf(pid: number | undefined): number {
  const { userMs, kernelMs } = cpuIn(`/proc/${pid}/stat`);
  const children = readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Number);
  // One that has ended meanwhile is its parent's.
  return children.reduce((sum, child) => sum + (cpuMsOf(Number(child)) || 0), userMs + kernelMs);
}

/** Of the children of a process that have ended, ms; NaN where the system does not tell. */
export function cpuMsOfEnded(pid: number): number {
  const fields = readText(`/proc/${pid}/stat`).split(') ').pop()?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * msPerTick;
}

export interface Thread {
  readonly id: number;
  readonly name: string;
}

/** The threads that a process has now, the main thread first; none where the system does not tell. */
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

/** Processor time of a process's threads so far, ms, by the names of those that have one of ours. */
export function cpuByThread(pid: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const msOf = ({ userMs, kernelMs }: CpuTime): number => userMs + kernelMs;
  for (const { id, name } of threadsOf(pid)) {
    const of = id === pid ? 'main' : name.startsWith('linkfold-') ? name.slice('linkfold-'.length) : 'others';
    sums.set(of, (sums.get(of) ?? 0) + msOf(threadCpuOf(pid, id)));
  }
  return sums;
}

/** How long a thread ran so far, ms, to the microsecond. */
export function ranMsOf(pid: number, thread: number): number {
  return Number(readText(`/proc/${pid}/task/${thread}/schedstat`).split(' ', 1)[0]) / 1e6;
}

/** Memory in MB. */
export interface Memory {
  /** Everything in RAM: the program's own pages, and those of files that it has mapped, Node's code above all. */
  readonly resident: number;
  /** Of it, what is no file's content and so cannot be dropped and read again. */
  readonly anonymous: number;
}

export function memoryOf(pid: number | undefined): Memory {
  const status = readText(`/proc/${pid}/status`);
  const mb = (field: string): number =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
  return { resident: mb('VmRSS'), anonymous: mb('RssAnon') };
}
