import { Failure, overloaded } from '../../model/failures.ts';
import {
  createFaults,
  type StorageFault,
  type StorageStats,
  slowWriteMs,
} from '../../model/storage-stats.ts';
import { createAlarm } from '../../runtime/alarm.ts';
import { createHistogram, secondsBounds, sizeBounds } from '../../runtime/histogram.ts';
import type { Report } from '../../runtime/report.ts';
import { errorCodeOf, type Span, type Tracing } from '../../runtime/tracing.ts';
import { type WriteRequest, writeNames } from '../statements/writes.ts';

/**
 * Maximum number of waiting writes. This is a last resort: `admission.ts` rejects requests long before this limit is
 * reached.
 */
const maxWaitingWrites = 10_000;

export interface WriteWatchOptions {
  readonly tracing?: Tracing | undefined;
  /** Called when storage rejects writes. */
  readonly onError?: Report | undefined;
}

/** A write in progress. */
export interface PendingWrite {
  readonly name: WriteRequest['name'];
  readonly since: number;
  readonly span: Span | undefined;
}

/** A transaction that commits one or more writes. */
export interface Commit {
  readonly writes: number;
  readonly tookMs: number;
}

/** Counts, measures and traces the writes of an engine. */
export interface WriteWatch {
  /** @throws Failure OVERLOADED when too many writes are waiting */
  requireRoom(waiting: number): void;
  begin(name: WriteRequest['name']): PendingWrite;
  commit(commit: Commit): void;
  fault(fault: StorageFault): void;
  end(write: PendingWrite, commit: Commit, error?: Error): void;
  stats(waiting: number): Omit<StorageStats, 'caches' | 'retries' | 'changeLogLagSeconds'>;
}

export function createWriteWatch({ tracing, onError }: WriteWatchOptions): WriteWatch {
  let refused = 0;
  const writesPerCommit = createHistogram(sizeBounds);
  const commitSeconds = createHistogram(secondsBounds);
  const writeSeconds = createHistogram(secondsBounds);
  const slowWrites = new Map(writeNames.map((name) => [name, 0]));
  const faults = createFaults();
  const alarm = createAlarm({
    fault: 'Cannot write to storage. Linkfold rejects writes until one succeeds.',
    onError,
  });

  const reportRefusal = (error: Error | undefined): void => {
    if (!(error instanceof Failure) || error.code !== 'STORAGE_UNAVAILABLE') return;
    alarm.raise({ reason: reasonOf(error) });
  };

  return {
    requireRoom(waiting) {
      if (waiting < maxWaitingWrites) return;
      refused += 1;
      throw overloaded('Too many writes are waiting.', 1);
    },
    begin(name) {
      // Health checks are not part of a request, so they are not traced.
      const span = name === 'ping' ? undefined : tracing?.begin(`storage ${name}`);
      return { name, since: performance.now(), span };
    },
    commit({ writes, tookMs }) {
      writesPerCommit.observe(writes);
      commitSeconds.observe(tookMs / 1_000);
    },
    fault(fault) {
      faults[fault] += 1;
    },
    end({ name, since, span }, commit, error) {
      reportRefusal(error);
      const tookMs = performance.now() - since;
      writeSeconds.observe(tookMs / 1_000);
      if (tookMs > slowWriteMs) slowWrites.set(name, (slowWrites.get(name) ?? 0) + 1);
      if (span === undefined) return;
      const facts = {
        'linkfold.wait_ms': Math.max(0, tookMs - commit.tookMs),
        'linkfold.commit_ms': commit.tookMs,
        'linkfold.commit_writes': commit.writes,
      };
      span.end(facts, error && errorCodeOf(error));
    },
    stats: (waiting) => ({
      waiting,
      refused,
      writesPerCommit,
      commitSeconds,
      writeSeconds,
      slowWrites,
      faults,
    }),
  };
}

/** Returns an error's message together with the engine's own message, for the log only. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}
