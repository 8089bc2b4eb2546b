import { lookup } from 'node:dns/promises';
import { BoundSocket } from 'node:net';
import type { Config } from '../config.ts';
import { portProblem } from '../server/port.ts';

/** The socket on which all workers listen. Once the first one does, no connection is refused any more. */
export interface Socket {
  readonly fd: number;
  readonly port: number;
  close(): void;
}

/**
 * Binds the port without listening. The primary keeps the socket open: when a worker ends, waiting connections are left
 * to the other workers, or to the next one.
 * @throws Error that says what to do when the port cannot be had
 */
export async function bindSocket({ HOST: host, PORT: port }: Config): Promise<Socket> {
  try {
    const { address } = await lookup(host);
    const bound = new BoundSocket({ host: address, port });
    return { fd: bound.fd(), port: bound.address().port, close: () => bound.close() };
  } catch (error) {
    throw portProblem(error as NodeJS.ErrnoException, { port, host });
  }
}
