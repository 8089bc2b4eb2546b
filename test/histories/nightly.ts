// Runs histories during an upgrade: nodes of this commit replace nodes of the previous one.
//
// node test/histories/nightly.ts [COMMIT]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../support/files/temporary.ts';

const root = join(import.meta.dirname, '..', '..');
const previous = join(temporaryFolder('previous'), 'linkfold');

/** Runs a command, shows its output, and returns true if it succeeded. */
function run(command: string, args: readonly string[], cwd = root, env: NodeJS.ProcessEnv = {}): boolean {
  return spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0;
}

const isBuilt =
  run('git', ['worktree', 'add', '--detach', previous, process.argv[2] ?? 'HEAD~1']) &&
  run(process.execPath, ['scripts/ensure-deps.mjs', '--dev'], previous) &&
  run('npm', ['run', '--silent', 'build:serve'], previous);
const isRight = run(process.execPath, ['--test', 'test/histories/processes.test.ts'], root, {
  LINKFOLD_COUNT: process.env['LINKFOLD_COUNT'] ?? '40',
  ...(isBuilt && { LINKFOLD_PREVIOUS: previous }),
});
run('git', ['worktree', 'remove', '--force', previous]);
process.exitCode = isRight && isBuilt ? 0 : 1;
