// Tests how programs display the manual page. The page is generated from the CLI command definitions.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandFacts } from '../../scripts/documents/commands.ts';
import { manualPage } from '../../scripts/documents/manual.ts';
import { temporaryFolder } from '../support/files/temporary.ts';

const root = join(import.meta.dirname, '..', '..');
/** Matches a character that is printed over itself for bold type. */
const overstruck = new RegExp(`.${String.fromCharCode(8)}`, 'gu');

test('the manual page shows every command, option and example', (t) => {
  if (spawnSync('mandoc', ['-h']).error !== undefined)
    return t.skip('NOT TESTED: there is no mandoc on this machine');
  const page = join(temporaryFolder('manual'), 'linkfold.1');
  writeFileSync(page, manualPage());
  const faults = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', page], { encoding: 'utf8' });
  // Ignores the warning about the missing date. The page has none, so that the same commands always generate an
  // identical page.
  assert.doesNotMatch(faults.stdout.replace(/^.*missing date.*\n/gm, ''), /./);
  const shown = execFileSync('mandoc', ['-T', 'utf8', '-O', 'width=1000', page], { encoding: 'utf8' })
    .replace(overstruck, '')
    .replace(/\s+/g, ' ');
  for (const { path, args, options, examples } of commandFacts) {
    const start = shown.indexOf(` ${path} ${options.length > 0 ? '[options]' : ''}`);
    assert.notEqual(start, -1, path);
    for (const [name] of [...args, ...options, ...examples])
      assert.ok(shown.slice(start).includes(name.replace(/\s+/g, ' ')), `${path}: ${name}`);
  }
});

test('npm installs the manual page', () => {
  const { man, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual([man, files.includes('man')], ['./man/linkfold.1', true]);
});
