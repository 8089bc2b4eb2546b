import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../server/server.ts';

/** A fault to inject into the n-th use of a system call, counted per thread. */
export interface Injection {
  readonly call: string;
  readonly nth: number;
  /** Name of the error, or `SIGKILL` to kill the process just before the call completes. */
  readonly what: string;
}

/** System calls that the storage and the journal use to access files, and the errors to inject into each. */
export const errorsOf: Readonly<Record<string, readonly string[]>> = {
  pwrite64: ['EIO', 'ENOSPC'],
  pread64: ['EIO'],
  fdatasync: ['EIO', 'ENOSPC'],
  fsync: ['EIO'],
  ftruncate: ['EIO'],
  unlink: ['EIO'],
  rename: ['EIO'],
  mkdir: ['ENOSPC'],
  openat: ['EMFILE', 'EIO'],
};
export const calls = Object.keys(errorsOf);

/** Returns a prefix that runs a command under strace. The command keeps its process ID. */
function strace(log: string, ...options: readonly string[]): string[] {
  return ['strace', '-D', '-f', '-o', log, ...options];
}

/** Injects a fault into a command. The command must be started with the prefix `within`. */
export function injecting({ call, nth, what }: Injection) {
  const log = join(temporaryFolder('injected'), 'log');
  const effect = what.startsWith('SIG') ? `signal=${what}` : `error=${what}`;
  return {
    // strace is faster with --seccomp-bpf, but then does not send signals.
    within: strace(
      log,
      ...(what.startsWith('SIG') ? [] : ['--seccomp-bpf']),
      '-e',
      `trace=${call}`,
      '-e',
      `inject=${call}:${effect}:when=${nth}`,
    ),
    /** Returns true if the fault was injected. */
    hasHappened: (): boolean => /\(INJECTED|killed by SIGKILL/.test(readFileSync(log, 'latin1')),
  };
}

/** Counts a command's system calls. The command must be started with the prefix `within`. */
export function counting() {
  const log = join(temporaryFolder('count'), 'log');
  return {
    within: strace(log, '--seccomp-bpf', '-e', `trace=${calls.join(',')}`),
    /**
     * @returns for each system call, the sequence numbers of its calls on files below the folder, counted per thread
     */
    numbers: (folder: string): ReadonlyMap<string, readonly number[]> => numbersIn(log, folder),
  };
}

const lineShape = /^(\d+) +(\w+)\((.*)$/;

function numbersIn(log: string, folder: string): ReadonlyMap<string, readonly number[]> {
  const made = new Map<string, number>();
  const concerned = new Map<string, Set<number>>();
  for (const line of readFileSync(log, 'latin1').split('\n')) {
    const [, thread = '', call = '', rest = ''] = lineShape.exec(line) ?? [];
    if (thread === '' || !calls.includes(call)) continue;
    const nth = (made.get(`${thread} ${call}`) ?? 0) + 1;
    made.set(`${thread} ${call}`, nth);
    const isElsewhere = (call === 'openat' || call === 'mkdir') && !rest.includes(folder);
    if (isElsewhere) continue;
    const numbers = concerned.get(call) ?? new Set();
    concerned.set(call, numbers.add(nth));
  }
  return new Map([...concerned].map(([call, numbers]) => [call, [...numbers].sort((a, b) => a - b)]));
}

/**
 * Makes a system call fail in a running process until stopped.
 * @param of `main` to break calls in the main thread only, `all` to break calls in all threads
 * @returns a function that stops the failures
 */
export async function breakCalls(
  pid: number,
  call: string,
  error: string,
  of: 'main' | 'all' = 'all',
): Promise<() => Promise<void>> {
  const threads = of === 'all' ? ['-f'] : [];
  const options = [...threads, '-p', String(pid), '-o', '/dev/null', '-e', `trace=${call}`];
  const tracer = spawn('strace', [...options, '-e', `inject=${call}:error=${error}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => tracer.once('exit', resolve));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    tracer.stderr.on('data', (chunk) => {
      said += chunk;
      if (said.includes('attached')) resolve();
    });
    void ended.then((code) => reject(new Error(`strace ended with ${code}: ${said}`)));
  });
  return async () => {
    tracer.kill('SIGINT');
    await ended;
  };
}
