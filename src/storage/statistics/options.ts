import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import type { StatisticsQuestion } from '../../model/clicks/statistics.ts';
import { refused } from '../../model/failures.ts';

/** How much one step of the folding does. */
export interface FoldLimits {
  /** Clicks that one step takes, about: a question waits for it. */
  readonly clicks: number;
  /** Days of accounts that one step writes to, about: other writes wait for them. */
  readonly days: number;
  /** So many clicks of a day become a segment before the day has ended. */
  readonly clicksOfColumns: number;
  /** Maximum number of clicks of a segment: all of them are in memory when it is made. */
  readonly clicksOfSegment: number;
  /** Days of fewer clicks are not summed up. */
  readonly clicksOfRollup: number;
}

export interface StatisticsOptions {
  /** For tests: other limits than the usual ones. */
  readonly foldLimits?: Partial<FoldLimits> | undefined;
  /** For how many UTC days, today included, it is kept what clicks say; undefined permanently. */
  readonly statisticsDays?: number | undefined;
  /** How many clicks an answer looks at. */
  readonly maxClicksOfAnswer?: number | undefined;
  /** How many clicks are looked at for a page of raw clicks. */
  readonly maxClicksOfPage?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

export const usualMaxClicks = 100_000_000;
/** Some hundred milliseconds of the statistics thread. */
export const usualMaxClicksOfPage = 5_000_000;
/** How long an answer may take, with the wait for those before it, ms. */
export const answerPatienceMs = 20_000;

/** @throws Failure VALIDATION_ERROR on `from`, when clicks that old are kept in totals only */
export function requireKept(
  { range, compare }: { readonly range: { readonly from: number } } & Pick<StatisticsQuestion, 'compare'>,
  { statisticsDays, now = Date.now }: StatisticsOptions,
): void {
  if (statisticsDays === undefined) return;
  const earliest = startOfDay(dayOf(now()) - statisticsDays + 1);
  const moment = new Date(earliest).toISOString();
  const tell = (field: string) => ({
    ...({ field, reason: 'out_of_range', code: 'VALIDATION_ERROR' } as const),
    message: `Statistics are kept for ${statisticsDays} days here: ${field} must be ${moment} or later. Older clicks are in the clicks of their links.`,
  });
  if (range.from < earliest) throw refused([tell('from')]);
  if (compare !== undefined && compare.from < earliest) throw refused([tell('compare')]);
}
