import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { perform } from '../../test/support/postgres/dump.ts';
import { withDatabase } from '../../test/support/postgres/with-database.ts';
import { until } from '../../test/support/until.ts';
import { openStorage } from '../storage/open.ts';
import { createReports } from './clicks.fixtures.ts';
import { createVisitorSalts } from './visitor-salts.ts';

const day = 86_400_000;
const noon = 20_000 * day + day / 2;

for (const engine of engines) {
  test(`shares one secret between all processes, new every day, on ${engine.name}`, {
    skip: engine.missing ?? false,
  }, async (t) => {
    const url = await engine.newDatabase();
    const nodes = [await openStorage(url), await openStorage(url)];
    t.after(async () => {
      for (const node of nodes) await node.close();
      await engine.drop(url);
    });
    const reports = createReports();
    const waiting: (() => void)[] = [];
    // Timers do not fire; the test triggers each run.
    const timers = {
      ...globalThis,
      setTimeout: ((run: () => void) => ({ unref: () => waiting.push(run) })) as never,
      clearTimeout: () => {},
    };
    let now = noon;
    let drawn = 0;
    const randomBytes = (size: number): Uint8Array => new Uint8Array(size).fill(++drawn);
    const [first, second] = nodes.map((storage) =>
      createVisitorSalts({
        storage,
        now: () => now,
        randomBytes,
        timers,
        onError: reports.report,
        onInfo: reports.report,
      }),
    );
    assert.ok(first && second);
    const salts = () => [first.salt(), second.salt()];
    const check = async (): Promise<void> => {
      const runs = waiting.splice(0);
      assert.equal(runs.length, 2);
      for (const run of runs) run();
      await until('both have checked', () => waiting.length === 2);
    };
    const daysIn = (): Promise<number[]> =>
      withDatabase(url, async (database) => {
        const rows = await database.all<{ day: number }>('SELECT day FROM visitor_salts ORDER BY day', []);
        return rows.map((row) => row.day - 20_000);
      });

    for (const one of [first, second]) one.start();
    assert.deepEqual(salts(), [undefined, undefined]);
    await check();
    const [today] = salts();
    assert.ok(today);
    assert.deepEqual(salts(), [today, today]);
    assert.deepEqual(await daysIn(), [0]);

    now += day / 2 - 1;
    await check();
    assert.deepEqual(salts(), [today, today]);
    assert.deepEqual(await daysIn(), [0, 1], 'before midnight, the next salt exists');
    now += 1;
    // The next salt is in use although no run has happened since midnight.
    const [next] = salts();
    assert.ok(next);
    assert.deepEqual(salts(), [next, next]);
    assert.notDeepEqual(next, today);

    now += day - 1;
    await check();
    assert.deepEqual(await daysIn(), [1, 2], 'the salt from two days ago is deleted');

    // If the database cannot be written, visitors are not distinguished. Each node reports this once.
    await perform(url, 'DELETE FROM visitor_salts; ALTER TABLE visitor_salts RENAME TO renamed');
    now += day;
    assert.ok(salts().every(Boolean), 'salts generated in advance');
    now += day;
    for (let tries = 0; tries < 2; tries += 1) await check();
    assert.deepEqual(salts(), [undefined, undefined]);
    assert.equal(reports.sentences.length, 2);
    await perform(url, 'ALTER TABLE renamed RENAME TO visitor_salts');
    await check();
    assert.deepEqual(salts(), [first.salt(), first.salt()]);
    assert.ok(first.salt());
    assert.equal(reports.sentences.length, 4);
  });
}
