import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { openSqlite } from './engine.ts';

const folder = temporaryFolder('sqlite-writer');
const threads = '/proc/self/task';

/** Returns the operating system's ID of the writer thread. */
function writer(): number {
  const isWriter = (thread: string): boolean =>
    readFileSync(join(threads, thread, 'comm'), 'utf8').trim() === 'linkfold-writer';
  return Number(readdirSync(threads).find(isWriter));
}

test('yields to the thread that answers visitors', {
  skip: process.platform !== 'linux' && 'only Linux gives each thread a priority of its own',
}, async () => {
  const before = getPriority();
  const storage = await openSqlite(join(folder, 'linkfold.db'));
  try {
    assert.equal(getPriority(writer()), Math.min(19, before + 10));
    assert.equal(getPriority(), before);
  } finally {
    await storage.close();
  }
});
