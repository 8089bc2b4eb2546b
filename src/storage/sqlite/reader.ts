// The reader thread of the embedded engine: a connection for slow reads, so that they do not block the thread that serves
// visitors.
import { parentPort, workerData } from 'node:worker_threads';
import type { Reads } from '../../model/storage.ts';
import { lowerPriority } from '../../runtime/lower-priority.ts';
import { type FromWorker, runJob, type ToWorker } from '../engine/job-queue.ts';
import { readsFrom } from '../statements/reads.ts';
import { faultOf, openConnection } from './connection.ts';
import type { ReaderData } from './messages.ts';

if (parentPort === null) throw new Error('reader.ts runs as a worker thread only.');
const port = parentPort;
const { path, journal } = workerData as ReaderData;
lowerPriority();
const connection = openConnection(path, { readsOnly: true, journal });
const reads = readsFrom(connection);

port.on('message', (message: ToWorker) => {
  if (message === 'close') {
    connection.close();
    port.close();
    return;
  }
  const read = reads[message.name as keyof Reads] as (...given: readonly unknown[]) => unknown;
  void runJob(() => read(...message.args), faultOf).then((answered) =>
    port.postMessage(answered satisfies FromWorker),
  );
});
port.postMessage('ready' satisfies FromWorker);
