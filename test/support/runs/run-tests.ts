import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryFolder } from '../files/temporary.ts';

/** Maximum number of failed files to rerun. */
const fewFiles = 3;

/**
 * Runs test files with `node --test`. If only a few files fail, these are run again, one at a time. A file that passes
 * on retry does not fail the run, but is listed at the end, because it is a defect. LINKFOLD_STRICT=1 disables retries.
 * @param args options and patterns for `node --test`
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
  process.stdout.write(`\nSome files failed. Running each again on its own: ${names}\n\n`);
  const second = await perform(['--test-concurrency=1', ...red], env);
  if (second === 0) process.stdout.write(`\nPASSED ON RETRY, needs a fix: ${names}\n\n`);
  return second;
}

async function perform(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const tests = spawn(process.execPath, ['--test', ...args], { env, stdio: 'inherit' });
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code ?? 1;
}
