import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { folderOfRun, makeFolder } from '../files/temporary.ts';
import { until } from '../until.ts';

/** A command line with its environment, input and working directory. */
export interface HostedLine {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly input: string | Uint8Array;
  /** Working directory. */
  readonly cwd: string;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Matches commands that need their own process: they exit the process, change its priority, handle signals or run until
 * stopped.
 */
const ofAProcess = /^(?:serve|db|events|links import)\b/;

/** Returns true if a command needs its own process. */
export function needsProcess(args: readonly string[]): boolean {
  return ofAProcess.test(args.join(' '));
}

/** Runs a command line until it exits, in a process that the whole test run shares. */
export async function runHosted(line: HostedLine): Promise<Ended> {
  host ??= findHost();
  const socket = connect(await host);
  socket.end(JSON.stringify({ ...line, input: Buffer.from(line.input).toString('base64') }));
  return JSON.parse(await text(socket)) as Ended;
}

let host: Promise<string> | undefined;

/** Returns the path of the shared process's socket. The first caller starts the process, which ends with the run. */
async function findHost(): Promise<string> {
  const folder = join(folderOfRun(), 'commands');
  const path = join(folder, 'socket');
  if (makeFolder(folder)) {
    const program = [join(import.meta.dirname, 'command-host.ts'), path];
    spawn(process.execPath, program, { detached: true, stdio: 'ignore' }).unref();
  }
  await until('the process for commands listens', () => existsSync(path));
  return path;
}
