import type { ExchangeUses } from '../model/accounts/limits.ts';
import type { Metrics } from '../telemetry/metrics/exposition.ts';

/** Settings of ports in addition to PORT on which all workers listen. */
export type SharedPort = 'HTTPS_PORT' | 'HTTP_PORT';

/** What a worker shares with the other workers on its port. */
export interface WorkerPeers {
  /** The descriptor of the socket on which all of them listen, and its port. */
  readonly socket: { readonly fd: number; readonly port: number };
  /** Same as above, for the other ports. */
  readonly sharedPorts: ReadonlyMap<SharedPort, WorkerPeers['socket']>;
  /** The number of this worker, from 1, and how many there are. */
  readonly number: number;
  readonly count: number;
  /** Whether no other worker serves or starts yet. */
  readonly startsAlone: boolean;
  /** Counts of limits, through the primary. */
  readonly exchangeUses: ExchangeUses;
  /** Gives the primary the metrics of this process whenever it asks. */
  onRead(read: () => Promise<Metrics>): void;
  /** The metrics of all workers as text. @throws Error when the primary does not answer */
  metrics(): Promise<string>;
}
