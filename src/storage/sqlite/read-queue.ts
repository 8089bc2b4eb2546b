import { Failure } from '../../domain/failures.ts';
import type { Reads } from '../../domain/storage.ts';
import { createFaults, type Faults } from '../../domain/storage-stats.ts';
import { createAlarm } from '../../runtime/alarm.ts';
import type { Report } from '../../runtime/report.ts';
import { storageUnavailable } from '../db/failure.ts';
import { type Answered, errorOf, type ReaderData, type ToReader } from './messages.ts';
import { createThread } from './thread.ts';

/** How many reads may wait for the thread, and how many of them for one account: other accounts need it too. */
const maxWaiting = 64;
const maxOfOneAccount = 32;
/** An answer with clicks must not be older than the batches that the applier remembers: six seconds. */
const patienceMs = 5_000;

interface Asked {
  readonly name: keyof Reads;
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** The caller's end of the reader thread. */
export interface ReadQueue {
  /**
   * Has a read done by the thread, which starts with the first one.
   * @throws Failure OVERLOADED when too many wait; STORAGE_UNAVAILABLE when the thread ended, or took more than 5 s
   */
  ask<K extends keyof Reads>(name: K, ...args: Parameters<Reads[K]>): Promise<Awaited<ReturnType<Reads[K]>>>;
  /** How often reads failed since the queue was made, by reason. */
  readonly faults: Faults;
  /** Refuses what waits, lets the read under way end, then ends the thread. */
  close(): Promise<void>;
}

/**
 * Reads that may take long, one after the other on a thread of their own. Accounts take turns, so that one that asks
 * without a pause does not keep the others waiting. A read cannot be broken off: one that takes too long is refused, and
 * what follows waits for its end.
 */
export function createReadQueue(
  script: URL,
  data: ReaderData,
  { onError }: { readonly onError?: Report | undefined } = {},
): ReadQueue {
  const faults = createFaults();
  const alarm = createAlarm({ fault: 'The thread for long reads ended.', onError });
  const waiting: Asked[] = [];
  let underWay: Asked | undefined;
  let lastAccount: unknown;
  let closing = false;

  function sendNext(): void {
    if (underWay !== undefined) return;
    const other = waiting.findIndex(({ args: [account] }) => account !== lastAccount);
    const [next] = waiting.splice(Math.max(0, other), 1);
    if (next === undefined) return;
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

  const thread = createThread<ToReader, Answered>({
    ...{ script, data, role: 'reader', onMessage: settle, onEnd: refuseAll },
  });

  function requireRoom(account: unknown): void {
    if (closing) throw storageUnavailable('it is closed');
    const own = waiting.filter(({ args }) => args[0] === account).length;
    if (waiting.length >= maxWaiting || own >= maxOfOneAccount)
      throw new Failure('OVERLOADED', 'Too many long reads are waiting.', { retryAfterSeconds: 1 });
  }

  const giveUp = (asked: Asked): void => {
    const at = waiting.indexOf(asked);
    if (at >= 0) waiting.splice(at, 1);
    asked.reject(storageUnavailable('the read took too long'));
  };

  return {
    faults,
    ask: (name, ...args) =>
      new Promise((resolve, reject) => {
        requireRoom(args[0]);
        thread.require();
        const timer = setTimeout(() => giveUp(asked), patienceMs);
        const asked: Asked = { name, args, resolve: resolve as Asked['resolve'], reject, timer };
        waiting.push(asked);
        sendNext();
      }),
    async close() {
      closing = true;
      for (const { reject, timer } of waiting.splice(0)) {
        clearTimeout(timer);
        reject(storageUnavailable('it is closed'));
      }
      thread.post('close');
      await thread.ended();
    },
  };
}
