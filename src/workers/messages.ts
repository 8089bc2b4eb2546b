import type { Secrets } from '../app/announce.ts';
import type { LimitUse } from '../model/accounts/limits.ts';
import type { End } from '../server/listener.ts';
import type { Metrics } from '../telemetry/metrics/exposition.ts';

/**
 * Version of the messages below. A reload may start newer workers under an old primary. If the versions differ, the new
 * workers do not start, because primary and workers could not understand each other.
 */
export const protocol = 2;

/** Descriptor of the first socket that the primary has bound. This is the first free descriptor after the channel's. */
export const socketFd = 4;

/** Name of the environment variable that is `1` if no other worker is serving while a worker starts. */
export const startsAloneName = 'LINKFOLD_STARTS_ALONE';

/** Reason why a worker failed to start, in a form that can be sent to another process. */
export interface StartFailure {
  readonly message: string;
  /** Kind of error, which determines the exit code. */
  readonly kind: 'settings' | 'failure' | 'other';
  /** Error code, if the error is a failure. */
  readonly code?: string;
}

/** Messages from the primary to a worker. A request and its response have the same ID. */
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
  /** A stopping worker's final metrics have no ID. */
  | { readonly say: 'metrics'; readonly id?: number; readonly metrics: Metrics }
  | { readonly say: 'scrape'; readonly id: number };
