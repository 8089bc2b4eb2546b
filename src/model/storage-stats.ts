import type { Histogram } from '../runtime/histogram.ts';

/** Reasons for storage failures; `other` if the reason is unknown. */
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

/** A cache's counts: hits, misses, entries invalidated by changes, and current entries. */
export interface CacheStats {
  readonly hits: number;
  readonly misses: number;
  readonly drops: number;
  readonly entries: number;
}

/** Storage metrics. Counts start when the process starts. */
export interface StorageStats {
  /** Writes not yet acknowledged. */
  readonly waiting: number;
  /** Writes rejected because too many were waiting. */
  readonly refused: number;
  /** Transactions that were retried after a conflict or a lost connection. */
  readonly retries: number;
  readonly writesPerCommit: Histogram;
  /** Duration of a transaction including its sync, in seconds. */
  readonly commitSeconds: Histogram;
  /** Duration of a write from its call to its acknowledgement, in seconds. */
  readonly writeSeconds: Histogram;
  /** Number of writes that took longer than `slowWriteMs`, by name. */
  readonly slowWrites: ReadonlyMap<string, number>;
  readonly faults: Faults;
  readonly caches: Readonly<Record<'targets' | 'keys', CacheStats>>;
  /**
   * Seconds since this process last checked for changes by other nodes. Undefined before the first check, and for the
   * embedded database, which is checked on every event-loop tick.
   */
  readonly changeLogLagSeconds: number | undefined;
}

export const slowWriteMs = 1_000;

export function createFaults(): Record<StorageFault, number> {
  return Object.fromEntries(storageFaults.map((fault) => [fault, 0])) as Record<StorageFault, number>;
}

/** Adds up the fault counts from a storage engine's components. */
export function sumOfFaults(...parts: readonly Faults[]): Faults {
  const sum = createFaults();
  for (const fault of storageFaults) for (const part of parts) sum[fault] += part[fault];
  return sum;
}
