import { createConnection, createServer, type Socket } from 'node:net';

/** A TCP proxy on the loopback address that simulates network faults. */
export interface TcpProxy {
  readonly port: number;
  /** Delays data in each direction by this number of milliseconds, which must be an integer. */
  delay(ms: number): void;
  /**
   * Accepts connections and data, but forwards nothing until `flow` is called. This simulates a network that drops
   * every packet.
   */
  stall(): void;
  flow(): void;
  /** Stops forwarding on existing connections. New connections work. */
  forget(): void;
  /** Closes all connections. New connections are closed immediately. */
  refuse(): void;
  /** Forwards new connections to another port. */
  lead(port: number): void;
  /**
   * Calls a function with data from clients before the data is forwarded. `cut` ends the connection before or after
   * forwarding.
   */
  watch(seen: ((data: Buffer, cut: (how: 'before' | 'after') => void) => void) | undefined): void;
  close(): Promise<void>;
}

/** @param target port on the loopback address */
export async function startProxy(target: number): Promise<TcpProxy> {
  let leadsTo = target;
  const sockets = new Set<Socket>();
  let state: 'flow' | 'stall' | 'refuse' = 'flow';
  let lateBy = 0;
  let seen: Parameters<TcpProxy['watch']>[0];
  let pending: (() => void)[] = [];

  let generation = 0;

  const pass = (born: number, work: () => void): void => {
    if (born < generation) return;
    if (state === 'stall') pending.push(work);
    else if (lateBy > 0) setTimeout(() => (state === 'stall' ? pending.push(work) : work()), lateBy);
    else work();
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (state === 'refuse') {
      client.destroy();
      return;
    }
    const born = generation;
    const upstream = createConnection({ port: leadsTo, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => {});
      from.on('end', () => pass(born, () => to.end()));
      from.on('close', () => {
        sockets.delete(from);
        pass(born, () => to.destroy());
      });
      from.on('data', (data: Buffer) => {
        let end: 'before' | 'after' | undefined;
        if (from === client) {
          seen?.(data, (how) => {
            end = how;
          });
        }
        if (end === 'before') client.destroy();
        else
          pass(born, () => {
            if (to.destroyed) return;
            to.write(data);
            if (end === undefined) return;
            // The request still arrives, but its response is lost.
            upstream.removeAllListeners('data');
            upstream.once('data', () => client.destroy());
          });
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    delay(ms) {
      lateBy = ms;
    },
    stall() {
      state = 'stall';
    },
    flow() {
      state = 'flow';
      for (const work of pending.splice(0)) work();
    },
    forget() {
      generation += 1;
    },
    refuse() {
      state = 'refuse';
      for (const socket of sockets) socket.destroy();
      pending = [];
    },
    lead(port) {
      leadsTo = port;
    },
    watch(callback) {
      seen = callback;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
