import { parentPort } from 'node:worker_threads';
import { type Failure, overloaded } from '../../model/failures.ts';
import { mayTakeSlot } from '../../model/fair-share.ts';
import { createFaults, type Faults, type StorageFault } from '../../model/storage-stats.ts';
import { createAlarm } from '../../runtime/alarm.ts';
import type { Report } from '../../runtime/report.ts';
import { storageUnavailable } from '../db/failure.ts';
import { deserializeError, type SerializedError, serializeError } from './serialized-errors.ts';
import { createThread } from './thread.ts';

/** Maximum number of waiting jobs; an account may have at most a quarter of them. */
const maxWaiting = 128;
/**
 * The click applier adds clicks from newer batches to a job's result. It retains batches for six seconds, so this
 * timeout must be shorter.
 */
const defaultPatienceMs = 5_000;
const defaultIdleMs = 120_000;

/**
 * A message to the thread: one job, or a request to close. The queue sends the next job only after the result of the
 * previous one.
 */
type ToWorker = { readonly name: string; readonly args: readonly unknown[] } | 'close';

/** The result of a job in serializable form. */
type JobResult =
  | { readonly value: unknown }
  | { readonly thrown: SerializedError; readonly fault: StorageFault | undefined };

/**
 * Runs the jobs that a {@link JobQueue} sends, by name, to this worker thread.
 * @param close called when the queue closes
 */
export function serveJobs(
  jobs: object,
  faultOf: (error: unknown) => StorageFault | undefined,
  close: () => unknown,
): void {
  const port = parentPort;
  if (port === null) throw new Error('This script runs as a worker thread only.');
  const run = async (name: string, args: readonly unknown[]): Promise<JobResult> => {
    try {
      const job = (jobs as Record<string, (...args: readonly unknown[]) => unknown>)[name];
      return { value: await job?.(...args) };
    } catch (error) {
      return { thrown: serializeError(error), fault: faultOf(error) };
    }
  };
  port.on('message', (message: ToWorker) => {
    if (message === 'close') void Promise.try(close).finally(() => port.close());
    else void run(message.name, message.args).then((result) => port.postMessage(result));
  });
  port.postMessage('ready');
}

interface QueuedJob {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** A queue of jobs that run on a worker thread. */
export interface JobQueue<J> {
  /**
   * Runs a job on the thread, which starts with the first job.
   * @throws Failure OVERLOADED when too many jobs are waiting; STORAGE_UNAVAILABLE when the thread ended, or took too
   * long
   */
  run<K extends keyof J & string>(
    name: K,
    ...args: J[K] extends (...args: infer A) => unknown ? A : never
  ): Promise<J[K] extends (...args: never[]) => infer R ? Awaited<R> : never>;
  /** Number of failed jobs by reason. */
  readonly faults: Faults;
  /** Rejects waiting jobs, waits for the running job, then ends the thread. */
  close(): Promise<void>;
}

export interface JobQueueOptions {
  readonly role: 'reader' | 'statistics';
  /** Maximum time for a job in ms, including the time it waits. */
  readonly patienceMs?: number;
  /** Milliseconds without a job after which the thread ends, to free its memory. The next job starts it again. */
  readonly idleMs?: number;
  readonly onError?: Report | undefined;
}

/**
 * Creates a queue of slow jobs that run one after another on a thread. Accounts (the first argument of a job) take
 * turns, so that a busy account does not delay the others. A running job cannot be cancelled: if it takes too long, its
 * caller gets an error, and the next jobs wait until it ends.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: waiting jobs, the running job and the idle timer are one state machine
export function createJobQueue<J>(
  script: URL,
  data: unknown,
  { role, patienceMs = defaultPatienceMs, idleMs = defaultIdleMs, onError }: JobQueueOptions,
): JobQueue<J> {
  const faults = createFaults();
  const label = role === 'reader' ? 'long reads' : role;
  const alarm = createAlarm({ fault: `The thread for ${label} exited.`, onError });
  const waiting: QueuedJob[] = [];
  let running: QueuedJob | undefined;
  let lastAccount: unknown;
  let closing = false;
  let idleTimer: NodeJS.Timeout | undefined;

  const stopThread = (): void => {
    if (running === undefined && !closing) thread.retire('close');
  };

  function sendNext(): void {
    if (running !== undefined) return;
    const other = waiting.findIndex(({ args: [account] }) => account !== lastAccount);
    const [next] = waiting.splice(Math.max(0, other), 1);
    clearTimeout(idleTimer);
    if (next === undefined) {
      idleTimer = setTimeout(stopThread, idleMs).unref();
      return;
    }
    running = next;
    lastAccount = next.args[0];
    thread.post({ name: next.name, args: next.args });
  }

  function finishJob(answered: JobResult): void {
    const asked = running;
    running = undefined;
    sendNext();
    clearTimeout(asked?.timer);
    if ('value' in answered) return asked?.resolve(answered.value);
    if (answered.fault !== undefined) faults[answered.fault] += 1;
    asked?.reject(deserializeError(answered.thrown));
  }

  function refuseAll(failure: Failure): void {
    const lost = [...(running === undefined ? [] : [running]), ...waiting.splice(0)];
    running = undefined;
    for (const { reject, timer } of lost) {
      clearTimeout(timer);
      reject(failure);
    }
    if (closing) return;
    faults.reader_ended += 1;
    alarm.raise({ error: failure.cause });
  }

  const thread = createThread<ToWorker, JobResult>({
    script,
    data,
    role,
    onMessage: finishJob,
    onEnd: refuseAll,
  });

  function requireRoom(account: unknown): void {
    if (closing) throw storageUnavailable('the database is closed');
    const own = waiting.filter(({ args }) => args[0] === account).length;
    if (!mayTakeSlot(own, maxWaiting - waiting.length))
      throw overloaded('Too many long reads are waiting.', 1);
  }

  const timeOut = (asked: QueuedJob): void => {
    const at = waiting.indexOf(asked);
    if (at >= 0) waiting.splice(at, 1);
    asked.reject(storageUnavailable('the read took too long'));
  };

  return {
    faults,
    run: (name, ...args: readonly unknown[]) =>
      new Promise((resolve, reject) => {
        requireRoom(args[0]);
        thread.require();
        const timer = setTimeout(() => timeOut(asked), patienceMs);
        const asked: QueuedJob = { name, args, resolve: resolve as QueuedJob['resolve'], reject, timer };
        waiting.push(asked);
        sendNext();
      }),
    async close() {
      closing = true;
      clearTimeout(idleTimer);
      for (const { reject, timer } of waiting.splice(0)) {
        clearTimeout(timer);
        reject(storageUnavailable('the database is closed'));
      }
      thread.post('close');
      await thread.ended();
    },
  };
}
