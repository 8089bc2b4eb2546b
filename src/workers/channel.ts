import type { ProcessFigures, WorkerPeers } from '../app/peers.ts';
import type { End } from '../server/listener.ts';
import { createAskingLimiter, createToldLimiter } from './limits.ts';
import { type AnonymousLimit, socketFd, type ToPrimary, type ToWorker } from './messages.ts';
import { createQuestions } from './questions.ts';
import { createSending } from './sending.ts';

/** The worker's end of the channel to its primary. */
export interface Channel extends WorkerPeers {
  /** Resolves when this worker is to end: as it was told, or because its primary is gone. */
  readonly end: Promise<End>;
  send(message: ToPrimary): boolean;
  /** Sends the figures once more, if they are read, and closes the channel. */
  close(): Promise<void>;
}

/** Connections are told of so long after one came or went, ms. */
const tellConnectionsAfterMs = 20;
/** All of them have to be asked. */
const metricsPatienceMs = 5_000;

/** @param port of the socket that the primary has bound */
export function openChannel(port: number, now: () => number): Channel {
  const { promise: end, resolve: endAs } = Promise.withResolvers<End>();
  // An error means that nobody is there any more, and 'disconnect' says so.
  const pass = createSending<ToPrimary>(
    (message, gone) => void process.send?.(message, undefined, undefined, gone),
    ({ say }) => say === 'take' || say === 'count' || say === 'connections',
  );
  const send = (message: ToPrimary): boolean => process.connected && pass(message);
  const told = (limit: AnonymousLimit) =>
    createToldLimiter(now, (counts) => send({ say: 'count', limit, counts }));
  const anonymous = { failures: told('failures'), codeMisses: told('codeMisses') };
  const requests = createAskingLimiter(now, (id, takes) => send({ say: 'take', id, takes }));
  const texts = createQuestions<string>(metricsPatienceMs);
  let read: (() => Promise<ProcessFigures>) | undefined;
  let heardConnections = (_others: number): void => {};
  let open = 0;
  let toldOpen = 0;
  let isTelling = false;

  const sendFigures = async (id?: number): Promise<void> => {
    const figures = await read?.();
    if (figures !== undefined) send({ say: 'figures', ...(id !== undefined && { id }), figures });
  };

  const hear = (message: ToWorker): void => {
    switch (message.say) {
      case 'end':
        return endAs(message.how);
      case 'allow':
        return requests.hear(message.id, message.allowances);
      case 'count':
        return anonymous[message.limit].hear(message.counts);
      case 'connections':
        return heardConnections(message.others);
      case 'read':
        return void sendFigures(message.id).catch(() => {}); // the primary does without
      case 'metrics':
        return texts.answer(message.id, message.text);
    }
  };
  process.on('message', hear);
  send({ say: 'hello' });
  process.once('disconnect', () => endAs('leave'));
  if (!process.connected) endAs('leave');

  return {
    ...{ end, send, requests, ...anonymous },
    socket: { fd: socketFd, port },
    tellConnections(now) {
      open = now;
      if (isTelling) return;
      isTelling = true;
      const tell = (): void => {
        isTelling = false;
        if (open !== toldOpen && send({ say: 'connections', open })) toldOpen = open;
      };
      setTimeout(tell, tellConnectionsAfterMs).unref();
    },
    onConnections(heard) {
      heardConnections = heard;
    },
    onRead(given) {
      read = given;
    },
    metrics: () => texts.ask((id) => send({ say: 'metrics', id })),
    async close() {
      await sendFigures().catch(() => {});
      if (process.connected) process.disconnect?.();
    },
  };
}
