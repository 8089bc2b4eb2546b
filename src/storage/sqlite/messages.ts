import type { IdempotentResult } from '../../model/idempotency.ts';
import type { StorageFault } from '../../model/storage-stats.ts';
import type { ChangeNotice } from '../db/db.ts';
import type { SerializedError } from '../engine/serialized-errors.ts';
import type { WriteRequest } from '../statements/writes.ts';
import type { Synchronous } from './connection.ts';
import type { FullDisks } from './snapshots.ts';

/** Options for the writer thread. */
export interface WriterData {
  readonly path: string;
  readonly synchronous: Synchronous;
  readonly fullDisks: FullDisks;
}

/**
 * A write, with an id that identifies its result. Each message to the writer contains the writes of one tick, or is a
 * request to close.
 */
export type Unit = WriteRequest & { readonly id: number };
export type ToWriter = readonly Unit[] | 'close';

export type Outcome =
  | { readonly id: number; readonly result: IdempotentResult<unknown> }
  | { readonly id: number; readonly thrown: SerializedError };

/** Result of one transaction: the results of its writes, and its duration including the disk sync. */
export interface Committed {
  readonly outcomes: readonly Outcome[];
  readonly tookMs: number;
  /** Cache invalidations. */
  readonly changes: readonly ChangeNotice[];
  /** The reasons of SQLite failures during the transaction. */
  readonly faults: readonly StorageFault[];
}

/** Messages from the writer: `ready` once, then one message per transaction. */
export type FromWriter = 'ready' | Committed;

/** Options for the reader threads. */
export interface ReaderData {
  readonly path: string;
  readonly journal: string | undefined;
  readonly fullDisks: FullDisks;
}
