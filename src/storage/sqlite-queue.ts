import { Worker } from 'node:worker_threads';
import { Failure } from '../domain/failures.ts';
import { createHistogram, secondsBounds, sizeBounds } from '../domain/histogram.ts';
import type { OnceResult } from '../domain/storage.ts';
import { createFaults, type StorageStats, slowWriteMs } from '../domain/storage-stats.ts';
import { errorWord, type Span, type Tracing } from '../domain/tracing.ts';
import { storageUnavailable } from './sqlite-connection.ts';
import {
  type Committed,
  errorOf,
  type FromWriter,
  type Outcome,
  type ToWriter,
  type Unit,
  type WriterData,
} from './sqlite-messages.ts';
import { type SendWrite, writeNames } from './writes.ts';

/** The last resort: requests are refused long before so many writes wait (`admission.ts`). */
export const mostWaitingWrites = 10_000;
const restartAfterMs = 1_000;
/** Of a disk that refuses everything it is told once in a while, not at every write. */
const tellEveryMs = 10_000;

/** Writes after which a code that led somewhere may lead elsewhere, nowhere, or until another time. */
const movesTargets: ReadonlySet<Unit['name']> = new Set(['updateLink', 'deleteLink']);

interface Waiting {
  readonly name: Unit['name'];
  readonly since: number;
  readonly span: Span | undefined;
  readonly resolve: (result: OnceResult<unknown>) => void;
  readonly reject: (error: Error) => void;
}

/** The caller's end of the writer thread. */
export interface WriteQueue {
  readonly send: SendWrite;
  /** Starts the thread if need be, and resolves when it has opened the database. @throws whatever kept it from that */
  ready(): Promise<void>;
  /** How many were sent and are not answered. */
  waiting(): number;
  /** Calls back whenever writes were committed, before their callers hear of it, and says whether a target may have moved. */
  onCommit(seen: (moved: boolean) => void): void;
  /** Waits for what was sent, then ends the thread. */
  close(): Promise<void>;
  stats(): Omit<StorageStats, 'caches'>;
}

export interface WriteQueueOptions {
  readonly tracing?: Tracing | undefined;
  /** Told when storage refuses to write. */
  readonly onAlarm?: ((sentence: string, facts: Readonly<Record<string, unknown>>) => void) | undefined;
}

/**
 * Makes the writer thread when the first write, or `ready`, asks for it. When it dies, everything waiting is refused
 * with STORAGE_UNAVAILABLE (whether it was committed is then unknown) and the next write starts it again, at most once a
 * second.
 */
