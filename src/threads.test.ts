import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { favourServing } from './threads.ts';

/** Niceness of this process's threads, by name. */
const threads = (): { name: string; nice: number }[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(text) ?? [];
    return { name, nice: Number(rest.split(' ')[16]) };
  });

test('threads that collect garbage wait for the one that serves', {
  skip: process.platform !== 'linux',
}, () => {
  const before = getPriority();
  favourServing();
  const helpers = threads().filter(({ name }) => name === 'node-V8Worker');
  assert.ok(helpers.length > 0, 'V8’s threads have another name');
  for (const { nice } of helpers) assert.equal(nice, Math.min(19, before + 10));
  assert.equal(getPriority(), before);
  const others = threads().filter(({ name }) => name !== 'node-V8Worker');
  for (const { name, nice } of others) assert.equal(nice, before, name);
});

const taskset = '/usr/bin/taskset';

test('on one processor garbage is collected without them', {
  skip: existsSync(taskset) ? false : 'taskset is not here',
}, () => {
  const linkfold = fileURLToPath(new URL('../bin/linkfold', import.meta.url));
  const [, core = '0'] = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  const sayFlags = '--import=data:text/javascript,process.stderr.write(process.execArgv.join())';
  const flags = (command: string, ...args: string[]): string =>
    spawnSync(command, args, { env: { ...process.env, NODE_OPTIONS: sayFlags }, encoding: 'utf8' }).stderr;
  assert.match(flags(taskset, '-c', core, linkfold, 'config'), /--single-threaded-gc/);
  if (availableParallelism() > 1) assert.doesNotMatch(flags(linkfold, 'config'), /--single-threaded-gc/);
});
