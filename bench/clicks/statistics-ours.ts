import { statSync } from 'node:fs';
import { createClickCollector } from '../../src/domain/clicks/click-collector.ts';
import { unknownFacts } from '../../src/domain/clicks/click-facts.ts';
import { hourOf } from '../../src/domain/clicks/clicks.ts';
import type { StatisticsAnswer, StatisticsQuestion } from '../../src/domain/clicks/statistics.ts';
import type { Storage } from '../../src/domain/storage.ts';
import type { DayClicks } from '../../src/statistics/columns/day-clicks.ts';
import { openStorage } from '../../src/storage/open.ts';
import { idOf, newLink } from '../../src/storage/storage.fixtures.ts';

/** Storage with one account, to which clicks come as an applier brings them, and are folded and sealed day by day. */
export interface OurStore {
  /** The id of a link by its number, from 1. */
  readonly linkId: (link: number) => string;
  add(day: number, clicks: DayClicks): Promise<void>;
  /** Opens it anew, so that nothing of the making is in memory. @returns bytes of the file that statistics take */
  finish(): Promise<number>;
  ask(question: StatisticsQuestion): Promise<StatisticsAnswer>;
  close(): Promise<void>;
}

const msPerDay = 86_400_000;
const linksAtOnce = 500;
/** What a batch of a busy node has. */
const clicksOfBatch = 20_000;

export async function openOurs(file: string, links: number): Promise<OurStore> {
  let storage = await openStorage(`sqlite:${file}`);
  const accountId = (await storage.createAccount('bench', 1))?.id ?? 0;
  for (let from = 1; from <= links; from += linksAtOnce) {
    const some = Array.from({ length: Math.min(linksAtOnce, links - from + 1) }, (_, at) => from + at);
    await Promise.all(
      some.map((link) => storage.createLink(accountId, newLink(`c${link}`, { id: idOf(link) }))),
    );
  }
  await requireRow(storage, accountId, links);
  const bytesBefore = (await sizeOf(file, storage)) ?? 0;
  let position = 0;
  return {
    linkId: idOf,
    async add(day, { codes, combined, words, ...clicks }) {
      const collector = createClickCollector();
      for (let from = 0; from < clicks.length; from += clicksOfBatch) {
        const end = Math.min(clicks.length, from + clicksOfBatch);
        for (let click = from; click < end; click += 1) {
          const of = (column: ArrayLike<number>): number => column[click] as number;
          const word = (column: ArrayLike<number>): string => words[of(column)] as string;
          collector.add(accountId, of(clicks.link), day * msPerDay + of(clicks.second) * 1_000, {
            ...unknownFacts(of(codes.class)),
            ...{ trigger: of(codes.trigger), country: of(codes.country), browser: of(codes.browser) },
            ...{ os: of(codes.os), device: of(codes.device), language: of(codes.language) },
            ...{ visitor: of(clicks.visitor), referrer: word(clicks.referrer) },
            ...{ utmSource: word(combined.utmSource), utmMedium: word(combined.utmMedium) },
            ...{ utmCampaign: word(combined.utmCampaign), utmTerm: word(combined.utmTerm) },
            utmContent: word(combined.utmContent),
          });
        }
        // The sums by link and hour have a benchmark of their own: here is one for all.
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
      storage = await openStorage(`sqlite:${file}`, { maxClicksOfAnswer: Number.MAX_SAFE_INTEGER });
      return ((await sizeOf(file, storage)) ?? 0) - bytesBefore;
    },
    async ask(question) {
      const answer = await storage.statistics(accountId, question);
      if (answer === undefined) throw new Error('There is no such link.');
      return answer;
    },
    close: () => storage.close(),
  };
}

async function requireRow(storage: Storage, accountId: number, link: number): Promise<void> {
  const found = await storage.link(accountId, idOf(link));
  if (found?.link.row !== link) throw new Error(`Link ${link} is in row ${found?.link.row}.`);
}

/** The file as it is when its log is in it. */
async function sizeOf(file: string, storage: Storage): Promise<number | undefined> {
  await storage.ping();
  const { DatabaseSync } = await import('node:sqlite');
  const beside = new DatabaseSync(file);
  beside.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const free = beside.prepare('PRAGMA freelist_count').get() as { readonly freelist_count: number };
  beside.close();
  return statSync(file).size - free.freelist_count * 4_096;
}
