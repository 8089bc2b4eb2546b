import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { type Connection, openConnection } from './connection.ts';
import { createSnapshots } from './snapshots.ts';

const unavailable = { code: 'STORAGE_UNAVAILABLE' };

/** Runs a test with an endless reader and a writer on the same file. */
async function withReader(
  patienceMs: number,
  work: (given: {
    reading: Promise<unknown>;
    fullDisks: Int32Array;
    writer: Connection;
    log: string;
  }) => Promise<void>,
): Promise<void> {
  const path = join(temporaryFolder('snapshots'), 'linkfold.db');
  const writer = openConnection(path, { readsOnly: false });
  writer.run('CREATE TABLE numbers (number INTEGER)', []);
  const reader = openConnection(path, { readsOnly: true });
  const fullDisks = new Int32Array(new SharedArrayBuffer(4));
  const inSnapshot = createSnapshots(reader, { patienceMs, fullDisks });
  const reading = inSnapshot(async (db) => {
    for (;;) {
      assert.equal((await db.get<{ rows: number }>('SELECT COUNT(*) AS rows FROM numbers', []))?.rows, 0);
      await tick();
    }
  });
  reading.catch(() => {}); // awaited in `work`
  try {
    await work({ reading, fullDisks, writer, log: `${path}-wal` });
  } finally {
    reader.close();
    writer.close();
  }
}

test('a long reader releases the log once the disk is full, and the log frees its space', () =>
  withReader(5_000, async ({ reading, fullDisks, writer, log }) => {
    const grow = () => writer.run('INSERT INTO numbers VALUES (1)', []);
    const empty = () => writer.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)', [])?.busy;
    writer.database.exec('PRAGMA busy_timeout = 0');
    for (let sizes = statSync(log).size; statSync(log).size < sizes + 200_000; ) grow();
    assert.equal(empty(), 1, 'the reader keeps the log from shrinking');
    Atomics.add(fullDisks, 0, 1);
    await assert.rejects(reading, { ...unavailable, message: /disk is full/ });
    assert.equal(empty(), 0);
    assert.equal(statSync(log).size, 0);
  }));

test('a reader releases the log when its time is over', () =>
  withReader(50, async ({ reading }) => {
    await assert.rejects(reading, unavailable);
  }));
