import { Worker } from 'node:worker_threads';
import type { Failure } from '../../model/failures.ts';
import { storageUnavailable } from '../db/failure.ts';

const restartAfterMs = 1_000;

export interface ThreadOptions<Out> {
  readonly script: URL;
  /** What the script finds as `workerData`. */
  readonly data: unknown;
  /** One word for what it does; the system shows it as `linkfold-WORD`. */
  readonly role: 'writer' | 'reader' | 'statistics';
  /** Called with each message but the first one, which is `ready`. */
  readonly onMessage: (message: Out) => void;
  /** Called when it has ended, with the failure of all that it was given and has not answered. */
  readonly onEnd: (failure: Failure) => void;
}

/** A worker thread with a connection of its own. Its script says `ready` when it has opened the database. */
export interface Thread<In> {
  /** Starts it if need be, and resolves when it is ready. @throws what kept it from starting */
  ready(): Promise<void>;
  /**
   * Starts it if it does not run.
   * @throws Failure STORAGE_UNAVAILABLE when it was started less than a second ago, and has ended since
   */
  require(): void;
  /** Sends a message; does nothing when the thread does not run. */
  post(message: In): void;
  /** Sends the last message to this thread, which ends by it: what comes next starts another one. */
  retire(message: In): void;
  /** Resolves when it does not run any more, at once when it was never started. */
  ended(): Promise<void>;
}

/** Creates a thread that is started when it is wanted, and again when it died, at most once a second. */
export function createThread<In, Out>(options: ThreadOptions<Out>): Thread<In> {
  const { script, data, role, onMessage, onEnd } = options;
  let worker: Worker | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let becomesReady = Promise.withResolvers<void>();
  let ended: Promise<void> = Promise.resolve();

  function start(): Worker {
    startedAt = performance.now();
    const opening = Promise.withResolvers<void>();
    becomesReady = opening;
    opening.promise.catch(() => {}); // a caller that did not ask learns it from the failure of its work
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
      if (message === 'ready') opening.resolve();
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
      opening.reject(reason ?? failure);
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
        throw storageUnavailable(`the ${role} thread ended and starts again in a second`);
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
