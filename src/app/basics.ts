import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { CheckRecords } from '../model/domains/records.ts';
import type { RandomBytes } from '../model/ids.ts';
import type { Report } from '../runtime/report.ts';
import type { Tracing } from '../runtime/tracing.ts';
import type { Logger } from '../telemetry/log.ts';
import type { WorkerPeers } from './peers.ts';

/** What the service gets from outside, so that tests control it. */
export interface Options {
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  /** Size at which the next segment of the click journal begins, bytes. */
  readonly segmentBytes: number;
  /** How often clicks go to storage, ms. */
  readonly applyEveryMs: number;
  /** How often other background work is polled, ms. */
  readonly upkeepEveryMs: number;
  /** What looks at the records of domains. */
  readonly checkRecords: CheckRecords;
  /** What this process shares with the other workers on its port. */
  readonly peers: WorkerPeers;
  /** Stores the first key of a fresh installation before any port is open; absent where a terminal shows it. */
  readonly keepFirstKey: ((key: string) => void) | undefined;
  /** Whether there is a terminal on which a link to sign in can be shown. */
  readonly wantsLogin: boolean;
  /** Aborted when the process is to end: a start that is under way is given up. */
  readonly signal: AbortSignal;
  /** Called with the reason for which a start waits, and with an empty text when the wait has ended. */
  readonly onWait: (reason: string) => void;
}

/** What every part is made with. */
export interface Basics {
  readonly config: Config;
  readonly overrides: Partial<Options>;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  readonly onError: Report;
  readonly onInfo: Report;
  readonly tracing: Tracing | undefined;
  readonly signal: AbortSignal;
  /** Gets everything that must be closed, in the order of opening; it closes in reverse. */
  readonly opened: AsyncDisposableStack;
}

export function newRequestId(): string {
  return randomUUID();
}
