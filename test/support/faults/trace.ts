import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compiled } from '../server/compiled.ts';
import { words } from '../words.ts';

/** A system call in any thread of the traced process. Line numbers start at 0. */
export interface Call {
  readonly name: string;
  /** The arguments as strace prints them. Strings are in hexadecimal. */
  readonly args: string;
  /** -1 if the call failed. */
  readonly result: number;
  /** Line at which the call began. `ends`, the line at which it ended, is `Infinity` if it did not end. */
  readonly begins: number;
  readonly ends: number;
}

export interface Trace {
  readonly calls: readonly Call[];
  /** Time of each line in ms since the epoch. The event on the line happened at this time or earlier. */
  readonly times: readonly number[];
}

// All system calls that change files or directories or make changes durable. `fcntl` is omitted because Node and SQLite
// do not duplicate descriptors with it, and because SQLite's locks would fill the log.
const traced = words(`
  open openat creat close dup dup2 dup3 mkdir mkdirat rmdir write pwrite64 writev pwritev pwritev2 truncate
  ftruncate fallocate copy_file_range sendfile rename renameat renameat2 link linkat unlink unlinkat fsync
  fdatasync sync_file_range sync syncfs
`);
const longestString = 64 * 1024 * 1024;

/** Returns why tracing is not possible, or undefined if it is. */
export function whyNoTrace(): string | undefined {
  if (process.platform !== 'linux') return 'strace runs only on Linux';
  const { error, status, stderr } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], {
    encoding: 'utf8',
  });
  if (error !== undefined) return 'strace is not installed (Debian: apt-get install strace)';
  return status === 0 ? undefined : `strace is not allowed to trace here: ${stderr.trim()}`;
}

export interface TracedServer {
  readonly port: number;
  /**
   * Stops the server gracefully.
   * @returns the whole trace
   */
  stop(): Promise<Trace>;
  /** Kills the server if it is still running. */
  kill(): void;
}

const serve = [join(import.meta.dirname, '..', '..', '..', 'src', 'main.ts'), 'serve'];

/** Starts a real server under strace and waits until it is ready. */
export async function startTraced(
  env: Record<string, string>,
  logPath: string,
  program = serve,
): Promise<TracedServer> {
  const options = ['-f', '--seccomp-bpf', '-ttt', '-xx', '-s', String(longestString), '-o', logPath];
  const command = [...options, '-e', `trace=${traced.join(',')}`, process.execPath, ...program];
  const child = spawn('strace', command, {
    // strace does not see writes through io_uring, so io_uring is disabled.
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', UV_USE_IO_URING: '0', ...compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`;
      const { msg, url } = line.startsWith('{') ? JSON.parse(line) : {};
      if (msg === 'ready') resolve(Number(new URL(url).port));
    });
    void ended.then((code) => reject(new Error(`The traced server ended with ${code}:\n${output}`)));
  });
  const server = tracee(child);
  process.on('exit', () => kill(server, 'SIGKILL'));
  return {
    port,
    async stop() {
      kill(server, 'SIGTERM');
      const code = await ended;
      if (code !== 0) throw new Error(`The traced server ended with ${code}:\n${output}`);
      return parseTrace(readFileSync(logPath, 'latin1'));
    },
    kill: () => kill(server, 'SIGKILL'),
  };
}

/** Returns the process ID of the traced process, which strace started. */
function tracee({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ignored: the process has already ended
  }
}

const lineShape = /^(\d+) +(\d+\.\d+) (.*)$/;
const whole = /^(\w+)\((.*)\) += (-?\d+|\?)/;
const unfinished = /^(\w+)\((.*) <unfinished \.\.\.>$/;
const resumed = /^<\.\.\. (\w+) resumed>(.*)\) += (-?\d+|\?)/;

export function parseTrace(log: string): Trace {
  const calls: Call[] = [];
  const times: number[] = [];
  const open = new Map<string, { readonly name: string; readonly args: string; readonly begins: number }>();
  for (const line of log.split('\n')) {
    const [, thread = '', time = '', text = ''] = lineShape.exec(line) ?? [];
    if (thread === '') continue;
    const at = times.push(Number(time) * 1000) - 1;
    const cut = unfinished.exec(text);
    if (cut !== null) {
      open.set(thread, { name: cut[1] ?? '', args: cut[2] ?? '', begins: at });
      continue;
    }
    const back = resumed.exec(text);
    const begun = back === null ? undefined : open.get(thread);
    if (back !== null && begun !== undefined) {
      open.delete(thread);
      calls.push({ ...begun, args: begun.args + (back[2] ?? ''), result: Number(back[3]), ends: at });
      continue;
    }
    const [, name, args = '', result] = whole.exec(text) ?? [];
    if (name !== undefined) calls.push({ name, args, result: Number(result), begins: at, ends: at });
  }
  for (const begun of open.values())
    calls.push({ ...begun, result: Number.NaN, ends: Number.POSITIVE_INFINITY });
  return { calls: calls.sort((a, b) => a.begins - b.begins), times };
}

/** Returns a call's arguments. Strings keep their quotes. */
export function argumentsOf({ args }: Call): readonly string[] {
  return args.split(', ');
}

/** Returns a string argument's bytes. */
export function bytesOf(argument: string | undefined): Buffer {
  const quoted = /^"((?:\\x[0-9a-f]{2})*)"$/.exec(argument ?? '');
  if (quoted === null) throw new Error(`strace truncated a string: ${argument?.slice(0, 100)}`);
  return Buffer.from((quoted[1] ?? '').replaceAll('\\x', ''), 'hex');
}
