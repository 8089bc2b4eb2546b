import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { until } from '../../test/support/until.ts';
import { openStorage } from './open.ts';
import { importBatch, newLink, nextId } from './storage.fixtures.ts';

const t0 = Date.UTC(2027, 0, 1);
const day = 86_400_000;
const at = t0 - 30 * day;

for (const engine of engines) {
  describe(`imports on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    test('replaces a day with more clicks than a segment by more, and undoes it; the log reports both', async (t) => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url, { foldLimits: { maxSegmentClicks: 10 } });
      t.after(async () => {
        await storage.close();
        await engine.drop(url);
      });
      const account = (await storage.createAccount('mine', t0))?.id ?? 0;
      const by = { kind: 'key', id: 'k', name: 'ci', requestId: null, at: t0 } as const;
      const writes = storage.writesBy(by);
      const links = [1, 2, 3].map((name) => ({ name, link: newLink(`code-${name}`) }));
      /**
       * Imports another file from the same source.
       * @param clicks number of clicks per link, on the day of `clickedAt`
       */
      const importFile = async (clicks: readonly (number | undefined)[], clickedAt = at): Promise<string> => {
        const readAt = t0 + clicks.length;
        const about = {
          source: 'shlink',
          instance: null,
          installation: null,
          onConflict: 'skip',
          domain: null,
        } as const;
        const { found } = await writes.createImport(account, {
          ...about,
          id: nextId(),
          readAt,
          createdAt: t0,
        });
        let { position } = found;
        for (const [place, { name, link }] of links.entries()) {
          const count = clicks[place];
          const more = { name, position, counters: [], isEnd: place === links.length - 1 };
          const batch = importBatch(link, clickedAt, { ...more, clicks: count ?? 1 });
          await writes.addImportLines(
            account,
            found.id,
            count === undefined ? { ...batch, clicks: [] } : batch,
          );
          position += batch.lines;
        }
        await settle();
        return found.id;
      };
      const settle = async (): Promise<void> => {
        for (let isMore = true; isMore; ) {
          const [folded, went] = [await storage.foldClicks(t0), await storage.continueImports(10, t0)];
          isMore = folded || went;
        }
      };
      const counted = async () => {
        const totals = await Promise.all(
          links.map(async ({ link }) => (await storage.link(account, link.id))?.link.clicks),
        );
        const question = {
          ...{ subject: { kind: 'account' as const }, filters: [], limit: 10 },
          range: { from: at - day, to: t0, buckets: Float64Array.of(at - day) },
        } as const;
        const answer = await storage.statistics(account, question);
        return [...totals, answer?.totals.clicks];
      };
      const first = await importFile([6, undefined, undefined]);
      await importFile([undefined, 9, undefined]);
      await importFile([undefined, undefined, 8]);
      assert.deepEqual(await counted(), [6, 9, 8, 23]);
      await importFile([2, undefined, undefined]);
      assert.deepEqual(await counted(), [6, 9, 8, 23], 'a day never loses clicks');
      const more = await importFile([8, 1, undefined]);
      assert.deepEqual(await counted(), [8, 9, 8, 25]);
      await importFile([7, 12, undefined]);
      assert.deepEqual(await counted(), [8, 12, 8, 28]);
      const lastClick = async () => (await storage.link(account, links[0]?.link.id ?? ''))?.link.lastClickAt;
      const later = await importFile([1, undefined, undefined], at + day);
      assert.equal(await lastClick(), at + day);
      await writes.undoImport(account, later, t0);
      await settle();
      assert.equal(await lastClick(), at, 'the last remaining click');
      await writes.undoImport(account, more, t0);
      await settle();
      assert.deepEqual(await counted(), [6, 12, 8, 26], 'as if that import had never existed');
      await writes.undoImport(account, first, t0);
      await settle();
      assert.equal((await counted()).at(-1), 0);
      // On PostgreSQL, events become readable when all earlier transactions have ended, including those of other tests.
      await until('the log is read to its end', async () => {
        const { head, hasMore } = await storage.followEvents(0, 100, account);
        return head !== undefined && !hasMore;
      });
      const log = (await storage.followEvents(0, 100, account)).events;
      assert.deepEqual(
        log.map(({ name, actor }) => `${name} by ${actor.name}`),
        [
          ...['account.created by null', 'import.created by ci', ...links.map(() => 'link.imported by ci')],
          ...Array(6).fill(['import.finished by null', 'import.created by ci']).flat(),
          ...['import.finished by null', 'import.undone by ci', 'import.undone by ci'],
          ...['import.undone by ci', ...links.map(() => 'link.deleted by null')],
        ],
      );
    });
  });
}
