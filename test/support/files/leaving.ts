// A test program that exits without stopping the processes it started. It prints their IDs, and then waits to be killed
// or exits.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { noPostgres } from '../postgres/databases.ts';
import { startPostgres } from '../postgres/postgres.ts';
import { startServer, temporaryFolder } from '../server/server.ts';
import { inMemory } from './temporary.ts';

const pids: number[] = [];
temporaryFolder('left', inMemory);
if ((await noPostgres()) === undefined) {
  const { dataDir } = await startPostgres();
  pids.push(Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10));
}
pids.push((await startServer({ WORKERS: '2' })).child.pid ?? 0);
process.stdout.write(`${JSON.stringify(pids)}\n`);
if (process.argv[2] === 'waits') await pause(600_000);
process.exit();
