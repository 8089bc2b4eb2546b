import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryFolder } from '../files/temporary.ts';

/** So many red files are looked at again; more are no accident. */
const fewFiles = 3;

/**
 * Runs test files as `node --test` does. A few that are red beside all others get a second look, alone: what is red only once is told
 * at the end, for it is a defect, too, and does not fail the run. LINKFOLD_STRICT=1 leaves the second look out.
 * @param args options and patterns of `node --test`
 * @returns the exit code
 */
export async function runTests(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const list = join(temporaryFolder('red-files'), 'list');
  const code = await perform(
    [
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(import.meta.dirname, 'red-files.ts')}`,
      `--test-reporter-destination=${list}`,
      ...args,
    ],
    env,
  );
  if (code === 0 || env['LINKFOLD_STRICT'] === '1') return code;
  const red = [...new Set(readFileSync(list, 'utf8').trim().split('\n'))].filter((file) => file !== '');
  const names = red.map((file) => relative(process.cwd(), file)).join(', ');
  if (red.length === 0 || red.length > fewFiles) return code;
  process.stdout.write(`\nRed beside all others, a second look at each alone: ${names}\n\n`);
  const second = await perform(['--test-concurrency=1', ...red], env);
  if (second === 0) process.stdout.write(`\nRED AT FIRST, green alone, to be mended: ${names}\n\n`);
  return second;
}

async function perform(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const tests = spawn(process.execPath, ['--test', ...args], { env, stdio: 'inherit' });
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code ?? 1;
}
