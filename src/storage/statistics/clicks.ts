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

/** Days whose rows are listed at a time, at most: first one, since the page may be full then. */
const daysAtOnce = 128;

/**
 * A page of clicks, in one snapshot of the database: of columns, and of clicks that are applied and in no column yet. It reads
 * no day behind the one that fills the page.
 * @param maxClicks how many clicks are looked at for a page, but for those of its first day
 * @returns undefined when it is about a link, folder or tag that the account does not have
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
  return pageOf(db, accountId, { ...listing.clicks(), ...(next !== undefined && { next }) });
}

/** @returns where to continue if `maxClicks` were looked at before the page was full */
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
  for (let upto = lastDay; upto >= firstDay; upto -= step, step = Math.min(daysAtOnce, step * 4)) {
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

async function pageOf(
  db: Db,
  accountId: number,
  { links: rows, ...listed }: ListedClicks,
): Promise<ClicksPage> {
  const different = [...new Set(rows)];
  const places = new Map(different.map((row, place) => [row, place]));
  const links = await clickedLinks(db, accountId, different);
  return { ...listed, links, linkOf: rows.map((row) => places.get(row) as number) };
}
