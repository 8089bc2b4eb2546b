// The real server, but with segments that are full after a few clicks, and an applier that runs often. Otherwise, a
// test would need a million clicks.

import { runServer } from '../../../src/app/serve.ts';
import { endOf } from '../../../src/cli/terminal/exits.ts';
import { loadConfig } from '../../../src/config.ts';

try {
  process.exitCode = await runServer(loadConfig(process.env), { segmentBytes: 400, applyEveryMs: 100 });
} catch (error) {
  const { exit, message } = endOf(error);
  process.stderr.write(`error: ${message}\n`);
  process.exit(exit);
}
