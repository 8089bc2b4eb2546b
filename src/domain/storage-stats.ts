import type { Histogram } from '../runtime/histogram.ts';

/** Why storage could not do something, as far as it knows. */
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

/** What a cache answered by itself, what it had to ask for, what it gave up because it changed, what it holds. */
export interface CacheStats {
  readonly hits: number;
  readonly misses: number;
  readonly drops: number;
  readonly entries: number;
}

/** What storage did since the start, for metrics. */
export interface StorageStats {
  /** Writes handed over and not yet acknowledged. */
  readonly waiting: number;
  /** Writes refused because too many were waiting. */
  readonly refused: number;
  /** Transactions performed again because another one, or the loss of a connection, was in their way. */
  readonly retries: number;
  readonly writesPerCommit: Histogram;
  /** Of a transaction with its sync, in seconds. */
  readonly commitSeconds: Histogram;
  /** Of a write from its call to its acknowledgement, in seconds. */
  readonly writeSeconds: Histogram;
  /** Writes that took longer than `slowWriteMs`, of every name. */
  readonly slowWrites: ReadonlyMap<string, number>;
  readonly faults: Faults;
  readonly caches: Readonly<Record<'targets' | 'keys', CacheStats>>;
  /**
   * How long ago it was known what other machines changed, in seconds; undefined where that is asked at every tick, and
   * before the first time.
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

/** What several parts of an engine have counted, together. */
export function sumOfFaults(...parts: readonly Faults[]): Faults {
  const sum = createFaults();
  for (const fault of storageFaults) for (const part of parts) sum[fault] += part[fault];
  return sum;
}
