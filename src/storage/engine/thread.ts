import { Worker } from 'node:worker_threads';
import type { Failure } from '../../model/failures.ts';
import { storageUnavailable } from '../db/failure.ts';

const restartAfterMs = 1_000;

export interface ThreadOptions<Out> {
  readonly script: URL;
  /** Passed to the script as `workerData`. */
  readonly data: unknown;
  /** Part of the thread's name, which the system shows as `linkfold-ROLE`. */
  readonly role: 'writer' | 'reader' | 'statistics';
  /** Called with each message from the thread except the first one, `ready`. */
  readonly onMessage: (message: Out) => void;
  /** Called when the thread has ended. `failure` is the outcome of every message that is still unanswered. */
  readonly onEnd: (failure: Failure) => void;
}

/** A worker thread with its own database connection. The thread's script sends `ready` after opening the database. */
export interface Thread<In> {
  /** Starts the thread if needed, and resolves when it is ready. @throws the startup error */
  ready(): Promise<void>;
  /**
   * Starts the thread if it is not running.
   * @throws Failure STORAGE_UNAVAILABLE when the thread was started less than a second ago and has already ended
   */
  require(): void;
  /** Sends a message; no-op if the thread is not running. */
  post(message: In): void;
  /** Sends the last message, which makes the thread end. The next `ready` or `require` starts a new thread. */
  retire(message: In): void;
  /** Resolves when the thread has ended, immediately if it was never started. */
  ended(): Promise<void>;
}

/** Creates a thread that starts on demand. If the thread ends, it can restart at most once a second. */
export function createThread<In, Out>(options: ThreadOptions<Out>): Thread<In> {
  const { script, data, role, onMessage, onEnd } = options;
  let worker: Worker | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let becomesReady = Promise.withResolvers<void>();
  let ended: Promise<void> = Promise.resolve();

  function start(): Worker {
    startedAt = performance.now();
    const readiness = Promise.withResolvers<void>();
    becomesReady = readiness;
    readiness.promise.catch(() => {}); // callers that don't wait for `ready` get the failure through onEnd
    const started = new Worker(script, {
      workerData: data,
      name: `linkfold-${role}`,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    ended = Promise.all([ended, promise]).then(() => {});
    let reason: unknown;
    started.on('message', (message: Out | 'ready') => {
      if (message === 'ready') readiness.resolve();
      else onMessage(message);
    });
    started.on('error', (error) => {
      reason = error;
    });
    started.on('exit', () => {
      resolve();
      if (worker !== started) return;
      worker = undefined;
      const failure = storageUnavailable(`the ${role} thread ended`, reason);
      readiness.reject(reason ?? failure);
      onEnd(failure);
    });
    return started;
  }

  return {
    ready() {
      worker ??= start();
      return becomesReady.promise;
    },
    require() {
      if (worker === undefined && performance.now() - startedAt >= restartAfterMs) worker = start();
      if (worker === undefined)
        throw storageUnavailable(`the ${role} thread exited; restarting it in one second`);
    },
    post: (message) => worker?.postMessage(message),
    retire(message) {
      worker?.postMessage(message);
      worker = undefined;
      startedAt = Number.NEGATIVE_INFINITY;
    },
    ended: () => ended,
  };
}
