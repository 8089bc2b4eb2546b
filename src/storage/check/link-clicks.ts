import { startOfDay } from '../../model/clicks/click-days.ts';
import { Failure } from '../../model/failures.ts';
import { decodeClicks } from '../../statistics/columns/decode.ts';
import { type Db, one } from '../db/db.ts';
import { recentClicksOf } from '../statements/clicks/recent-clicks.ts';
import { listPieces, readPiece } from '../statistics/stored-pieces.ts';
import { createSegmentReader, listSegments } from '../statistics/stored-segments.ts';
import { createWaitingClicks } from '../statistics/waiting-clicks.ts';

const daysOfAccounts = `
  SELECT account_id, day FROM click_columns GROUP BY account_id, day
  UNION SELECT account_id, day FROM day_records ORDER BY account_id, day`;
const largestRow = 'SELECT COALESCE(MAX(link_row), 0) AS row FROM links';

export interface DayRow {
  readonly account_id: number;
  readonly day: number;
}

export function nameOfDay({ account_id, day }: DayRow): string {
  return `Account ${account_id}, ${new Date(startOfDay(day)).toISOString().slice(0, 10)}`;
}

/**
 * Counts the individual clicks on each link. Returns the counts, indexed by link row.
 * @param damaged receives unreadable days
 */
async function countClicks(db: Db, damaged: DayRow[]): Promise<Float64Array> {
  const clicks = new Float64Array((await one<{ row: number }>(db, largestRow, [])).row + 1);
  const count = (link: number): void => {
    if (link < clicks.length) clicks[link] = (clicks[link] as number) + 1;
  };
  for (const { days } of await createWaitingClicks().read(db))
    for (const records of days) decodeClicks([records]).link.forEach(count);
  // The reader has no cache, because each segment is read only once.
  const segments = createSegmentReader(0);
  for (const of of await db.all<DayRow>(daysOfAccounts, [])) {
    const { account_id: account, day } = of;
    try {
      for (const piece of await listPieces(db, account, day, day))
        decodeClicks([await readPiece(db, piece)]).link.forEach(count);
      for (const stored of (await listSegments(db, account, day, day)).get(day) ?? [])
        for (const block of (await segments.read(db, stored)).blocks) {
          const links = block.links();
          for (const place of block.link()) count(links[place] as number);
        }
    } catch (error) {
      if (error instanceof Failure) throw error;
      damaged.push(of);
    }
  }
  return clicks;
}

interface Counted {
  readonly link_row: number;
  readonly account_id: number;
  readonly code: string;
  readonly total: number;
  readonly undated: number;
}

const linksPerPage = 10_000;
const pageOfLinks = `
  SELECT l.link_row, l.account_id, l.code,
    COALESCE((SELECT k.total FROM link_clicks k WHERE k.link_row = l.link_row), 0) + ${recentClicksOf('l.link_row')} AS total,
    CAST(COALESCE((SELECT SUM(m.undated) FROM import_links m WHERE m.link_row = l.link_row), 0) AS BIGINT) AS undated
  FROM links l WHERE l.link_row > ? ORDER BY l.link_row LIMIT ${linksPerPage}`;
const accountsWithForgotten = 'SELECT account_id FROM forgotten_clicks';

/**
 * Compares each link's total with its individual clicks. The total may be larger if old clicks have been deleted.
 * @returns the problems, one sentence each
 */
export async function linkClickFindings(db: Db, most: number): Promise<string[]> {
  const damaged: DayRow[] = [];
  const clicks = await countClicks(db, damaged);
  const forgotten = await db.all<{ account_id: number }>(accountsWithForgotten, []);
  const lacksClicks = new Set([...damaged, ...forgotten].map(({ account_id }) => account_id));
  const findings = damaged.map((day) => `${nameOfDay(day)}: could not read the clicks in statistics.`);
  for (let after = 0, isLast = false; !isLast && findings.length < most; ) {
    const links = await db.all<Counted>(pageOfLinks, [after]);
    for (const { link_row, account_id, code, total, undated } of links) {
      const kept = (clicks[link_row] as number) + undated;
      if (kept > total || (kept < total && !lacksClicks.has(account_id)))
        findings.push(`The link "${code}" has ${total} clicks in total, but ${kept} in statistics.`);
    }
    after = links.at(-1)?.link_row ?? after;
    isLast = links.length < linksPerPage;
  }
  return findings.slice(0, most);
}
