import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Environment, environmentOf } from './server.ts';

export const root = join(import.meta.dirname, '..', '..', '..');
export const ours = join(root, 'bin', 'linkfold');
export const linkfold = process.env['LINKFOLD_UNDER_TEST'] ?? ours;

/** A running command, which may fail. For servers that must become ready, use `startServer`. */
export interface Launched {
  readonly child: ChildProcess;
  /** Returns the standard output so far. `err` returns the standard error so far. */
  out(): string;
  err(): string;
  /** Resolves once the command has exited and all its output has been read. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

const launched = new Set<() => void>();
/** Kills commands that are still running, for tests that end early. */
export function endLaunched(): void {
  for (const kill of launched) kill();
}
process.on('exit', endLaunched);

/**
 * Starts a program with exactly this environment. With `detached`, the program leads its own process group, like a
 * program that was started in a terminal.
 */
export function launch(
  program: string,
  args: readonly string[],
  env: Environment,
  options: Pick<SpawnOptions, 'cwd' | 'detached'> = {},
): Launched {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, env });
  const kill = (): void => {
    try {
      process.kill(options.detached ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL');
    } catch {
      // ignored: the process has already ended
    }
  };
  launched.add(kill);
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (err += text));
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      launched.delete(kill);
      resolve({ code, signal });
    });
  });
  ended.catch(() => {});
  return { child, out: () => out, err: () => err, ended };
}

/** Returns the environment for a server on a data directory, with the tested engine. */
export async function serverEnvironment(dataDir: string, env: Environment = {}): Promise<Environment> {
  return { ...(await environmentOf(dataDir)), ...env };
}
