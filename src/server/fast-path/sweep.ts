import type { Server } from 'node:http';
import type { Connection } from './connection.ts';

const sweepMs = 1_000;

/** Returns the announced keep-alive timeout, s. */
export function idleSweepsOf(server: Server): number {
  return Math.ceil(server.keepAliveTimeout / sweepMs);
}

/**
 * Checks all connections once a second until the server closes: one without a request in time is answered as
 * `node:http` would, an idle one is closed. A timer per connection would cost more than a visit.
 */
export function sweepIdle(server: Server, connections: ReadonlySet<Connection>): void {
  const idleSweeps = idleSweepsOf(server);
  const silentSweeps = Math.ceil(server.headersTimeout / sweepMs);
  const sweep = (): void => {
    for (const connection of connections) {
      connection.sweeps += 1;
      if (connection.pending) continue;
      if (!connection.answered && connection.sweeps > silentSweeps) connection.timeOut();
      else if (connection.answered && connection.sweeps > idleSweeps) connection.socket.destroy();
    }
  };
  const sweeping = setInterval(sweep, sweepMs).unref();
  server.once('close', () => clearInterval(sweeping));
}