export const createWriteQueue = (
  script: URL,
  data: WriterData,
  { tracing, onAlarm }: WriteQueueOptions = {},
): WriteQueue => {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let worker: Worker | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let closing = false;
  let unsent: Unit[] = [];
  let committed = (_moved: boolean): void => {};
  let becomesReady = Promise.withResolvers<void>();
  let exited = Promise.resolve();
  let refused = 0;
  const writesPerCommit = createHistogram(sizeBounds);
  const commitSeconds = createHistogram(secondsBounds);
  const writeSeconds = createHistogram(secondsBounds);
  const slowWrites = new Map(writeNames.map((name) => [name, 0]));
  const faults = createFaults();

  const acknowledge = ({ name, since, span }: Waiting, outcome: Outcome, commit: Committed): void => {
    const tookMs = performance.now() - since;
    writeSeconds.observe(tookMs / 1_000);
    if (tookMs > slowWriteMs) slowWrites.set(name, (slowWrites.get(name) ?? 0) + 1);
    if (span === undefined) return;
    const facts = {
      'linkfold.wait_ms': Math.max(0, tookMs - commit.tookMs),
      'linkfold.commit_ms': commit.tookMs,
      'linkfold.commit_writes': commit.outcomes.length,
    };
    span.end(facts, 'thrown' in outcome ? errorWord(errorOf(outcome.thrown)) : undefined);
  };

  let toldAt = Number.NEGATIVE_INFINITY;
  const tellRefusal = (outcome: Outcome): void => {
    if (!('thrown' in outcome) || outcome.thrown.kind !== 'failure') return;
    const { code, message } = outcome.thrown;
    if (code !== 'STORAGE_UNAVAILABLE' || performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    onAlarm?.('Storage cannot be written.', { reason: message });
  };

  const settle = (message: FromWriter): void => {
    if (message === 'ready') return becomesReady.resolve();
    const { outcomes } = message;
    committed(outcomes.some(({ id }) => movesTargets.has(waiting.get(id)?.name ?? 'ping')));
    writesPerCommit.observe(outcomes.length);
    commitSeconds.observe(message.tookMs / 1_000);
    for (const fault of message.faults) faults[fault] += 1;
    for (const outcome of outcomes) {
      const caller = waiting.get(outcome.id);
      waiting.delete(outcome.id);
      tellRefusal(outcome);
      if (caller !== undefined) acknowledge(caller, outcome, message);
      if ('result' in outcome) caller?.resolve(outcome.result);
      else caller?.reject(errorOf(outcome.thrown));
    }
  };

  const start = (): Worker => {
    startedAt = performance.now();
    becomesReady = Promise.withResolvers();
    becomesReady.promise.catch(() => {}); // who does not ask learns it from the waiting writes
    const started = new Worker(script, {
      workerData: data,
      name: 'linkfold-writer',
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    exited = promise;
    let reason: unknown;
    started.on('message', settle);
    started.on('error', (error) => {
      reason = error;
    });
    started.on('exit', () => {
      worker = undefined;
      const failure = storageUnavailable('the writer thread ended', reason);
      becomesReady.reject(reason ?? failure);
      const lost = [...waiting.values()];
      waiting.clear();
      if (!closing) faults.writer_ended += 1;
      unsent = []; // refused with the rest, so it must not be done by the next thread
      for (const { reject, span } of lost) {
        span?.end({}, failure.code);
        reject(failure);
      }
      resolve();
    });
    return started;
  };

  const running = (): Worker | undefined => {
    if (worker === undefined && performance.now() - startedAt >= restartAfterMs) {
      worker = start();
    }
    return worker;
  };

  /** A turn's writes go in one message: waking the thread costs more than what it is told. */
  const post = (): void => {
    const units = unsent;
    unsent = [];
    // Copies the arguments: a caller that has to repeat the write still has them whole.
    if (units.length > 0) worker?.postMessage(units satisfies ToWriter);
  };

  const send: SendWrite = (write) =>
    new Promise((resolve, reject) => {
      if (closing) throw storageUnavailable('it is closed');
      if (waiting.size >= mostWaitingWrites) {
        refused += 1;
        throw new Failure('OVERLOADED', 'Too many writes are waiting.', { retryAfterSeconds: 1 });
      }
      const writer = running();
      if (writer === undefined)
        throw storageUnavailable('the writer thread ended and starts again in a second');
      lastId += 1;
      unsent.push({ ...write, id: lastId });
      // A probe is nobody's work.
      const span = write.name === 'ping' ? undefined : tracing?.begin(`storage ${write.name}`);
      waiting.set(lastId, { name: write.name, since: performance.now(), span, resolve, reject });
      if (unsent.length === 1) setImmediate(post);
    });

  return {
    send,
    ready: () => {
      worker ??= start();
      return becomesReady.promise;
    },
    waiting: () => waiting.size,
    onCommit: (seen) => {
      committed = seen;
    },
    close: async () => {
      closing = true;
      post();
      worker?.postMessage('close' satisfies ToWriter);
      await exited;
    },
    stats: () => ({
      waiting: waiting.size,
      refused,
      writesPerCommit,
      commitSeconds,
      writeSeconds,
      slowWrites,
      faults,
    }),
  };
};
