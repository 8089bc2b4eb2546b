import { Failure, type FailureCode, type FailureFacts } from '../../domain/failures.ts';
import type { IdempotentResult } from '../../domain/idempotency.ts';
import type { Reads } from '../../domain/storage.ts';
import type { StorageFault } from '../../domain/storage-stats.ts';
import type { Write } from '../statements/writes.ts';
import type { Synchronous } from './connection.ts';

/** What the writer thread is started with. */
export interface WriterData {
  readonly path: string;
  readonly synchronous: Synchronous;
}

/** To the writer: the writes of one tick, each with the number its answer will carry, or the word to finish. */
export type Unit = Write & { readonly id: number };
export type ToWriter = readonly Unit[] | 'close';

/** What was thrown, as data: an Error loses its class and its own fields between threads. */
export type Thrown =
  | {
      readonly kind: 'failure';
      readonly code: FailureCode;
      readonly message: string;
      readonly facts: FailureFacts;
    }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string | undefined };

export type Outcome =
  | { readonly id: number; readonly result: IdempotentResult<unknown> }
  | { readonly id: number; readonly thrown: Thrown };

/** One transaction: what became of its writes, and how long it took with its sync. */
export interface Committed {
  readonly outcomes: readonly Outcome[];
  readonly tookMs: number;
  /** How often SQLite failed in it, by reason. */
  readonly faults: readonly StorageFault[];
}

/** From the writer: once that it is ready, then one transaction at a time. */
export type FromWriter = 'ready' | Committed;

/** What the reader thread is started with. */
export interface ReaderData {
  readonly path: string;
  readonly journal: string | undefined;
}

/** To the reader: one read by its name, then no other until it is answered; or the word to finish. */
export type ToReader = { readonly name: keyof Reads; readonly args: readonly unknown[] } | 'close';

/** From the reader: once `ready`, then what became of each read. */
export type Answered =
  | { readonly value: unknown }
  | { readonly thrown: Thrown; readonly fault: StorageFault | undefined };
export type FromReader = 'ready' | Answered;

export function thrownOf(error: unknown): Thrown {
  if (error instanceof Failure) {
    return { kind: 'failure', code: error.code, message: error.message, facts: error.facts };
  }
  return error instanceof Error
    ? { kind: 'error', message: error.message, stack: error.stack }
    : { kind: 'error', message: String(error), stack: undefined };
}

export function errorOf(thrown: Thrown): Error {
  if (thrown.kind === 'failure') return new Failure(thrown.code, thrown.message, thrown.facts);
  const error = new Error(thrown.message);
  if (thrown.stack !== undefined) error.stack = thrown.stack;
  return error;
}
