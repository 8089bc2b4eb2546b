import type { Server } from 'node:net';

/**
 * How many new connections may wait to be accepted, as far as the system allows. With Node’s 511, at 2,500 connections a
 * second, a pause of a fifth of a second turns some away: their clients try again a second later, or hang.
 */
const maxArrivals = 4_096;

/** A system may let a user open them nevertheless. */
const allowing = ' On Linux, AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit file permits it.';

export interface ListenAddress {
  readonly port: number;
  readonly host: string;
  /** A socket that is bound to them already. */
  readonly fd?: number | undefined;
  /** A server of this process that has opened the port already, and hands it over. */
  readonly from?: Server | undefined;
}

/**
 * @param prefix of the setting that names the port, for the message, and of that which names the host
 * @returns the port that was taken
 * @throws Error that says what to do when it cannot be had
 */
export function listenOn(
  server: Server,
  { port, host, fd, from }: ListenAddress,
  prefix = '',
  prefixOfHost = prefix,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException): void =>
      reject(portProblem(error, { port, host }, prefix, prefixOfHost));
    server.once('error', refused);
    const open = (whenOpen: () => void): Server =>
      from === undefined
        ? server.listen({ ...(fd === undefined ? { port, host } : { fd }), backlog: maxArrivals }, whenOpen)
        : server.listen(from, maxArrivals, whenOpen);
    open(() => {
      server.off('error', refused);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** What to do when a port cannot be had. @param prefix as above */
export function portProblem(
  error: NodeJS.ErrnoException,
  { port, host }: ListenAddress,
  prefix = '',
  prefixOfHost = prefix,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`Port ${port} is in use. Stop what uses it, or set ${prefix}PORT to another one.`);
    case 'EACCES':
      return new Error(
        `Port ${port} may not be opened by this user. Set ${prefix}PORT to 1024 or above.${allowing}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(`${prefixOfHost}HOST ${host} is not an address of this machine.`);
    default:
      return error;
  }
}
