// Runs the real server, but with short intervals for background work, which usually runs once a minute.

import { runServer } from '../../../src/app/serve.ts';
import { endOf } from '../../../src/cli/terminal/exits.ts';
import { loadConfig } from '../../../src/config.ts';

try {
  process.exitCode = await runServer(loadConfig(process.env), { applyEveryMs: 100, upkeepEveryMs: 100 });
} catch (error) {
  const { exit, message } = endOf(error);
  process.stderr.write(`error: ${message}\n`);
  process.exit(exit);
}
