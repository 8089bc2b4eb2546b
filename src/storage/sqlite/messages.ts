import type { IdempotentResult } from '../../model/idempotency.ts';
import type { StorageFault } from '../../model/storage-stats.ts';
import type { Changed } from '../db/db.ts';
import type { Thrown } from '../engine/thrown.ts';
import type { Write } from '../statements/writes.ts';
import type { Synchronous } from './connection.ts';
import type { FullDisks } from './snapshots.ts';

/** What the writer thread is started with. */
export interface WriterData {
  readonly path: string;
  readonly synchronous: Synchronous;
  readonly fullDisks: FullDisks;
}

/** To the writer: the writes of one tick, each with the number its answer will carry, or the word to finish. */
export type Unit = Write & { readonly id: number };
export type ToWriter = readonly Unit[] | 'close';

export type Outcome =
  | { readonly id: number; readonly result: IdempotentResult<unknown> }
  | { readonly id: number; readonly thrown: Thrown };

/** One transaction: what became of its writes, and how long it took with its sync. */
export interface Committed {
  readonly outcomes: readonly Outcome[];
  readonly tookMs: number;
  /** What it changed of what processes keep in memory. */
  readonly changes: readonly Changed[];
  /** How often SQLite failed in it, by reason. */
  readonly faults: readonly StorageFault[];
}

/** From the writer: once that it is ready, then one transaction at a time. */
export type FromWriter = 'ready' | Committed;

/** What the threads that read are started with. */
export interface ReaderData {
  readonly path: string;
  readonly journal: string | undefined;
  readonly fullDisks: FullDisks;
}
