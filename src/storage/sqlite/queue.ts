import type { Failure } from '../../model/failures.ts';
import type { IdempotentResult } from '../../model/idempotency.ts';
import { createFifo } from '../../runtime/fifo.ts';
import type { Changed } from '../db/db.ts';
import { storageUnavailable } from '../db/failure.ts';
import { createThread } from '../engine/thread.ts';
import { errorOf } from '../engine/thrown.ts';
import {
  createWriteWatch,
  type Watched,
  type WriteWatch,
  type WriteWatchOptions,
} from '../engine/write-watch.ts';
import type { SendWrite } from '../statements/writes.ts';
import type { Committed, Outcome, ToWriter, Unit, WriterData } from './messages.ts';
import { createSlices } from './slices.ts';

/** So many are answered at once: callers that ask again together share the next commit. */
const fewAnswers = 64;
/** With more answers, how long a tick may go on answering, ms: requests that arrive meanwhile wait for it. */
const answersMs = 1;

interface Waiting extends Watched {
  readonly id: number;
  readonly resolve: (result: IdempotentResult<unknown>) => void;
  readonly reject: (error: Error | undefined) => void;
}

interface Answer {
  readonly caller: Waiting;
  readonly outcome: Outcome;
  readonly commit: { readonly writes: number; readonly tookMs: number };
}

/** The caller's end of the writer thread. */
export interface WriteQueue {
  readonly send: SendWrite;
  /** Starts the thread if need be, and resolves when it has opened the database. @throws what kept it from starting */
  ready(): Promise<void>;
  /** How many were sent and are not answered. */
  waiting(): number;
  /** Calls back whenever writes were committed, before their callers hear of it, with what they changed. */
  onCommit(seen: (changes: readonly Changed[]) => void): void;
  /** Waits for what was sent, then ends the thread. */
  close(): Promise<void>;
  stats(): ReturnType<WriteWatch['stats']>;
}

/**
 * Makes the writer thread when the first write, or `ready`, asks for it. When it dies, everything waiting is refused
 * with STORAGE_UNAVAILABLE (whether it was committed is then unknown) and the next write starts it again, at most once a
 * second.
 */
export function createWriteQueue(script: URL, data: WriterData, options: WriteWatchOptions = {}): WriteQueue {
  /** The writer answers in the order in which it was asked. */
  const waiting = createFifo<Waiting>();
  let lastId = 0;
  let closing = false;
  let unsent: Unit[] = [];
  let committed = (_changes: readonly Changed[]): void => {};
  const watch = createWriteWatch(options);

  const nextWaiting = (id: number): Waiting => {
    const caller = waiting.removeFirst();
    if (caller?.id !== id) throw new Error(`The writer answered write ${id} out of turn.`);
    return caller;
  };

  const settle = ({ outcomes, tookMs, changes, faults }: Committed): void => {
    const callers = outcomes.map(({ id }) => nextWaiting(id));
    committed(changes);
    const commit = { writes: outcomes.length, tookMs };
    watch.commit(commit);
    for (const fault of faults) watch.fault(fault);
    answers.add(callers.map((caller, at) => ({ caller, outcome: outcomes[at] as Outcome, commit })));
  };

  const answer = ({ caller, outcome, commit }: Answer): void => {
    const error = 'thrown' in outcome ? errorOf(outcome.thrown) : undefined;
    watch.end(caller, commit, error);
    if ('result' in outcome) caller.resolve(outcome.result);
    else caller.reject(error);
  };
  const answers = createSlices({ perform: answer, few: fewAnswers, sliceMs: answersMs });
  const unanswered = (): number => waiting.length() + answers.length();

  const refuseAll = (failure: Failure): void => {
    const lost = waiting.clear();
    if (!closing) watch.fault('writer_ended');
    unsent = []; // refused with the rest, so it must not be done by the next thread
    for (const caller of lost) {
      caller.span?.end({}, failure.code);
      caller.reject(failure);
    }
  };
  const thread = createThread<ToWriter, Committed>({
    script,
    data,
    role: 'writer',
    onMessage: settle,
    onEnd: refuseAll,
  });

  /** A tick's writes go in one message: to wake the thread costs more than the message. */
  const post = (): void => {
    const units = unsent;
    unsent = [];
    // Copies the arguments: a caller that has to repeat the write still has them whole.
    if (units.length > 0) thread.post(units);
  };

  const send: SendWrite = (write) =>
    new Promise((resolve, reject) => {
      if (closing) throw storageUnavailable('it is closed');
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
