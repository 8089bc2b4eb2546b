import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { lowerHelperThreads } from './helper-threads.ts';

/** Returns the names and nice values of this process's threads. */
function threads(): { name: string; nice: number }[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(text) ?? [];
    return { name, nice: Number(rest.split(' ')[16]) };
  });
}

test('gives garbage collection threads a lower priority than the main thread', {
  skip: process.platform !== 'linux',
}, () => {
  const before = getPriority();
  lowerHelperThreads();
  const helpers = threads().filter(({ name }) => name === 'node-V8Worker');
  assert.ok(helpers.length > 0, 'V8’s threads have another name');
  for (const { nice } of helpers) assert.equal(nice, Math.min(19, before + 10));
  assert.equal(getPriority(), before);
  const others = threads().filter(({ name }) => name !== 'node-V8Worker');
  for (const { name, nice } of others) assert.equal(nice, before, name);
});
