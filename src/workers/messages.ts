import type { LimitUse } from '../domain/limits.ts';
import type { End } from '../server/listener.ts';
import type { Metrics } from '../telemetry/metrics/exposition.ts';

/**
 * Of the messages below. A reload starts workers of a newer version under a primary of the old one: when they would not
 * understand each other, this number has changed, and the new workers do not start.
 */
export const protocol = 2;

/** Where a worker finds the socket that its primary has bound: the first free descriptor behind the channel. */
export const socketFd = 4;

/** Why a start failed, as far as it can be told in another process. */
export interface StartFailure {
  readonly message: string;
  /** What kind of error it was, as that decides the exit code. */
  readonly kind: 'settings' | 'failure' | 'other';
  /** Of a failure. */
  readonly code?: string;
}

/** Questions have an id, and so has the answer. */
export type ToWorker =
  | { readonly say: 'end'; readonly how: End }
  | { readonly say: 'others'; readonly id: number; readonly uses: readonly LimitUse[] }
  | { readonly say: 'read'; readonly id: number }
  | { readonly say: 'text'; readonly id: number; readonly text: string };

export type ToPrimary =
  | { readonly say: 'listening'; readonly firstKey?: string | undefined }
  | { readonly say: 'failed'; readonly failure: StartFailure }
  | {
      readonly say: 'uses';
      readonly id: number;
      readonly since: number;
      readonly uses: readonly LimitUse[];
    }
  /** Without an id they are the last ones of a worker that ends. */
  | { readonly say: 'metrics'; readonly id?: number; readonly metrics: Metrics }
  | { readonly say: 'scrape'; readonly id: number };
