import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import { msPerHour } from '../../model/timestamps.ts';
import { createListing } from '../../statistics/listing/listing.ts';
import { one } from '../db/db.ts';
import { columnsState } from '../statements/clicks/click-columns.ts';
import { linksWithoutLastHour } from '../statements/clicks/imported-clicks.ts';
import { fillListing } from './clicks.ts';
import { namesWith } from './names.ts';
import type { Fold, Planning } from './planning.ts';

const linksPerStep = 100;

const oldestDay = `
  SELECT COALESCE(MIN(day), 0) AS day FROM (
    SELECT MIN(day) AS day FROM click_columns WHERE account_id = ?
    UNION ALL SELECT MIN(day) FROM day_records WHERE account_id = ?
  ) AS d`;

/**
 * Recalculates the last hour with a click for links whose newest clicks were removed with an import. Reads the
 * individual clicks, so a link whose clicks were all deleted because of their age has no last hour.
 */
export async function findLastHours(planning: Planning): Promise<Fold | undefined> {
  const { db, now, sortClicks } = planning;
  const links = await db.all<{ link_row: number; account_id: number }>(linksWithoutLastHour, [linksPerStep]);
  if (links.length === 0) return undefined;
  const lastHours: number[] = [];
  for (const { link_row: link, account_id: account } of links) {
    const { day } = await one<{ day: number }>(db, oldestDay, [account, account]);
    const range = { from: startOfDay(day), to: startOfDay(dayOf(now) + 2) };
    const filters = [{ dimension: 'link', operator: 'is', links: new Set([link]) }] as const;
    const listing = createListing({ ...range, filters, limit: 1 }, namesWith(new Map()), sortClicks);
    await fillListing(planning, account, listing, { least: link, largest: link });
    lastHours.push(link, Math.floor((listing.clicks().times[0] ?? 0) / msPerHour));
  }
  const noChanges = { batches: [], removedPieces: [], pieces: [], removed: [], added: [], rollups: [] };
  return { change: { state: await columnsState(db), ...noChanges, lastHours }, hasMore: true };
}
