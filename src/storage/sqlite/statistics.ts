// The statistics thread of the embedded engine: runs queries, and plans steps that move clicks into columns, with a
// read-only connection. The writer thread applies the planned changes.
import { workerData } from 'node:worker_threads';
import { lowerPriority } from '../../runtime/lower-priority.ts';
import { serveJobs } from '../engine/job-queue.ts';
import { singleWriterOrder } from '../events/read-events.ts';
import { createStatisticsJobs } from '../statistics/jobs.ts';
import { answerPatienceMs } from '../statistics/options.ts';
import { faultOf, openConnection } from './connection.ts';
import type { ReaderData } from './messages.ts';
import { createSnapshots } from './snapshots.ts';

const { path, fullDisks } = workerData as ReaderData;
lowerPriority();
const connection = openConnection(path, { readsOnly: true });
const snapshots = createSnapshots(connection, { patienceMs: answerPatienceMs, fullDisks });
serveJobs(createStatisticsJobs(snapshots, singleWriterOrder), faultOf, connection.close);
