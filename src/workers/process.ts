import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Secrets } from '../app/announce.ts';
import { ConfigError } from '../config.ts';
import { Failure, type FailureCode } from '../model/failures.ts';
import type { End } from '../server/listener.ts';
import { protocol, type StartFailure, startsAloneName, type ToPrimary, type ToWorker } from './messages.ts';
import type { Socket } from './socket.ts';

/** Exit code and signal of a process that has ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The primary's handle for a worker process. */
export interface WorkerProcess {
  /** The worker's number, from 1. A replacement process keeps the number. */
  readonly number: number;
  readonly pid: number | undefined;
  /**
   * Resolves when the worker is listening. The value contains the secrets to show at startup.
   * @throws Error with the reason if the worker does not start
   */
  readonly listening: Promise<Secrets>;
  readonly ended: Promise<Exit>;
  send(message: ToWorker): void;
  end(how: End): void;
  kill(): void;
}

// A source checkout runs TypeScript files; the package contains JavaScript files.
const script = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'worker.ts' : 'worker.js');

/**
 * Starts a worker process that listens on the given sockets, PORT first. It runs the code and Node version that are
 * currently on disk.
 * @param count total number of workers
 * @param startsAlone true if no other worker is serving, so that the worker may respond to probes before it serves
 */
export function startProcess(
  number: number,
  count: number,
  sockets: readonly [Socket, ...Socket[]],
  hear: (message: ToPrimary, from: WorkerProcess) => void,
  startsAlone: boolean,
): WorkerProcess {
  const [{ port }, ...further] = sockets;
  const named = further.map((one) => `${one.name}=${one.port}`);
  const child = fork(script, [...[number, count, port, protocol].map(String), ...named], {
    env: { ...process.env, [startsAloneName]: startsAlone ? '1' : '' },
    // In the worker, the sockets' descriptors start at `socketFd`.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...sockets.map(({ fd }) => fd)],
  });
  const { promise: listening, resolve: isListening, reject: failed } = Promise.withResolvers<Secrets>();
  const { promise: ended, resolve: hasEnded } = Promise.withResolvers<Exit>();
  listening.catch(() => {}); // avoids an unhandled rejection: `ended` reports the failure too

  const worker: WorkerProcess = {
    number,
    pid: child.pid,
    listening,
    ended,
    send(message) {
      if (child.connected) child.send(message, () => {}); // fails only if the process has ended, which `ended` reports
    },
    end: (how) => worker.send({ say: 'end', how }),
    kill: () => void child.kill('SIGKILL'),
  };
  child.on('message', (message: ToPrimary) => {
    if (message.say === 'listening') isListening({ firstKey: message.firstKey, login: message.login });
    if (message.say === 'failed') failed(errorOf(message.failure));
    hear(message, worker);
  });
  child.once('error', (error) => {
    failed(error);
    hasEnded({ code: null, signal: null });
  });
  child.once('exit', (code, signal) => {
    const how = signal ?? `exit code ${code}`;
    failed(new Error(`Worker ${number} exited during startup (${how}). See the worker’s output above.`));
    hasEnded({ code, signal });
  });
  return worker;
}

function errorOf({ kind, code, message }: StartFailure): Error {
  if (kind === 'settings') return new ConfigError(message);
  return kind === 'failure' ? new Failure(code as FailureCode, message) : new Error(message);
}
