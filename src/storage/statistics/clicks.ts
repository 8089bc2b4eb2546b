import type { ClickPlace, ClicksPage, ClicksQuestion } from '../../model/clicks/raw-clicks.ts';
import {
  createListing,
  cursorBefore,
  type ListedClicks,
  type Listing,
} from '../../statistics/listing/listing.ts';
import type { SortClicks } from '../../statistics/listing/order.ts';
import type { Db } from '../db/db.ts';
import type { AnswerTools } from './answer.ts';
import { clickedLinks } from './links.ts';
import { prepareQuestion } from './question.ts';
import { clicksIn, type LinkRange, listSegments } from './stored-segments.ts';

/**
 * Maximum number of days that one database query reads. The first query reads a single day, because that day may
 * already fill the page.
 */
const maxDaysPerQuery = 128;

/**
 * Returns a page of clicks from one snapshot of the database: clicks in columns, and applied clicks that are not in
 * columns yet. Once a day fills the page, no more days are read.
 * @param maxClicks maximum number of clicks to read for a page, apart from the clicks of its first day
 * @returns undefined when the account does not have the link, folder or tag
 */
export async function listClicks(
  db: Db,
  tools: Pick<AnswerTools, 'waiting' | 'pieces' | 'segments'> & { readonly sortClicks: SortClicks },
  accountId: number,
  question: ClicksQuestion,
  maxClicks: number,
): Promise<ClicksPage | undefined> {
  const prepared = await prepareQuestion(db, accountId, question);
  if (prepared === undefined) return undefined;
  const { filters, names, links } = prepared;
  const listing = createListing({ ...question, filters }, names, tools.sortClicks);
  const next = await fillListing({ db, ...tools }, accountId, listing, links, maxClicks);
  return buildPage(db, accountId, { ...listing.clicks(), ...(next !== undefined && { next }) });
}

/**
 * Adds clicks day by day until the page is full.
 * @returns where to continue, if `maxClicks` clicks were read before the page was full
 */
export async function fillListing(
  { db, ...tools }: { readonly db: Db } & Pick<AnswerTools, 'waiting' | 'pieces' | 'segments'>,
  accountId: number,
  listing: Listing,
  links: LinkRange | undefined,
  maxClicks = Number.POSITIVE_INFINITY,
): Promise<ClickPlace | undefined> {
  const { firstDay, lastDay } = listing;
  const batches = tools.waiting.segmentsOf(await tools.waiting.read(db), accountId);
  let left = maxClicks;
  let step = 1;
  for (let upto = lastDay; upto >= firstDay; upto -= step, step = Math.min(maxDaysPerQuery, step * 4)) {
    const from = Math.max(firstDay, upto - step + 1);
    const stored = await listSegments(db, accountId, from, upto);
    const pieces = await tools.pieces.read(db, accountId, from, upto);
    for (let day = upto; day >= from; day -= 1) {
      const ofDay = stored.get(day) ?? [];
      const further = [pieces, batches].flatMap((of) => of.get(day) ?? []);
      if (ofDay.length + further.length === 0) continue;
      const open = (pieces.get(day) ?? []).reduce((sum, { rows }) => sum + rows, 0);
      const clicks = ofDay.reduce((sum, of) => sum + clicksIn(of, links), open);
      if (clicks > left && day < lastDay) return cursorBefore(day + 1);
      left -= clicks;
      const read = await Promise.all(ofDay.map((one) => tools.segments.read(db, one, links)));
      if (listing.addDay(day, [...read, ...further])) return undefined;
    }
  }
  return undefined;
}

async function buildPage(
  db: Db,
  accountId: number,
  { links: rows, ...listed }: ListedClicks,
): Promise<ClicksPage> {
  const different = [...new Set(rows)];
  const places = new Map(different.map((row, place) => [row, place]));
  const links = await clickedLinks(db, accountId, different);
  return { ...listed, links, linkOf: rows.map((row) => places.get(row) as number) };
}
