import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stop } from '../terminal/exits.ts';
import { linkRows } from './line-rows.ts';

test('rejects a file without line ends after a megabyte, with bounded memory', async () => {
  let given = 0;
  async function* chunks() {
    for (; given < 1_000; given += 1) yield Buffer.alloc(65_536, 'a');
  }
  const rows = linkRows({ path: 'links.txt', size: 65_536_000, read: () => 0, chunks: chunks() }, 'lines');
  await assert.rejects(rows.next(), Stop);
  assert.ok(given < 20, `${given} pieces`);
});
