// The statistics thread of the embedded engine: runs queries and plans folds with a read-only connection. The writer thread
// writes what it plans.
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../runtime/lower-priority.ts';
import { type FromWorker, runJob, type ToWorker } from '../engine/job-queue.ts';
import { singleWriterOrder } from '../events/read-events.ts';
import { createStatisticsJobs, type StatisticsJobs } from '../statistics/jobs.ts';
import { answerPatienceMs } from '../statistics/options.ts';
import { faultOf, openConnection } from './connection.ts';
import type { ReaderData } from './messages.ts';
import { createSnapshots } from './snapshots.ts';

if (parentPort === null) throw new Error('statistics.ts runs as a worker thread only.');
const port = parentPort;
const { path, fullDisks } = workerData as ReaderData;
lowerPriority();
const connection = openConnection(path, { readsOnly: true });
const snapshots = createSnapshots(connection, { patienceMs: answerPatienceMs, fullDisks });
const jobs = createStatisticsJobs(snapshots, singleWriterOrder);

port.on('message', (message: ToWorker) => {
  if (message === 'close') {
    connection.close();
    port.close();
    return;
  }
  const job = jobs[message.name as keyof StatisticsJobs] as (...given: readonly unknown[]) => unknown;
  void runJob(() => job(...message.args), faultOf).then((answered) =>
    port.postMessage(answered satisfies FromWorker),
  );
});
port.postMessage('ready' satisfies FromWorker);
