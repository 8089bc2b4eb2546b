import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { engines } from '../../../test/support/postgres/databases.ts';
import { createRandom, effort, withSeed } from '../../../test/support/random/random.ts';
import { until } from '../../../test/support/until.ts';
import { dayOf } from '../../model/clicks/click-days.ts';
import { checkDatabase } from '../check/check.ts';
import { openStorage } from '../open.ts';
import { newLink } from '../storage.fixtures.ts';

const script = join(import.meta.dirname, '../../../test/support/faults/folding-process.ts');
const firstDay = dayOf(Date.UTC(2027, 2, 26));

for (const engine of engines) {
  describe(`statistics on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    test('include each click once, however often the folding process is killed', async (t) => {
      const { count, seed } = effort(3);
      await withSeed(t, { count, seed }, async () => {
        const random = createRandom(seed);
        const url = await engine.newDatabase();
        const storage = await openStorage(url);
        t.after(() => storage.close());
        const accountId = (await storage.createAccount('mine', 1))?.id ?? 0;
        const { id } = await storage.createLink(accountId, newLink('abc'));
        const row = (await storage.link(accountId, id))?.link.row;
        const range = { from: 0, to: Date.UTC(2030, 0), buckets: Float64Array.of(0) };
        const question = { subject: { kind: 'link', id }, range, filters: [], limit: 1 } as const;
        let before = 0;
        for (let kill = 0; kill < count; kill += 1) {
          const args = [script, url, String(accountId), String(row), String(firstDay)];
          const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
          const ended = once(child, 'exit').then(() => assert.fail('It ended before it was killed.'));
          await Promise.race([once(child.stdout, 'data'), ended]);
          ended.catch(() => {}); // the promise rejects when the test kills the process below
          // Without this wait, a process on a busy machine would always be killed before it has applied any clicks.
          await until('it has applied clicks', async () => (await storage.appliedTo('killed')) > before + 1);
          await pause(random.below(250));
          const gone = once(child, 'exit');
          child.kill('SIGKILL');
          await gone;
          const applied = await storage.appliedTo('killed');
          const { totals } = (await storage.statistics(accountId, question)) ?? {};
          assert.equal(totals?.clicks, 10 * applied);
          assert.equal((await storage.link(accountId, id))?.link.clicks, 10 * applied);
          assert.ok(applied >= before);
          before = applied;
        }
        while (await storage.foldClicks((firstDay + 90) * 86_400_000));
        const { totals } = (await storage.statistics(accountId, question)) ?? {};
        assert.equal(totals?.clicks, 10 * before);
        assert.deepEqual(await checkDatabase(url), []);
      });
    });
  });
}
