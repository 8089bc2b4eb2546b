import { createConnection, createServer, type Socket } from 'node:net';

/** A TCP proxy on the loopback address, whose network is what the test says. */
export interface TcpProxy {
  readonly port: number;
  /** Whole ms by which what is sent comes later, each way. */
  delay(ms: number): void;
  /** Takes connections and data, and passes nothing on until `flow`: a network that drops every packet in silence. */
  stall(): void;
  flow(): void;
  /** Passes nothing on any more that belongs to a connection there is now; new ones flow. */
  forget(): void;
  /** Closes every connection, and those that come. */
  refuse(): void;
  /** Lets connections that come from now on lead to another port. */
  lead(port: number): void;
  /** Calls back with what clients send, before it is passed on; `cut` ends that connection as its last act. */
  watch(seen: ((data: Buffer, cut: (how: 'before' | 'after') => void) => void) | undefined): void;
  close(): Promise<void>;
}

/** @param target the port on the loopback address that it leads to */
export async function startProxy(target: number): Promise<TcpProxy> {
  let leadsTo = target;
  const sockets = new Set<Socket>();
  let state: 'flow' | 'stall' | 'refuse' = 'flow';
  let lateBy = 0;
  let seen: Parameters<TcpProxy['watch']>[0];
  let held: (() => void)[] = [];

  let generation = 0;

  const pass = (born: number, work: () => void): void => {
    if (born < generation) return;
    if (state === 'stall') held.push(work);
    else if (lateBy > 0) setTimeout(() => (state === 'stall' ? held.push(work) : work()), lateBy);
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
            // The answer is lost, not the question.
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
      for (const work of held.splice(0)) work();
    },
    forget() {
      generation += 1;
    },
    refuse() {
      state = 'refuse';
      for (const socket of sockets) socket.destroy();
      held = [];
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
