import type { Secrets } from '../app/announce.ts';
import type { LimitUse } from '../model/accounts/limits.ts';
import type { End } from '../server/listener.ts';
import type { Metrics } from '../telemetry/metrics/exposition.ts';

/**
 * The version of the messages below. A reload starts workers of a newer version under a primary of the old one: when
 * this number has changed, they would not understand each other, and the new workers do not start.
 */
export const protocol = 2;

/** Where a worker finds the socket that its primary has bound: the first free descriptor behind the channel. */
export const socketFd = 4;

/** The variable that tells a worker whether it starts alone. Workers of the version before ignore it. */
export const startsAloneName = 'LINKFOLD_STARTS_ALONE';

/** Why a start failed, in a form that can be sent to another process. */
export interface StartFailure {
  readonly message: string;
  /** The kind of error, which decides the exit code. */
  readonly kind: 'settings' | 'failure' | 'other';
  /** The code of a failure. */
  readonly code?: string;
}

/** A request and its answer carry the same id. */
export type ToWorker =
  | { readonly say: 'end'; readonly how: End }
  | { readonly say: 'others'; readonly id: number; readonly uses: readonly LimitUse[] }
  | { readonly say: 'read'; readonly id: number }
  | { readonly say: 'text'; readonly id: number; readonly text: string };

export type ToPrimary =
  | ({ readonly say: 'listening' } & Secrets)
  | { readonly say: 'failed'; readonly failure: StartFailure }
  | {
      readonly say: 'uses';
      readonly id: number;
      readonly since: number;
      readonly uses: readonly LimitUse[];
    }
  /** Absent for the last metrics of a worker that ends. */
  | { readonly say: 'metrics'; readonly id?: number; readonly metrics: Metrics }
  | { readonly say: 'scrape'; readonly id: number };
