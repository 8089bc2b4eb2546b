import type { Server } from 'node:http';
import type { Connection } from './connection.ts';

const sweepMs = 1_000;

/** The seconds after which an idle connection is closed, as clients are told. */
export function idleSweepsOf(server: Server): number {
  return Math.ceil(server.keepAliveTimeout / sweepMs);
}

/**
 * Looks at all connections once a second until the server closes: one that has sent no request in time is answered as by
 * `node:http`, one that has been idle too long is closed. A timer for each connection would cost more than a visit.
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
