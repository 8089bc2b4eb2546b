import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import type { StatisticsQuestion } from '../../model/clicks/statistics.ts';
import { refused } from '../../model/failures.ts';

/** Limits for each step that moves clicks into columns. */
export interface FoldLimits {
  /**
   * Approximate number of clicks per step. Statistics queries wait while a step is running, so a step must be short.
   */
  readonly clicks: number;
  /**
   * Approximate number of days that a step writes; the same day in two accounts counts twice. Other writes wait until
   * these days are written.
   */
  readonly days: number;
  /** A day with this many clicks gets a segment before the day has ended. */
  readonly minSegmentClicks: number;
  /** Maximum number of clicks per segment. All of a segment's clicks are in memory while it is created. */
  readonly maxSegmentClicks: number;
  /** Days with fewer clicks than this are not rolled up. */
  readonly minRollupClicks: number;
}

export interface StatisticsOptions {
  /** Overrides the default limits, for tests. */
  readonly foldLimits?: Partial<FoldLimits> | undefined;
  /** Number of UTC days, including today, for which click details are retained; undefined if there is no limit. */
  readonly statisticsDays?: number | undefined;
  /** Maximum number of clicks to read for a query. */
  readonly maxClicksOfAnswer?: number | undefined;
  /** Maximum number of clicks to read for a page of raw clicks. */
  readonly maxClicksOfPage?: number | undefined;
  /** Returns the current time, in ms since the epoch. */
  readonly now?: (() => number) | undefined;
}

export const defaultMaxClicks = 100_000_000;
/**
 * Maximum number of clicks to read for a page by default. Reading them takes the statistics thread a few hundred
 * milliseconds.
 */
export const defaultMaxClicksOfPage = 5_000_000;
/** Maximum time for a query in ms, including the wait for earlier queries. */
export const answerPatienceMs = 20_000;

/** Checks that the range is within the retention period. @throws Failure VALIDATION_ERROR for `from` */
export function requireRetained(
  { range, compare }: { readonly range: { readonly from: number } } & Pick<StatisticsQuestion, 'compare'>,
  { statisticsDays, now = Date.now }: StatisticsOptions,
): void {
  if (statisticsDays === undefined) return;
  const earliest = startOfDay(dayOf(now()) - statisticsDays + 1);
  const moment = new Date(earliest).toISOString();
  const problem = (field: string) => ({
    ...({ field, reason: 'out_of_range', code: 'VALIDATION_ERROR' } as const),
    message: `${field} must be ${moment} or later, because statistics are kept for ${statisticsDays} days. Older clicks count only in link totals.`,
  });
  if (range.from < earliest) throw refused([problem('from')]);
  if (compare !== undefined && compare.from < earliest) throw refused([problem('compare')]);
}
