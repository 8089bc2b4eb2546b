import type { Allowance, Limiter } from '../domain/limits.ts';
import type { ProcessReading } from '../telemetry/metrics/exposition.ts';
import type { Reading } from '../telemetry/metrics/reading.ts';

/** What one process shows to Prometheus. */
export interface ProcessFigures {
  readonly reading: Reading;
  readonly process: ProcessReading;
}

/** What a worker has in common with the others on its port. */
export interface WorkerPeers {
  /** The descriptor of the socket on which all of them listen, and its port. */
  readonly socket: { readonly fd: number; readonly port: number };
  /** Requests by key id, counted exactly for all workers. */
  readonly requests: { take(name: string, limit: number): Promise<Allowance> };
  /** Failed authentications and unknown codes by address; those of other workers count a little later. */
  readonly failures: Limiter;
  readonly codeMisses: Limiter;
  /** To be called when the number of open connections has changed. */
  tellConnections(open: number): void;
  /** Calls back with how many connections the others have open. */
  onConnections(heard: (others: number) => void): void;
  /** Gives the primary what this process shows to Prometheus, whenever it asks. */
  onRead(read: () => Promise<ProcessFigures>): void;
  /** What all workers together show. @throws Error when the primary does not answer */
  metrics(): Promise<string>;
}
