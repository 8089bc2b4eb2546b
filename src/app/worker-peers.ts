import type { ExchangeUses } from '../model/accounts/limits.ts';
import type { Metrics } from '../telemetry/metrics/exposition.ts';

/** Settings of further ports on which all workers listen. */
export type SharedPort = 'HTTPS_PORT' | 'HTTP_PORT';

/** Resources that a worker shares with the other workers on its port. */
export interface WorkerPeers {
  /** Descriptor of the socket on which all workers listen, and its port. */
  readonly socket: { readonly fd: number; readonly port: number };
  /** The same for the other ports. */
  readonly sharedPorts: ReadonlyMap<SharedPort, WorkerPeers['socket']>;
  /** Number of this worker, from 1, and the number of workers. */
  readonly number: number;
  readonly count: number;
  /** Whether no other worker is serving or starting yet. */
  readonly startsAlone: boolean;
  /** Exchanges counts of limits through the primary. */
  readonly exchangeUses: ExchangeUses;
  /** Lets the primary read the metrics of this process on request. */
  onRead(read: () => Promise<Metrics>): void;
  /** Returns the metrics of all workers as text. @throws Error if the primary does not respond */
  metrics(): Promise<string>;
}
