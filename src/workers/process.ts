import { fork } from 'node:child_process';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { Failure, type FailureCode } from '../domain/failures.ts';
import type { End } from '../server/listener.ts';
import { protocol, type StartFailure, type ToPrimary, type ToWorker } from './messages.ts';
import { createSending } from './sending.ts';
import type { Socket } from './socket.ts';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A worker as its primary sees it. */
export interface Worker {
  /** From 1; a worker that takes the place of another one has its number. */
  readonly number: number;
  readonly pid: number | undefined;
  /** Resolves when it listens, with the first key if it made that. @throws Error with what kept it from that */
  readonly listening: Promise<string | undefined>;
  readonly ended: Promise<Exit>;
  /** @returns whether it was sent: one that does not take its messages in does without what is told of others */
  send(message: ToWorker): boolean;
  end(how: End): void;
  kill(): void;
}

// Sources run as they are; published, both files are JavaScript.
const script = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'worker.ts' : 'worker.js');

/** Starts a worker process on the socket: with whatever code and whatever Node are on the disk at this moment. */
export function startWorker(
  number: number,
  socket: Socket,
  hear: (message: ToPrimary, from: Worker) => void,
): Worker {
  const child = fork(script, [number, protocol, socket.port].map(String), {
    // The last one is `socketFd` over there.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', socket.fd],
  });
  const {
    promise: listening,
    resolve: isListening,
    reject: failed,
  } = Promise.withResolvers<string | undefined>();
  const { promise: ended, resolve: hasEnded } = Promise.withResolvers<Exit>();
  listening.catch(() => {}); // who does not ask learns it from its end

  const pass = createSending<ToWorker>(
    (message, gone) => void child.send(message, gone), // it may be gone: its end tells
    ({ say }) => say === 'count' || say === 'connections',
  );
  const worker: Worker = {
    ...{ number, pid: child.pid, listening, ended },
    send: (message) => child.connected && pass(message),
    end: (how) => void worker.send({ say: 'end', how }),
    kill: () => void child.kill('SIGKILL'),
  };
  child.on('message', (message: ToPrimary) => {
    if (message.say === 'listening') isListening(message.firstKey);
    if (message.say === 'failed') failed(errorOf(message.failure));
    hear(message, worker);
  });
  child.once('error', (error) => {
    failed(error);
    hasEnded({ code: null, signal: null });
  });
  child.once('exit', (code, signal) => {
    const how = signal ?? `exit code ${code}`;
    failed(new Error(`Worker ${number} ended (${how}) while it started; see what it wrote before.`));
    hasEnded({ code, signal });
  });
  return worker;
}

function errorOf({ kind, code, message }: StartFailure): Error {
  if (kind === 'settings') return new ConfigError(message);
  return kind === 'failure' ? new Failure(code as FailureCode, message) : new Error(message);
}
