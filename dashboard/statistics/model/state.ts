import type { StatisticsDimension } from '../../../src/model/clicks/statistics.ts';
import { isZone } from './days.ts';
import { isDimension } from './dimensions.ts';
import { type Filter, filterText, readFilter } from './filters.ts';
import {
  type Comparison,
  comparisonText,
  defaultPeriod,
  type Interval,
  intervals,
  type Period,
  periodText,
  readComparison,
  readPeriod,
} from './ranges.ts';

/** The classes of clicks in the order in which bars are stacked, people lowest. */
export const classes = ['human', 'bot', 'preview', 'prefetch'] as const;
export type ClickClass = (typeof classes)[number];

export const metrics = ['clicks', 'visitors', 'scans'] as const;
export type Metric = (typeof metrics)[number];

/** Everything that the page shows follows from this, and this stands in the address. */
export interface State {
  readonly period: Period;
  readonly comparison: Comparison;
  /** Undefined for the usual one of the range. */
  readonly interval: Interval | undefined;
  readonly zone: string;
  /** In order; all of them unless some were switched off. */
  readonly classes: readonly ClickClass[];
  readonly filters: readonly Filter[];
  readonly metric: Metric;
  /** Breakdowns that were chosen; a panel shows its first one else. */
  readonly by: readonly StatisticsDimension[];
  /** Whether the numbers stand below the chart. */
  readonly hasTable: boolean;
}

const usualComparison: Comparison = 'previous';

/** Reads the address. What makes no sense is left out, so that an old address still opens. */
export function readState(query: URLSearchParams, ownZone: string): State {
  const wanted = (query.get('class') ?? '').split(',');
  const shown = classes.filter((one) => wanted.includes(one));
  const zone = query.get('zone') ?? '';
  return {
    period: readPeriod(query.get('period') ?? '') ?? defaultPeriod,
    comparison: readComparison(query.get('compare') ?? '') ?? usualComparison,
    interval: intervals.find((one) => one === query.get('interval')),
    zone: isZone(zone) ? zone : ownZone,
    classes: shown.length === 0 ? classes : shown,
    filters: query.getAll('filter').flatMap((text) => readFilter(text) ?? []),
    metric: metrics.find((one) => one === query.get('metric')) ?? 'clicks',
    by: (query.get('by') ?? '').split(',').filter(isDimension),
    hasTable: query.has('table'),
  };
}

/** The address of a state; other parameters stay as they are. What is usual is left out. */
export function withState(query: URLSearchParams, state: State, ownZone: string): URLSearchParams {
  const made = new URLSearchParams(query);
  const set = (name: string, value: string, usual: string): void => {
    if (value === usual) made.delete(name);
    else made.set(name, value);
  };
  set('period', periodText(state.period), periodText(defaultPeriod));
  set('compare', comparisonText(state.comparison), comparisonText(usualComparison));
  set('interval', state.interval ?? '', '');
  set('zone', state.zone, ownZone);
  set('class', state.classes.join(','), classes.join(','));
  set('metric', state.metric, 'clicks');
  set('by', state.by.join(','), '');
  set('table', state.hasTable ? '1' : '', '');
  made.delete('filter');
  for (const filter of state.filters) made.append('filter', filterText(filter));
  return made;
}

/** A class on or off; the last one that is on stays. */
export function withClass(state: State, one: ClickClass): State {
  const shown = classes.filter((each) => state.classes.includes(each) !== (each === one));
  return shown.length === 0 ? state : { ...state, classes: shown };
}

/** One class alone, and again all of them. */
export function withClassAlone(state: State, one: ClickClass): State {
  const isAlone = state.classes.length === 1 && state.classes[0] === one;
  return { ...state, classes: isAlone ? classes : [one] };
}
