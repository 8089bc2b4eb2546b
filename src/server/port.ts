import type { Server } from 'node:net';

/**
 * Length of the accept queue, unless the operating system has a lower limit. With Node's default of 511, a pause of
 * 0.2 s at 2,500 connections per second would make the kernel drop connections. The clients would retry a second later
 * or hang.
 */
const acceptQueueLength = 4_096;

/** Advice for ports below 1024, which require special privileges. */
const privilegeAdvice =
  ' On Linux, AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit file also allows lower ports.';

export interface ListenAddress {
  readonly port: number;
  readonly host: string;
  /** An inherited socket that is already bound. */
  readonly fd?: number | undefined;
  /** A server in this process that has already opened the port. The new server takes over the port. */
  readonly from?: Server | undefined;
}

/**
 * Opens a port.
 * @param prefix prefix of the setting names `PORT` and `HOST` in the error message
 * @returns the actual port
 * @throws Error that suggests a fix if the port cannot be opened
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
        ? server.listen(
            { ...(fd === undefined ? { port, host } : { fd }), backlog: acceptQueueLength },
            whenOpen,
          )
        : server.listen(from, acceptQueueLength, whenOpen);
    open(() => {
      server.off('error', refused);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Returns an error, with advice, for a port that cannot be opened. @param prefix same as for {@link listenOn} */
export function portProblem(
  error: NodeJS.ErrnoException,
  { port, host }: ListenAddress,
  prefix = '',
  prefixOfHost = prefix,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} is in use. Stop the program that uses it, or set ${prefix}PORT to another port.`,
      );
    case 'EACCES':
      return new Error(
        `Could not open port ${port}: this user lacks the permission. Set ${prefix}PORT to 1024 or above.${privilegeAdvice}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(
        `${prefixOfHost}HOST ${host} is not an address of this machine. Set it to 0.0.0.0 or :: for all addresses.`,
      );
    default:
      return error;
  }
}
