// Runs test files on SQLite: `node test/support/runs/on-sqlite.ts [options] FILES`.
import { runTests } from './run-tests.ts';

process.exitCode = await runTests(process.argv.slice(2), process.env);
