// The writer thread of the embedded engine. It has this process's only connection that writes. All queued writes share
// one transaction and thus one disk sync (group commit).
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { StorageFault } from '../../model/storage-stats.ts';
import { faultDelay, hasFaults, isFaulty } from '../../runtime/fault-points.ts';
import { createBreaks, hasOneProcessor, lowerPriority } from '../../runtime/lower-priority.ts';
import type { ChangeNotice, OnChange } from '../db/db.ts';
import { storageUnavailable } from '../db/failure.ts';
import { serializeError } from '../engine/serialized-errors.ts';
import { performWrite } from '../statements/writes.ts';
import { asFailure, causeOf, checkpointLog, faultOf, isDiskFull, openConnection } from './connection.ts';
import { createLogSpace } from './log-space.ts';
import type { Committed, FromWriter, Outcome, ToWriter, Unit, WriterData } from './messages.ts';

// More units per commit would save nothing, and would delay the result of the first unit.
const maxUnitsPerCommit = 256;

if (parentPort === null) throw new Error('writer.ts runs as a worker thread only.');
const port = parentPort;
const { path, synchronous, fullDisks } = workerData as WriterData;
lowerPriority();
// A batch of clicks takes four scheduler time slices (4 ms each). With a single processor, that delays the thread that
// serves visitors. So the writer sleeps between rows, unless a client is waiting for another write.
const breaks = createBreaks(() => {
  drain();
  return queue.length === 0;
});
const between = hasOneProcessor() ? breaks.between : undefined;
let changes: ChangeNotice[] = [];
const onChange: OnChange = (...changed) => void changes.push(changed);
const connection = openConnection(path, { readsOnly: false, synchronous, between, onChange });
// For a statement that may fail halfway, SQLite copies every page that the statement changes. Above 64 KiB, it would
// store the copies in a temporary file.
connection.database.exec('PRAGMA temp_store = MEMORY');

const logSpace = createLogSpace(connection, path);

function command(sql: string): () => void {
  const statement = connection.database.prepare(sql);
  return () => void statement.run();
}
const begin = command('BEGIN IMMEDIATE');
const commit = command('COMMIT');
const rollback = command('ROLLBACK');
const savepoint = command('SAVEPOINT unit');
const release = command('RELEASE unit');
const rollbackToSavepoint = command('ROLLBACK TO unit');

/** Runs a unit in a savepoint, so that its failure has no effect on the other units. */
async function inSavepoint(unit: Unit): Promise<Outcome> {
  savepoint();
  try {
    const result = await performWrite(connection, unit);
    release();
    return { id: unit.id, result };
  } catch (error) {
    // When the disk or memory is full, SQLite may have rolled back the whole transaction, with all its units.
    if (!connection.database.isTransaction) throw error;
    rollbackToSavepoint();
    release();
    noteFault(error);
    return { id: unit.id, thrown: serializeError(error) };
  }
}

/** Commits units without savepoints. @returns undefined, after a rollback, when a unit failed */
async function commitPlainly(units: readonly Unit[]): Promise<readonly Outcome[] | undefined> {
  begin();
  const outcomes: Outcome[] = [];
  for (const unit of units) {
    try {
      outcomes.push({ id: unit.id, result: await performWrite(connection, unit) });
    } catch (error) {
      if (!connection.database.isTransaction) throw error;
      rollback();
      return undefined;
    }
  }
  if (hasFaults && isFaulty('conflict')) {
    rollback();
    return undefined;
  }
  commit();
  return outcomes;
}

async function commitInSavepoints(units: readonly Unit[]): Promise<readonly Outcome[]> {
  begin();
  const outcomes: Outcome[] = [];
  for (const unit of units) outcomes.push(await inSavepoint(unit));
  commit();
  return outcomes;
}

