import { lookup } from 'node:dns/promises';
import { BoundSocket } from 'node:net';
import type { SharedPort } from '../app/worker-peers.ts';
import type { Config } from '../config.ts';
import { portProblem } from '../server/port.ts';

/** A socket on which all workers listen. Once the first worker is listening, no connection is rejected. */
export interface Socket {
  /** Name of the setting for the socket's port. */
  readonly name: 'PORT' | SharedPort;
  readonly fd: number;
  readonly port: number;
  close(): void;
}

/**
 * Binds a port without listening. The primary keeps the socket open, so that if a worker ends, waiting connections go
 * to the other workers or to a replacement.
 * @throws Error that suggests a fix if the port cannot be bound
 */
async function bindSocket(config: Config, name: Socket['name']): Promise<Socket> {
  const host = name === 'PORT' ? config.HOST : config.HTTPS_HOST;
  const port = config[name] ?? 0;
  try {
    const { address } = await lookup(host);
    const bound = new BoundSocket({ host: address, port });
    return { name, fd: bound.fd(), port: bound.address().port, close: () => bound.close() };
  } catch (error) {
    const prefix = name.replace('PORT', '');
    throw portProblem(error as NodeJS.ErrnoException, { port, host }, prefix, prefix && 'HTTPS_');
  }
}

/** Binds PORT and, if set, HTTPS_PORT and HTTP_PORT. @throws the same errors as {@link bindSocket} */
export async function bindSockets(config: Config): Promise<readonly [Socket, ...Socket[]]> {
  const further = (['HTTPS_PORT', 'HTTP_PORT'] as const).filter((name) => config[name] !== null);
  return [
    await bindSocket(config, 'PORT'),
    ...(await Promise.all(further.map((name) => bindSocket(config, name)))),
  ];
}
