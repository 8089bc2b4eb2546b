import assert from 'node:assert/strict';
import { chownSync, globSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../support/files/temporary.ts';
import { launch, linkfold } from '../../support/server/launch.ts';

const skip = process.getuid?.() === 0 ? false : 'only root can give files away';
const [uid, gid] = [12_345, 12_346];

test('gives files that root writes into a data directory to its owner', { skip }, async () => {
  const DATA_DIR = temporaryFolder('owned');
  chownSync(DATA_DIR, uid, gid);
  const run = async (...args: string[]): Promise<void> => {
    const command = launch(linkfold, args, { PATH: process.env['PATH'] ?? '', DATA_DIR });
    assert.equal((await command.ended).code, 0, command.err());
    const others = globSync('**', { cwd: DATA_DIR }).filter((path) => {
      const found = lstatSync(join(DATA_DIR, path));
      return found.uid !== uid || found.gid !== gid;
    });
    assert.deepEqual(others, [], args.join(' '));
  };
  const backup = join(DATA_DIR, 'backup.db');
  await run('db', 'migrate');
  await run('db', 'backup', backup);
  rmSync(join(DATA_DIR, 'linkfold.db'));
  // The database has been deleted, so the restore needs no `--yes`.
  await run('db', 'restore', backup);
  await run('db', 'restore', backup, '--yes');
});
