import type { Histogram } from '../runtime/histogram.ts';

/** Why storage failed, as far as it knows. */
const storageFaults = [
  'busy',
  'read_only',
  'io',
  'full',
  'corrupt',
  'cannot_open',
  'unreachable',
  'timeout',
  'writer_ended',
  'reader_ended',
  'other',
] as const;

export type StorageFault = (typeof storageFaults)[number];

export type Faults = Readonly<Record<StorageFault, number>>;

/** A cache's hits, misses, entries dropped because they changed, and entries held. */
export interface CacheStats {
  readonly hits: number;
  readonly misses: number;
  readonly drops: number;
  readonly entries: number;
}

/** Counts of storage since the start, for metrics. */
export interface StorageStats {
  /** Writes that were called and are not acknowledged yet. */
  readonly waiting: number;
  /** Writes refused because too many were waiting. */
  readonly refused: number;
  /** Transactions that were repeated after a conflict with another one or the loss of a connection. */
  readonly retries: number;
  readonly writesPerCommit: Histogram;
  /** Duration of a transaction with its sync, in seconds. */
  readonly commitSeconds: Histogram;
  /** Duration of a write from its call to its acknowledgement, in seconds. */
  readonly writeSeconds: Histogram;
  /** Writes that took longer than `slowWriteMs`, of every name. */
  readonly slowWrites: ReadonlyMap<string, number>;
  readonly faults: Faults;
  readonly caches: Readonly<Record<'targets' | 'keys', CacheStats>>;
  /**
   * Seconds since this process last knew all changes of other nodes; undefined where that is checked at every tick, and
   * before the first check.
   */
  readonly changeLogLagSeconds: number | undefined;
}

export const slowWriteMs = 1_000;

export function createFaults(): Record<StorageFault, number> {
  return {
    busy: 0,
    read_only: 0,
    io: 0,
    full: 0,
    corrupt: 0,
    cannot_open: 0,
    unreachable: 0,
    timeout: 0,
    writer_ended: 0,
    reader_ended: 0,
    other: 0,
  };
}

/** The sum of the counts of an engine's parts. */
export function sumOfFaults(...parts: readonly Faults[]): Faults {
  const sum = createFaults();
  for (const fault of storageFaults) for (const part of parts) sum[fault] += part[fault];
  return sum;
}
