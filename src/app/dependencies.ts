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
  /** Size at which a new segment of the click journal begins, bytes. */
  readonly segmentBytes: number;
  /** Interval at which clicks are applied to storage, ms. */
  readonly applyEveryMs: number;
  /** Interval of other background work, ms. */
  readonly upkeepEveryMs: number;
  /** Checks the DNS records of domains. */
  readonly checkRecords: CheckRecords;
  /** Resources shared with the other workers on the port. */
  readonly peers: WorkerPeers;
  /** Stores the first key of a new installation before any port is open; absent if a terminal shows it. */
  readonly keepFirstKey: ((key: string) => void) | undefined;
  /** Whether there is a terminal on which a login link can be shown. */
  readonly wantsLogin: boolean;
  /** Aborted when the process is to stop. A start in progress is then aborted. */
  readonly signal: AbortSignal;
  /** Called with the reason why the start waits, and with an empty text once it continues. */
  readonly onWait: (reason: string) => void;
}

/** Common dependencies of all parts. */
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
  /** Collects everything that must be closed; closed in reverse order. */
  readonly opened: AsyncDisposableStack;
}

export function newRequestId(): string {
  return randomUUID();
}
