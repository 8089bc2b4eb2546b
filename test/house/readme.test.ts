// The README's tour, pasted line by line: every block of commands runs in one shell, in order, and prints what the block
// behind it shows.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startServer, temporaryFolder } from '../support/server/server.ts';

const checkout = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
const boundary = 'the next block';

interface Step {
  readonly commands: string;
  /** What the README shows; undefined where it shows nothing. */
  readonly shown: string | undefined;
}

function tour(): readonly Step[] {
  const text = readme.slice(readme.indexOf('## A tour'), readme.indexOf('## Documentation'));
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, body = '']) => ({
    kind,
    body,
  }));
  return blocks.flatMap(({ kind, body }, at) => {
    if (kind !== 'sh') return [];
    const next = blocks[at + 1];
    return [{ commands: body, shown: next === undefined || next.kind === 'sh' ? undefined : next.body }];
  });
}

/** What differs from one run to the next. */
function withoutChance(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (time.startsWith('2030') ? time : 'TIME'))
    .replace(/^schema +\d+$/gm, 'schema    N')
    .replace(/\b[0-9a-f]{64}\b/g, 'SHA-256')
    .replace(/lfk_\w+/g, 'KEY')
    .replace(/^size .*$/m, 'size')
    .trim();
}

test('the tour of the README gives what it shows', async () => {
  const server = await startServer();
  try {
    const steps = tour();
    assert.ok(steps.length > 5);
    const key = readFileSync(join(server.dataDir, 'first-key.txt'), 'utf8').trim();
    const script = steps
      .map(({ commands }) => commands)
      .join(`echo '${boundary}'\n`)
      .replace('lfk_...', key)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${server.port}`)
      .replaceAll('bin/linkfold', join(checkout, 'bin/linkfold'));
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: temporaryFolder('tour'),
      env: { ...process.env, DATA_DIR: server.dataDir, LINKFOLD_URL: server.url },
    });
    const printed = stdout.replaceAll(`127.0.0.1:${server.port}`, '127.0.0.1:3000').split(`${boundary}\n`);
    for (const [at, { commands, shown }] of steps.entries())
      if (shown !== undefined) assert.equal(withoutChance(printed[at] ?? ''), withoutChance(shown), commands);
  } finally {
    await server.stop();
  }
});
