import type { Failure } from '../../model/failures.ts';
import type { IdempotentResult } from '../../model/idempotency.ts';
import { createFifo } from '../../runtime/fifo.ts';
import type { ChangeNotice } from '../db/db.ts';
import { storageUnavailable } from '../db/failure.ts';
import { deserializeError } from '../engine/serialized-errors.ts';
import { createThread } from '../engine/thread.ts';
import {
  createWriteWatch,
  type PendingWrite,
  type WriteWatch,
  type WriteWatchOptions,
} from '../engine/write-watch.ts';
import type { SendWrite } from '../statements/writes.ts';
import type { Committed, Outcome, ToWriter, Unit, WriterData } from './messages.ts';
import { createSlices } from './slices.ts';

/** Up to this many results are delivered at once. Callers that immediately write again then share the next commit. */
const fewAnswers = 64;
/**
 * When there are more than `fewAnswers` results, they are delivered for at most this many ms per tick, because new
 * requests wait during that time.
 */
const answersMs = 1;

interface Waiting extends PendingWrite {
  readonly id: number;
  readonly resolve: (result: IdempotentResult<unknown>) => void;
  readonly reject: (error: Error | undefined) => void;
}

interface Answer {
  readonly caller: Waiting;
  readonly outcome: Outcome;
  readonly commit: { readonly writes: number; readonly tookMs: number };
}

/** The queue through which this process sends writes to the writer thread. */
export interface WriteQueue {
  readonly send: SendWrite;
  /** Starts the thread if needed and resolves when the database is open. @throws the startup error */
  ready(): Promise<void>;
  /** Number of unacknowledged writes. */
  waiting(): number;
  /** Called with the changes of each commit, before its callers are notified. */
  onCommit(seen: (changes: readonly ChangeNotice[]) => void): void;
  /** Waits for pending writes, then ends the thread. */
  close(): Promise<void>;
  stats(): ReturnType<WriteWatch['stats']>;
}

/**
 * Creates a queue whose writer thread starts at the first write or `ready` call. If the thread dies, pending writes
 * fail with STORAGE_UNAVAILABLE (whether they were committed is unknown) and the next write restarts the thread, at
 * most once a second.
 */
export function createWriteQueue(script: URL, data: WriterData, options: WriteWatchOptions = {}): WriteQueue {
  /** Writes that have no response yet, in the order in which the writer will respond. */
  const waiting = createFifo<Waiting>();
  let lastId = 0;
  let closing = false;
  let unsent: Unit[] = [];
  let committed = (_changes: readonly ChangeNotice[]): void => {};
  const watch = createWriteWatch(options);

  const nextWaiting = (id: number): Waiting => {
    const caller = waiting.removeFirst();
    if (caller?.id !== id) throw new Error(`The writer acknowledged write ${id} out of order.`);
    return caller;
  };

  const onCommitted = ({ outcomes, tookMs, changes, faults }: Committed): void => {
    const callers = outcomes.map(({ id }) => nextWaiting(id));
    committed(changes);
    const commit = { writes: outcomes.length, tookMs };
    watch.commit(commit);
    for (const fault of faults) watch.fault(fault);
    answers.add(callers.map((caller, at) => ({ caller, outcome: outcomes[at] as Outcome, commit })));
  };

  const answer = ({ caller, outcome, commit }: Answer): void => {
    const error = 'thrown' in outcome ? deserializeError(outcome.thrown) : undefined;
    watch.end(caller, commit, error);
    if ('result' in outcome) caller.resolve(outcome.result);
    else caller.reject(error);
  };
  const answers = createSlices({ perform: answer, few: fewAnswers, sliceMs: answersMs });
  const unanswered = (): number => waiting.length() + answers.length();

  const refuseAll = (failure: Failure): void => {
    const lost = waiting.clear();
    if (!closing) watch.fault('writer_ended');
    unsent = []; // these writes are rejected too, so the next thread must not run them
    for (const caller of lost) {
      caller.span?.end({}, failure.code);
      caller.reject(failure);
    }
  };
  const thread = createThread<ToWriter, Committed>({
    script,
    data,
    role: 'writer',
    onMessage: onCommitted,
    onEnd: refuseAll,
  });

  /** Sends all writes of a tick as one message, because waking the thread costs more than sending a message. */
  const post = (): void => {
    const units = unsent;
    unsent = [];
    // Sending copies the arguments of the writes, so the caller still has them and can repeat a write.
    if (units.length > 0) thread.post(units);
  };

  const send: SendWrite = (write) =>
    new Promise((resolve, reject) => {
      if (closing) throw storageUnavailable('the database is closed');
      watch.requireRoom(unanswered());
      thread.require();
      lastId += 1;
      unsent.push({ ...write, id: lastId });
      waiting.add({ ...watch.begin(write.name), id: lastId, resolve, reject });
      if (unsent.length === 1) setImmediate(post);
    });

  return {
    send,
    ready: thread.ready,
    waiting: unanswered,
    onCommit: (seen) => {
      committed = seen;
    },
    close: async () => {
      closing = true;
      post();
      thread.post('close');
      await thread.ended();
      answers.finish();
    },
    stats: () => watch.stats(unanswered()),
  };
}