// Inside a savepoint SQLite first copies every page that it changes. Units seldom fail, so they run without savepoints
// first. Only if a unit fails does its group run again, with a savepoint per unit.
async function performTogether(units: readonly Unit[]): Promise<readonly Outcome[]> {
  logSpace.require();
  return (await commitPlainly(units)) ?? (await commitInSavepoints(units));
}

function rollbackOpen(): void {
  if (connection.database.isTransaction) rollback();
}

let faults: StorageFault[] = [];

function noteFault(error: unknown): void {
  const fault = faultOf(error);
  if (fault !== undefined) faults.push(fault);
}

async function commitTogether(units: readonly Unit[]): Promise<Committed> {
  const began = performance.now();
  faults = [];
  // Also collects the changes of failed attempts, because a needless cache invalidation costs only one read.
  changes = [];
  const outcomes = await outcomesOf(units);
  return { outcomes, tookMs: performance.now() - began, changes, faults };
}

async function outcomesOf(units: readonly Unit[]): Promise<readonly Outcome[]> {
  try {
    try {
      return await performTogether(units);
    } catch (error) {
      rollbackOpen();
      if (!isDiskFull(causeOf(error))) throw error;
      // Makes this process's readers end their snapshots, so that the log can be truncated.
      Atomics.add(fullDisks, 0, 1);
      logSpace.empty();
      return await performTogether(units);
    }
  } catch (error) {
    rollbackOpen();
    noteFault(error);
    const why = error instanceof Error ? error.message : String(error);
    const known = asFailure(error);
    const thrown = serializeError(
      known instanceof Error && known !== error ? known : storageUnavailable(why),
    );
    return units.map(({ id }) => ({ id, thrown }));
  }
}

const bulkWrites: ReadonlySet<string> = new Set(['emptyFolders', 'emptyTags']);

function changedManyRows(units: readonly Unit[], { outcomes }: Committed): boolean {
  return units.some(({ name }, at) => bulkWrites.has(name) && succeeded(outcomes[at]));
}

function succeeded(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && 'result' in outcome && outcome.result.value === true;
}

const queue: (Unit | 'close')[] = [];
let working = false;

function handleMessage(message: ToWriter): void {
  if (message === 'close') queue.push(message);
  else queue.push(...message);
}

function drain(): void {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    handleMessage(next.message as ToWriter);
    if (queue.length >= maxUnitsPerCommit) return;
  }
}

// Writes that run in their own transaction. FTS5 flushes its buffer at every savepoint, including implicit ones, so in
// a shared transaction the savepoints of other writes would cause such flushes too.
const separateWrites: ReadonlySet<string> = new Set(['indexLinks']);

/** Takes the writes for the next commit from the queue. */
function nextUnits(): Unit[] {
  const units: Unit[] = [];
  for (let [next] = queue; next !== undefined && next !== 'close'; [next] = queue) {
    const isAlone = separateWrites.has(next.name);
    if (units.length === maxUnitsPerCommit || (isAlone && units.length > 0)) break;
    units.push(next);
    queue.shift();
    if (isAlone) break;
  }
  return units;
}

async function work(): Promise<void> {
  for (;;) {
    drain();
    const units = nextUnits();
    if (units.length > 0) {
      breaks.begin(units.length === 1);
      const committed = await commitTogether(units);
      if (hasFaults && isFaulty('slowReply')) await faultDelay();
      port.postMessage(committed satisfies FromWriter);
      // Without this checkpoint, up to 64 MiB of changed pages would accumulate in the log, and a later commit would
      // have to wait until they are checkpointed.
      if (changedManyRows(units, committed)) checkpointLog(connection);
    } else if (queue[0] === 'close') return finish();
    else return;
  }
}

function finish(): void {
  connection.close();
  port.close();
}

port.on('message', (message: ToWriter) => {
  handleMessage(message);
  if (working) return;
  working = true;
  void work().finally(() => {
    working = false;
  });
});
port.postMessage('ready' satisfies FromWriter);
