import type { ExchangeUses } from '../model/accounts/limits.ts';
import type { Metrics } from '../telemetry/metrics/exposition.ts';

/** Settings that name the other ports on which all workers listen. */
export type SharedPort = 'HTTPS_PORT' | 'HTTP_PORT';

/** Resources that a worker shares with the other workers on its port. */
export interface WorkerPeers {
  /** File descriptor and port of the socket on which all workers listen. */
  readonly socket: { readonly fd: number; readonly port: number };
  /** Sockets for the other ports, by setting. */
  readonly sharedPorts: ReadonlyMap<SharedPort, WorkerPeers['socket']>;
  /** Number of this worker, starting at 1. `count` is the number of workers. */
  readonly number: number;
  readonly count: number;
  /** True if no other worker is serving or starting. */
  readonly startsAlone: boolean;
  /** Exchanges rate limit counts through the primary process. */
  readonly exchangeUses: ExchangeUses;
  /** Registers the function that the primary process calls to read this process's metrics. */
  onRead(read: () => Promise<Metrics>): void;
  /** Returns all workers' metrics as text. @throws Error if the primary process does not respond */
  metrics(): Promise<string>;
}
