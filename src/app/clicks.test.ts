import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/files/temporary.ts';
import {
  countUnapplied,
  createReferenceStorage,
  createReports,
  human,
  targetOf,
} from '../clicks/clicks.fixtures.ts';
import { journalsIn } from '../clicks/journal/files/directory.ts';
import { isLocked } from '../clicks/journal/files/lock.ts';
import { loadConfig } from '../config.ts';
import { type Clicks, openClicks } from './clicks.ts';

const reports = createReports();
function open(): { readonly clicks: Clicks; readonly dir: string } {
  const dataDir = temporaryFolder('clicks');
  const config = loadConfig({ DATA_DIR: dataDir });
  const clicks = openClicks(config, { onError: reports.report, onInfo: () => {}, tracing: undefined });
  return { clicks, dir: join(dataDir, 'clicks') };
}
function applying(clicks: Clicks) {
  const { storage } = createReferenceStorage();
  return clicks.applyTo(storage as never);
}

test('leaves no journal when startup fails at any step, even if undone twice', async () => {
  for (const isApplying of [false, true]) {
    const { clicks, dir } = open();
    if (isApplying) applying(clicks);
    assert.equal(journalsIn(dir).length, 1);
    await clicks.abandon();
    assert.deepEqual(journalsIn(dir), []);
    await clicks.abandon();
  }
});

test('keeps files with acknowledged clicks when startup fails', async () => {
  const { clicks, dir } = open();
  applying(clicks);
  await new Promise((resolve) => clicks.journal.append(targetOf(7), 1, human, resolve));
  await clicks.abandon();
  const [journal = ''] = journalsIn(dir);
  assert.equal(countUnapplied(dir), 1);
  assert.equal(isLocked(join(dir, journal)), false, 'the next start applies it');
});

test('undoes nothing after the applier is closed', async () => {
  const { clicks, dir } = open();
  const { applier, recovery } = applying(clicks);
  applier.start();
  recovery.start();
  await new Promise((resolve) => clicks.journal.append(targetOf(7), 1, human, resolve));
  await applier.close();
  await clicks.abandon();
  assert.deepEqual(journalsIn(dir), []);
  assert.deepEqual(reports.sentences, []);
});
