import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { CheckRecords } from '../model/domains/records.ts';
import type { RandomBytes } from '../model/ids.ts';
import type { Report } from '../runtime/report.ts';
import type { Tracing } from '../runtime/tracing.ts';
import type { Logger } from '../telemetry/log.ts';
import type { WorkerPeers } from './worker-peers.ts';

/** Dependencies of the service that tests can replace. */
export interface Options {
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  /** Size in bytes at which a new segment of the click journal begins. */
  readonly segmentBytes: number;
  /** Milliseconds between batches of clicks applied to storage. */
  readonly applyEveryMs: number;
  /** Milliseconds between runs of all other background tasks. */
  readonly upkeepEveryMs: number;
  /** Checks the DNS records of domains. */
  readonly checkRecords: CheckRecords;
  /** Resources shared with the other workers on the port. */
  readonly peers: WorkerPeers;
  /** Stores a new installation's first key before any port is open. Undefined if the key is shown on a terminal. */
  readonly keepFirstKey: ((key: string) => void) | undefined;
  /** True if a login link can be shown on a terminal. */
  readonly wantsLogin: boolean;
  /** Aborted when the process should stop. A startup in progress is then aborted. */
  readonly signal: AbortSignal;
  /** Called with the reason why startup is waiting, and with an empty string once it continues. */
  readonly onWait: (reason: string) => void;
}

/** Dependencies that all parts share. */
export interface Dependencies {
  readonly config: Config;
  readonly overrides: Partial<Options>;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  readonly onError: Report;
  readonly onInfo: Report;
  readonly tracing: Tracing | undefined;
  readonly signal: AbortSignal;
  /** Everything that must be closed, in reverse order, when the service stops. */
  readonly opened: AsyncDisposableStack;
}

export function newRequestId(): string {
  return randomUUID();
}
