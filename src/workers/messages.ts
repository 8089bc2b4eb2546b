import type { ProcessFigures } from '../app/peers.ts';
import type { Allowance, Counts } from '../domain/limits.ts';
import type { End } from '../server/listener.ts';
import type { Take } from './limits.ts';

/**
 * Of the words below. A reload starts workers of a newer version under a primary of the old one: when their words would
 * not be understood, this number has changed, and they do not start.
 */
export const protocol = 1;

/** Where a worker finds the socket that its primary has bound: the first free descriptor behind the channel. */
export const socketFd = 4;

/** Limits of strangers: each worker counts by itself and hears of the others. */
export type AnonymousLimit = 'failures' | 'codeMisses';

/** Why a start failed, as far as it can be told in another process. */
export interface StartFailure {
  readonly message: string;
  /** What kind of error it was, as that decides the exit code. */
  readonly kind: 'settings' | 'failure' | 'other';
  /** Of a failure. */
  readonly code?: string;
}

export type ToWorker =
  | { readonly say: 'end'; readonly how: End }
  | { readonly say: 'allow'; readonly id: number; readonly allowances: readonly Allowance[] }
  | { readonly say: 'count'; readonly limit: AnonymousLimit; readonly counts: Counts }
  | { readonly say: 'connections'; readonly others: number }
  | { readonly say: 'read'; readonly id: number }
  | { readonly say: 'metrics'; readonly id: number; readonly text: string };

export type ToPrimary =
  | { readonly say: 'hello' }
  | { readonly say: 'listening'; readonly firstKey?: string | undefined }
  | { readonly say: 'failed'; readonly failure: StartFailure }
  | { readonly say: 'take'; readonly id: number; readonly takes: readonly Take[] }
  | { readonly say: 'count'; readonly limit: AnonymousLimit; readonly counts: Counts }
  | { readonly say: 'connections'; readonly open: number }
  /** Without an id it is the last one of a worker that ends. */
  | { readonly say: 'figures'; readonly id?: number; readonly figures: ProcessFigures }
  | { readonly say: 'metrics'; readonly id: number };
