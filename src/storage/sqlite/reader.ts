// The reader thread of the embedded engine: a connection for reads that may take long, so that they are never done where
// visitors are answered.
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../runtime/lower-priority.ts';
import { readsFrom } from '../statements/reads.ts';
import { faultOf, openConnection } from './connection.ts';
import { type Answered, type FromReader, type ReaderData, type ToReader, thrownOf } from './messages.ts';

if (parentPort === null) throw new Error('reader.ts runs as a worker thread only.');
const port = parentPort;
const { path, journal } = workerData as ReaderData;
lowerPriority();
const connection = openConnection(path, { readsOnly: true, journal });
const reads = readsFrom(connection);

async function answer({ name, args }: Exclude<ToReader, 'close'>): Promise<Answered> {
  try {
    return { value: await (reads[name] as (...given: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    return { thrown: thrownOf(error), fault: faultOf(error) };
  }
}

port.on('message', (message: ToReader) => {
  if (message === 'close') {
    connection.close();
    port.close();
  } else void answer(message).then((answered) => port.postMessage(answered satisfies FromReader));
});
port.postMessage('ready' satisfies FromReader);
