// The reader thread of the embedded engine: a connection for slow reads, which would otherwise block the thread that
// serves visitors.
import { workerData } from 'node:worker_threads';
import { lowerPriority } from '../../runtime/lower-priority.ts';
import { serveJobs } from '../engine/job-queue.ts';
import { readsFrom } from '../statements/reads.ts';
import { faultOf, openConnection } from './connection.ts';
import type { ReaderData } from './messages.ts';

const { path, journal } = workerData as ReaderData;
lowerPriority();
const connection = openConnection(path, { readsOnly: true, journal });
serveJobs(readsFrom(connection), faultOf, connection.close);
