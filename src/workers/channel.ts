import type { SharedPort, WorkerPeers } from '../app/worker-peers.ts';
import type { LimitUse } from '../model/accounts/limits.ts';
import type { End } from '../server/listener.ts';
import type { Metrics } from '../telemetry/metrics/exposition.ts';
import { socketFd, startsAloneName, type ToPrimary, type ToWorker } from './messages.ts';
import { createPendingRequests } from './pending-requests.ts';

/** The worker's end of the channel to the primary process. */
export interface Channel extends WorkerPeers {
  /** Resolves when this worker must stop, because the primary has sent a message or has exited. */
  readonly end: Promise<End>;
  send(message: ToPrimary): void;
  /** Closes the channel. If the primary collects metrics, first sends this worker's final metrics. */
  close(): Promise<void>;
}

const exchangePatienceMs = 1_000;
/** How long a worker waits for all workers' metrics, in milliseconds. */
const metricsTimeoutMs = 5_000;

/**
 * Opens the channel to the primary.
 * @param port port of the first socket that the primary has bound
 * @param further the primary's other sockets, such as `HTTPS_PORT=443`, in descriptor order
 */
export function openChannel(
  port: number,
  number: number,
  count: number,
  further: readonly string[],
): Channel {
  const sharedPorts = new Map(
    further.map((one, index) => {
      const [name = '', itsPort] = one.split('=');
      return [name as SharedPort, { fd: socketFd + 1 + index, port: Number(itsPort) }];
    }),
  );
  const { promise: end, resolve: endAs } = Promise.withResolvers<End>();
  const uses = createPendingRequests<readonly LimitUse[]>(exchangePatienceMs);
  const texts = createPendingRequests<string>(metricsTimeoutMs);
  let read: (() => Promise<Metrics>) | undefined;
  let isTaken = true;

  const send = (message: ToPrimary, taken = (): void => {}): void => {
    // Ignores errors. An error means that the primary has exited, which the `disconnect` event reports.
    if (process.connected) process.send?.(message, undefined, undefined, taken);
  };

  const sendMetrics = async (id?: number): Promise<void> => {
    const metrics = await read?.();
    if (metrics !== undefined) send({ say: 'metrics', ...(id !== undefined && { id }), metrics });
  };

  process.on('message', (message: ToWorker) => {
    switch (message.say) {
      case 'end':
        return endAs(message.how);
      case 'others':
        return uses.answer(message.id, message.uses);
      case 'read':
        return void sendMetrics(message.id).catch(() => {}); // on failure, the primary shows the last known metrics
      case 'text':
        return texts.answer(message.id, message.text);
    }
  });
  process.once('disconnect', () => endAs('leave'));
  if (!process.connected) endAs('leave');

  return {
    end,
    send,
    number,
    count,
    startsAlone: process.env[startsAloneName] === '1',
    socket: { fd: socketFd, port },
    sharedPorts,
    async exchangeUses(since, own) {
      // Sends nothing while the previous report is unread. Otherwise reports to a suspended primary would pile up in
      // this worker's memory.
      if (!isTaken || !process.connected) throw new Error('The primary process is not accepting messages.');
      isTaken = false;
      const taken = (): void => {
        isTaken = true;
      };
      return uses.ask((id) => send({ say: 'uses', id, since, uses: own }, taken));
    },
    onRead(given) {
      read = given;
    },
    metrics: () => texts.ask((id) => send({ say: 'scrape', id })),
    async close() {
      await sendMetrics().catch(() => {});
      if (process.connected) process.disconnect?.();
    },
  };
}
