import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createClickCollector } from '../../src/model/clicks/click-collector.ts';
import { type ClickFacts, unknownFacts } from '../../src/model/clicks/click-facts.ts';
import { hourOf } from '../../src/model/clicks/clicks.ts';
import type { StatisticsAnswer, StatisticsQuestion } from '../../src/model/clicks/statistics.ts';
import type { DayClicks } from '../../src/statistics/columns/day-clicks.ts';
import { combinedDimensions } from '../../src/statistics/columns/dimensions.ts';
import { openStorage } from '../../src/storage/open.ts';
import { idOf, newLink } from '../../src/storage/storage.fixtures.ts';

/** Storage with one account, to which clicks are applied as in production, then folded and sealed day by day. */
export interface OurStore {
  /** Returns the id of a link by its number, from 1. */
  readonly linkId: (link: number) => string;
  add(day: number, clicks: DayClicks): Promise<void>;
  /**
   * Reopens the database, so that nothing is cached in memory.
   * @returns size of the statistics in the database, bytes
   */
  finish(): Promise<number>;
  ask(question: StatisticsQuestion): Promise<StatisticsAnswer>;
  close(): Promise<void>;
}

const msPerDay = 86_400_000;
const linksAtOnce = 500;
/** Number of clicks per batch, as on a busy node. */
const clicksOfBatch = 20_000;

/** @param url of an empty database: `sqlite:FILE` or PostgreSQL */
export async function openOurs(url: string, links: number): Promise<OurStore> {
  let storage = await openStorage(url);
  const accountId = (await storage.createAccount('bench', 1))?.id ?? 0;
  const rows = new Float64Array(links + 1);
  for (let from = 1; from <= links; from += linksAtOnce) {
    const some = Array.from({ length: Math.min(linksAtOnce, links - from + 1) }, (_, at) => from + at);
    await Promise.all(
      some.map(async (link) => {
        await storage.createLink(accountId, newLink(`c${link}`, { id: idOf(link) }));
        rows[link] = (await storage.link(accountId, idOf(link)))?.link.row ?? 0;
      }),
    );
  }
  const bytesBefore = await sizeOf(url);
  let position = 0;
  return {
    linkId: idOf,
    async add(day, { codes, combined, words, ...clicks }) {
      const collector = createClickCollector();
      // One reused object, since the cost of generating clicks is measured too.
      const facts: { -readonly [Key in keyof ClickFacts]: ClickFacts[Key] } = { ...unknownFacts(0) };
      for (let from = 0; from < clicks.length; from += clicksOfBatch) {
        const end = Math.min(clicks.length, from + clicksOfBatch);
        for (let click = from; click < end; click += 1) {
          const of = (column: ArrayLike<number>): number => column[click] as number;
          const word = (column: ArrayLike<number>): string => words[of(column)] as string;
          facts.class = of(codes.class);
          facts.trigger = of(codes.trigger);
          facts.country = of(codes.country);
          facts.browser = of(codes.browser);
          facts.os = of(codes.os);
          facts.device = of(codes.device);
          facts.language = of(codes.language);
          facts.visitor = of(clicks.visitor);
          facts.referrer = word(clicks.referrer);
          for (const name of combinedDimensions) facts[name] = word(combined[name]);
          const at = day * msPerDay + of(clicks.second) * 1_000;
          collector.add(accountId, rows[of(clicks.link)] as number, at, facts);
        }
        // The sums by link and hour have their own benchmark: here one sum is enough.
        const sums = Float64Array.of(1, hourOf(day * msPerDay), 0, end - from);
        const batch = { journal: 'bench', from: position, to: position + 1, sums };
        await storage.applyClicks({ ...batch, records: collector.take() });
        position += 1;
        while (await storage.foldClicks(day * msPerDay));
      }
      while (await storage.foldClicks((day + 2) * msPerDay));
    },
    async finish() {
      await storage.close();
      storage = await openStorage(url, { maxClicksOfAnswer: Number.MAX_SAFE_INTEGER });
      return (await sizeOf(url)) - bytesBefore;
    },
    async ask(question) {
      const answer = await storage.statistics(accountId, question);
      if (answer === undefined) throw new Error('There is no such link.');
      return answer;
    },
    close: () => storage.close(),
  };
}

/** For SQLite, the size of the file after a checkpoint of its log. */
async function sizeOf(url: string): Promise<number> {
  if (!url.startsWith('sqlite:')) {
    const client = new pg.Client(url);
    await client.connect();
    await client.query('VACUUM');
    const { rows } = await client.query('SELECT pg_database_size(current_database()) AS size');
    await client.end();
    return Number(rows[0].size);
  }
  const file = url.slice('sqlite:'.length);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const free = database.prepare('PRAGMA freelist_count').get() as { readonly freelist_count: number };
  database.close();
  return statSync(file).size - free.freelist_count * 4_096;
}
