import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Call } from '../support/faults/trace.ts';
import { temporaryFolder } from '../support/files/temporary.ts';
import { createDisk } from './disk.ts';

const root = '/data';
function hex(text: string): string {
  return `"${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
}

test('reuses the number of a closed file before its close is reported', () => {
  let line = 0;
  const call = (name: string, args: string, result: number, begins = line++, ends = line++): Call => ({
    name,
    args,
    result,
    begins,
    ends,
  });
  const calls = [
    call('openat', `AT_FDCWD, ${hex(root)}, O_RDONLY|O_DIRECTORY`, 4),
    call('openat', `AT_FDCWD, ${hex(`${root}/a`)}, O_RDWR|O_CREAT, 0600`, 5),
    call('close', '5', 0, 4, 7),
    call('openat', `AT_FDCWD, ${hex(`${root}/b`)}, O_RDWR|O_CREAT, 0600`, 5, 5, 6),
  ];
  line = 8;
  calls.push(call('pwrite64', `5, ${hex('kept')}, 4, 0`, 4), call('fsync', '5', 0), call('fsync', '4', 0));
  const disk = createDisk({ calls, times: [] }, root);
  disk.advance(line);
  const left = temporaryFolder('disk');
  disk.rebuild(left);
  assert.equal(readFileSync(join(left, 'b'), 'utf8'), 'kept');
});
