import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClickCollector } from '../../src/model/clicks/click-collector.ts';
import { hourOf } from '../../src/model/clicks/clicks.ts';
import type { StatisticsAnswer, StatisticsQuestion } from '../../src/model/clicks/statistics.ts';
import { openStorage } from '../../src/storage/open.ts';
import { idOf, newLink } from '../../src/storage/storage.fixtures.ts';
import type { SampleClick } from './statistics-sample.ts';

const msPerDay = 86_400_000;
/** Number of clicks per batch, as on a busy node. */
const batchSize = 20_000;

/** Opens storage with one account. Clicks are applied as in production, then folded and sealed day by day. */
export async function openLinkfold(dir: string, links: number) {
  const file = join(dir, 'statistics.db');
  let storage = await openStorage(`sqlite:${file}`);
  const accountId = (await storage.createAccount('bench', 1))?.id ?? 0;
  const rows: number[] = [];
  for (let link = 1; link <= links; link += 1) {
    await storage.createLink(accountId, newLink(`c${link}`, { id: idOf(link) }));
    rows[link] = (await storage.link(accountId, idOf(link)))?.link.row ?? 0;
  }
  const bytesBefore = sizeOf(file);
  let position = 0;
  return {
    async add(day: number, clicks: readonly SampleClick[]): Promise<void> {
      const start = day * msPerDay;
      const collector = createClickCollector();
      for (let from = 0; from < clicks.length; from += batchSize) {
        const some = clicks.slice(from, from + batchSize);
        for (const click of some)
          collector.add(accountId, rows[click.link] ?? 0, start + click.second * 1_000, click);
        // Counts per link have their own benchmark, so one sum is enough here.
        const sums = Float64Array.of(1, hourOf(start), 0, some.length);
        const batch = { journal: 'bench', from: position, to: position + 1, sums };
        await storage.applyClicks({ ...batch, records: collector.take() });
        position += 1;
        while (await storage.foldClicks(start));
      }
      while (await storage.foldClicks(start + 2 * msPerDay));
    },
    /** Reopens the database, so that nothing is cached in memory. @returns size of the statistics in bytes */
    async finish(): Promise<number> {
      await storage.close();
      storage = await openStorage(`sqlite:${file}`, { maxClicksOfAnswer: Number.MAX_SAFE_INTEGER });
      return sizeOf(file) - bytesBefore;
    },
    async ask(question: StatisticsQuestion): Promise<StatisticsAnswer> {
      const answer = await storage.statistics(accountId, question);
      if (answer === undefined) throw new Error('Link not found.');
      return answer;
    },
    close: (): Promise<void> => storage.close(),
  };
}

/** Checkpoints a database's log and returns the database's size in bytes, excluding free pages. */
function sizeOf(file: string): number {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const free = database.prepare('PRAGMA freelist_count').get() as { readonly freelist_count: number };
  database.close();
  return statSync(file).size - free.freelist_count * 4_096;
}
