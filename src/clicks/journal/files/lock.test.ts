import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/files/temporary.ts';
import { isLocked, tryLock } from './lock.ts';

test('refuses a second owner, even in the same process, without releasing the lock', () => {
  const directory = temporaryFolder('lock');
  const lock = tryLock(directory);
  assert.ok(lock);
  assert.equal(tryLock(directory), undefined);
  assert.equal(isLocked(directory), true);
  assert.equal(isLocked(directory), true);
  lock.release();
  assert.equal(isLocked(directory), false);
});

test('detects the lock of another process, which kill -9 releases', async () => {
  const directory = temporaryFolder('lock');
  const script = `const { tryLock } = await import(${JSON.stringify(import.meta.resolve('./lock.ts'))});
    globalThis.lock = tryLock(${JSON.stringify(directory)}); console.log('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  assert.equal(tryLock(directory), undefined);
  // The rejected attempt has opened and closed the file; the child's lock must still hold.
  assert.equal(isLocked(directory), true);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const lock = tryLock(directory);
  assert.ok(lock);
  lock.release();
});
