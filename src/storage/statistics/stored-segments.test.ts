import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { createClickCollector } from '../../model/clicks/click-collector.ts';
import { unknownFacts } from '../../model/clicks/click-facts.ts';
import type { Segment } from '../../statistics/columns/segment.ts';
import { openConnection } from '../sqlite/connection.ts';
import { openSqlite } from '../sqlite/engine.ts';
import { newLink } from '../storage.fixtures.ts';
import { createSegmentReader, listSegments, type StoredSegment } from './stored-segments.ts';

const msPerDay = 86_400_000;
const days = 8;
const clicksPerDay = 2_000;
const path = join(temporaryFolder('segments'), 'linkfold.db');

/** Stores sealed days of clicks on one link. @returns the account ID */
async function storeDays(): Promise<number> {
  const storage = await openSqlite(path);
  const account = (await storage.createAccount('mine', 1))?.id ?? 0;
  const { id } = await storage.createLink(account, newLink('abc'));
  const row = (await storage.link(account, id))?.link.row ?? 0;
  for (let day = 0; day < days; day += 1) {
    const collector = createClickCollector();
    for (let n = 0; n < clicksPerDay; n += 1)
      collector.add(account, row, day * msPerDay + n * 7_000, { ...unknownFacts(0), visitor: n * 999_983 });
    const sums = Float64Array.of(row, day * 24, 0, clicksPerDay);
    await storage.applyClicks({ journal: 'j', from: day, to: day + 1, sums, records: collector.take() });
  }
  while (await storage.foldClicks((days + 90) * msPerDay));
  await storage.close();
  return account;
}

test('the segment cache keeps the days read first when a query reads more than it can hold', async (t) => {
  const account = await storeDays();
  const db = openConnection(path, { readsOnly: true });
  t.after(() => db.close());
  const stored = [...(await listSegments(db, account, 0, days)).values()].flat();
  assert.equal(stored.length, days);
  const read = async (reader: ReturnType<typeof createSegmentReader>, wanted: readonly StoredSegment[]) => {
    const query = {};
    const segments: Segment[] = [];
    for (const one of wanted) {
      const segment = await reader.read(db, one, undefined, query);
      for (const block of segment.blocks) block.visits();
      segments.push(segment);
    }
    return segments;
  };
  const [whole] = await read(createSegmentReader(), stored.slice(0, 1));
  const bytesOfDay = whole?.bytes() ?? 0;
  assert.ok(bytesOfDay > 5 * clicksPerDay, `${bytesOfDay} bytes, with unpacked columns`);

  const reader = createSegmentReader(5.5 * (bytesOfDay + 2_000));
  const first = await read(reader, stored);
  const again = await read(reader, stored);
  const cached = again.filter((segment, at) => segment === first[at]).length;
  assert.ok(cached >= 4 && cached <= 6, `${cached} of ${days} days are cached`);
  assert.equal(again[0], first[0]);

  const last = await read(reader, stored.slice(-3));
  assert.deepEqual(
    (await read(reader, stored.slice(-3))).map((segment, at) => segment === last[at]),
    [true, true, true],
    'another query replaces what the earlier one read',
  );
});
