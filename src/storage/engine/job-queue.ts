import { Failure } from '../../model/failures.ts';
import { mayTakeSlot } from '../../model/fair-share.ts';
import { createFaults, type Faults, type StorageFault } from '../../model/storage-stats.ts';
import { createAlarm } from '../../runtime/alarm.ts';
import type { Report } from '../../runtime/report.ts';
import { storageUnavailable } from '../db/failure.ts';
import { createThread } from './thread.ts';
import { errorOf, type Thrown, thrownOf } from './thrown.ts';

/** How many jobs may wait for the thread; of one account at most a quarter. */
const maxWaiting = 128;
/** An answer with clicks must not be older than the batches that the applier remembers: six seconds. */
const usualPatienceMs = 5_000;
const usualIdleMs = 120_000;

/** To the thread: one job by its name, then no other until it is answered; or the word to finish. */
export type ToWorker = { readonly name: string; readonly args: readonly unknown[] } | 'close';

/** From the thread: once `ready`, then what became of each job. */
export type Answered =
  | { readonly value: unknown }
  | { readonly thrown: Thrown; readonly fault: StorageFault | undefined };
export type FromWorker = 'ready' | Answered;

/** What a job's end is told as. */
export async function answeredBy(
  work: () => unknown,
  faultOf: (error: unknown) => StorageFault | undefined,
): Promise<Answered> {
  try {
    return { value: await work() };
  } catch (error) {
    return { thrown: thrownOf(error), fault: faultOf(error) };
  }
}

interface QueuedJob {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** The caller's end of a thread that works. */
export interface JobQueue<J> {
  /**
   * Has a job done by the thread, which starts with the first one.
   * @throws Failure OVERLOADED when too many wait; STORAGE_UNAVAILABLE when the thread ended, or took too long
   */
  ask<K extends keyof J & string>(
    name: K,
    ...args: J[K] extends (...args: infer A) => unknown ? A : never
  ): Promise<J[K] extends (...args: never[]) => infer R ? Awaited<R> : never>;
  /** How often jobs failed since the queue was made, by reason. */
  readonly faults: Faults;
  /** Refuses what waits, lets the job under way end, then ends the thread. */
  close(): Promise<void>;
}

export interface JobQueueOptions {
  readonly role: 'reader' | 'statistics';
  /** How long a job may wait and take, ms. */
  readonly patienceMs?: number;
  /** After so long without a job the thread ends, ms: it gives its memory back, and the next job starts it. */
  readonly idleMs?: number;
  readonly onError?: Report | undefined;
}

/**
 * Jobs that may take long, one after the other on a thread of their own. Accounts, which are their first argument, take
 * turns, so that one that asks without a pause does not keep the others waiting. A job cannot be broken off: one that takes
 * too long is refused, and what follows waits for its end.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: what waits, what is under way and when the thread rests are one state machine
export function createJobQueue<J>(
  script: URL,
  data: unknown,
  { role, patienceMs = usualPatienceMs, idleMs = usualIdleMs, onError }: JobQueueOptions,
): JobQueue<J> {
  const faults = createFaults();
  const about = role === 'reader' ? 'long reads' : role;
  const alarm = createAlarm({ fault: `The thread for ${about} ended.`, onError });
  const waiting: QueuedJob[] = [];
  let underWay: QueuedJob | undefined;
  let lastAccount: unknown;
  let closing = false;
  let resting: NodeJS.Timeout | undefined;

  const rest = (): void => {
    if (underWay === undefined && !closing) thread.retire('close');
  };

  function sendNext(): void {
    if (underWay !== undefined) return;
    const other = waiting.findIndex(({ args: [account] }) => account !== lastAccount);
    const [next] = waiting.splice(Math.max(0, other), 1);
    clearTimeout(resting);
    if (next === undefined) {
      resting = setTimeout(rest, idleMs).unref();
      return;
    }
    underWay = next;
    lastAccount = next.args[0];
    thread.post({ name: next.name, args: next.args });
  }

  function settle(answered: Answered): void {
    const asked = underWay;
    underWay = undefined;
    sendNext();
    clearTimeout(asked?.timer);
    if ('value' in answered) return asked?.resolve(answered.value);
    if (answered.fault !== undefined) faults[answered.fault] += 1;
    asked?.reject(errorOf(answered.thrown));
  }

  function refuseAll(failure: Failure): void {
    const lost = [...(underWay === undefined ? [] : [underWay]), ...waiting.splice(0)];
    underWay = undefined;
    for (const { reject, timer } of lost) {
      clearTimeout(timer);
      reject(failure);
    }
    if (closing) return;
    faults.reader_ended += 1;
    alarm.raise({ error: failure.cause });
  }

  const thread = createThread<ToWorker, Answered>({
    script,
    data,
    role,
    onMessage: settle,
    onEnd: refuseAll,
  });

  function requireRoom(account: unknown): void {
    if (closing) throw storageUnavailable('it is closed');
    const own = waiting.filter(({ args }) => args[0] === account).length;
    if (!mayTakeSlot(own, maxWaiting - waiting.length))
      throw new Failure('OVERLOADED', 'Too many long reads are waiting.', { retryAfterSeconds: 1 });
  }

  const giveUp = (asked: QueuedJob): void => {
    const at = waiting.indexOf(asked);
    if (at >= 0) waiting.splice(at, 1);
    asked.reject(storageUnavailable('the read took too long'));
  };

  return {
    faults,
    ask: (name, ...args: readonly unknown[]) =>
      new Promise((resolve, reject) => {
        requireRoom(args[0]);
        thread.require();
        const timer = setTimeout(() => giveUp(asked), patienceMs);
        const asked: QueuedJob = { name, args, resolve: resolve as QueuedJob['resolve'], reject, timer };
        waiting.push(asked);
        sendNext();
      }),
    async close() {
      closing = true;
      clearTimeout(resting);
      for (const { reject, timer } of waiting.splice(0)) {
        clearTimeout(timer);
        reject(storageUnavailable('it is closed'));
      }
      thread.post('close');
      await thread.ended();
    },
  };
}
