import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../until.ts';
import { lives } from './leftovers.ts';
import { folderOfProcess, inMemory, makeFolder } from './temporary.ts';

const leaving = join(import.meta.dirname, 'leaving.ts');

for (const [how, does] of [
  ['comes to its end', 'exits'],
  ['is killed', 'waits'],
] as const) {
  test(`leaves no process and no file when a test ${how}`, async (t) => {
    const folder = join(folderOfProcess(), does);
    makeFolder(folder);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const child = spawn(process.execPath, [leaving, does], {
      env: { ...env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    const exit = new Promise((resolve) => child.once('exit', resolve));
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
    await until('all its processes have started', () => said.endsWith('\n'));
    const pids: number[] = JSON.parse(said);
    if (does === 'waits') {
      assert.ok(pids.length > 0 && pids.every(lives));
      child.kill('SIGKILL');
    }
    await exit;
    if (does === 'exits') assert.deepEqual(pids.filter(lives), []);
    const nameOfRun = `linkfold-test-${child.pid}-`;
    await until('its files are gone', () =>
      [...readdirSync(folder), ...readdirSync(inMemory)].every((name) => !name.startsWith(nameOfRun)),
    );
    assert.deepEqual(pids.filter(lives), []);
  });
}
