import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** A command line with all that it is given. */
export interface HostedLine {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly input: string | Uint8Array;
  /** Where it runs. */
  readonly cwd: string;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What ends its process by itself, changes its priority, is told by signals or goes on until it is. */
const ofAProcess = /^(?:serve|db|events|links import)\b/;

/** Whether a command is run in a process of its own, as a shell does. */
export function needsProcess(args: readonly string[]): boolean {
  return ofAProcess.test(args.join(' '));
}

/** Runs a command line to its end, in the one process that performs all of a test file. */
export function runHosted(line: HostedLine): Promise<Ended> {
  host ??= startHost();
  const ended = Promise.withResolvers<Ended>();
  host.waiting.push(ended);
  host.child.ref();
  host.child.channel?.ref();
  host.child.send(line);
  return ended.promise;
}

interface Host {
  readonly child: ChildProcess;
  /** Answers that are due, in the order of their commands. */
  readonly waiting: PromiseWithResolvers<Ended>[];
}
let host: Host | undefined;

function startHost(): Host {
  const child = fork(join(import.meta.dirname, 'command-host.ts'), { serialization: 'advanced' });
  const waiting: Host['waiting'] = [];
  child.on('message', (ended: Ended) => {
    waiting.shift()?.resolve(ended);
    if (waiting.length === 0) idle();
  });
  child.on('exit', (code) => {
    host = undefined;
    for (const { reject } of waiting) reject(new Error(`The commands' process ended with ${code}.`));
  });
  // It keeps no test file from ending.
  const idle = (): void => {
    child.unref();
    child.channel?.unref();
  };
  return { child, waiting };
}
