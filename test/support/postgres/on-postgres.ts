// Runs test files once more, on PostgreSQL: `node test/on-postgres.ts [options] FILES`. Where it cannot be run, says so
// and passes.
import { spawn } from 'node:child_process';
import { noPostgres } from './databases.ts';

const missing = await noPostgres();
if (missing !== undefined) {
  process.stderr.write(`\nSKIPPED on PostgreSQL: ${process.argv.slice(2).join(' ')}\n${missing}\n\n`);
} else {
  const env = { ...process.env, LINKFOLD_TEST_ENGINE: 'postgres' };
  const tests = spawn(process.execPath, ['--test', ...process.argv.slice(2)], { env, stdio: 'inherit' });
  tests.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
