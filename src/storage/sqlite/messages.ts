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

/** A write with the id of its result. The writer receives the writes of one tick, or the request to close. */
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
  /** SQLite failures by reason. */
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
