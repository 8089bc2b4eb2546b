import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { replaceFile } from './replace-file.ts';

test('keeps the old content for open readers and shows later readers the complete new one', () => {
  const folder = temporaryFolder('replace');
  const path = join(folder, 'file');
  replaceFile(path, 'one');
  const { ino } = statSync(path);
  replaceFile(path, 'two');
  assert.notEqual(statSync(path).ino, ino, 'a reader of the old one is not disturbed');
  assert.equal(readFileSync(path, 'utf8'), 'two');
  assert.deepEqual(readdirSync(folder), ['file']);
});

test('writes a secret neither through a link nor into a file that others can read', () => {
  const folder = temporaryFolder('replace');
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'theirs');
  chmodSync(elsewhere, 0o666);
  const link = join(folder, 'link');
  symlinkSync(elsewhere, link);
  const open = join(folder, 'open');
  writeFileSync(open, 'old', { mode: 0o666 });
  chmodSync(open, 0o666);
  for (const path of [link, open]) {
    replaceFile(path, 'secret');
    assert.equal(readFileSync(path, 'utf8'), 'secret');
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }
  assert.equal(readFileSync(elsewhere, 'utf8'), 'theirs');
});

test('leaves the old file and nothing else if replacing fails', () => {
  const folder = temporaryFolder('replace');
  assert.throws(() => replaceFile(folder, 'x'), /EISDIR|EEXIST|ENOTEMPTY/);
  assert.throws(() => replaceFile(join(folder, 'no', 'file'), 'x'), /ENOENT/);
  assert.deepEqual(readdirSync(folder), []);
});
