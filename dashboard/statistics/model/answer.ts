import type { StatisticsDimension } from '../../../src/model/clicks/statistics.ts';
import type { SubjectKind } from './dimensions.ts';
import { filterText } from './filters.ts';
import { type Days, type Interval, intervalsFor, type Now, type QueryRange, queryRange } from './ranges.ts';
import { type ClickClass, classes, type Metric, type State } from './state.ts';

/** Subject of the statistics. */
export interface Subject {
  readonly kind: SubjectKind;
  /** Id of the link, folder or tag, or the secret of a share. Empty for the account. */
  readonly id: string;
  /** Whether the subject belongs to a share, whose statistics need no session. */
  readonly isShared?: boolean;
  /** Index among the share's subjects. */
  readonly place?: number;
  /** Limits the account's statistics to clicks from this campaign. */
  readonly campaign?: string;
}

export const allLinks: Subject = { kind: 'account', id: '' };

export type Counts = Readonly<Record<ClickClass | 'clicks' | 'visitors', number>>;
export type Bucket = Counts & { readonly start: string };

interface Series {
  readonly from: string;
  readonly to: string;
  readonly totals: Counts;
  readonly series: readonly Bucket[];
}

export interface Value {
  readonly value: string;
  readonly label?: string | undefined;
  readonly title?: string | undefined;
  readonly clicks: number;
  readonly visitors: number;
  readonly before?: { readonly clicks: number; readonly visitors: number } | undefined;
}

/** The parts of the API response that the page uses. */
export interface Answer extends Series {
  /** `minute` occurs only if the query requested it. */
  readonly interval: Interval | 'minute';
  readonly visitorsExact?: boolean | undefined;
  readonly incompleteBefore?: string | undefined;
  readonly breakdown?:
    | {
        readonly dimension: string;
        readonly values: readonly Value[];
        readonly other: { readonly clicks: number; readonly visitors: number };
      }
    | undefined;
  readonly compare?: Series | undefined;
}

export interface Question {
  readonly from: string;
  readonly to?: string | undefined;
  readonly timezone: string;
  readonly interval: Interval | 'minute';
  readonly class?: readonly ClickClass[] | undefined;
  readonly filter?: readonly string[] | undefined;
  readonly compare?: string | undefined;
  readonly groupBy?: StatisticsDimension | undefined;
  readonly limit?: number | undefined;
}

/**
 * Number of values to request per breakdown. Large enough to count most values, although only the first few are shown.
 */
const defaultLimit = 250;
export const maxComparedRows = 10;

export const scansFilter = 'trigger:is:qr';

/** Returns the query for a state. @param more additional parameters, such as the breakdown */
export function questionFor(
  state: State,
  days: Days,
  now: Now,
  more: {
    readonly groupBy?: StatisticsDimension;
    readonly limit?: number;
    readonly ofScans?: boolean;
    readonly ofAllClasses?: boolean;
    /** Whether to omit filters for the breakdown's own dimension, so that the breakdown contains every value. */
    readonly isOfEveryValue?: boolean;
  } = {},
): Question {
  const asked: QueryRange = queryRange(days, state.comparison, now);
  const filters = state.filters
    .filter(({ dimension }) => !(more.isOfEveryValue && dimension === more.groupBy))
    .map(filterText);
  if (more.ofScans) filters.push(scansFilter);
  const isEveryClass = more.ofAllClasses || state.classes.length === classes.length;
  return {
    from: asked.from,
    ...(asked.to !== undefined && { to: asked.to }),
    timezone: state.zone,
    interval: intervalOf(state, days),
    ...(!isEveryClass && { class: state.classes }),
    ...(filters.length > 0 && { filter: filters }),
    ...(asked.compare !== undefined && { compare: asked.compare }),
    ...(more.groupBy !== undefined && { groupBy: more.groupBy, limit: more.limit ?? defaultLimit }),
  };
}

/** Returns the selected interval if its chart is readable, else the default for the range. */
export function intervalOf(state: State, days: Days): Interval {
  const possible = intervalsFor(days);
  return possible.find((one) => one === state.interval) ?? possible[0] ?? 'day';
}

/** Returns the count for a metric. `clicks` includes the visible classes only. */
export function figureOf(counts: Counts, metric: Metric, shown: readonly ClickClass[]): number {
  if (metric === 'visitors') return counts.visitors;
  return shown.reduce((sum, one) => sum + counts[one], 0);
}

/**
 * Returns the change as a fraction of the previous value. Returns undefined if the previous value was zero or is
 * unknown.
 */
export function changeOf(now: number, before: number | undefined): number | undefined {
  return before === undefined || before === 0 ? undefined : now / before - 1;
}
