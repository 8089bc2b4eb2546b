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

/** Click classes in stacking order, with people at the bottom. */
export const classes = ['human', 'bot', 'preview', 'prefetch'] as const;
export type ClickClass = (typeof classes)[number];

export const metrics = ['clicks', 'visitors', 'scans'] as const;
export type Metric = (typeof metrics)[number];

/** Page state, stored entirely in the URL. */
export interface State {
  readonly period: Period;
  readonly comparison: Comparison;
  /** Undefined means the default for the range. */
  readonly interval: Interval | undefined;
  readonly zone: string;
  /** Visible classes in stacking order. */
  readonly classes: readonly ClickClass[];
  readonly filters: readonly Filter[];
  readonly metric: Metric;
  /** Selected breakdowns. A panel without a selected breakdown shows its first breakdown. */
  readonly by: readonly StatisticsDimension[];
  /** Whether the table below the chart is visible. */
  readonly hasTable: boolean;
}

const defaultComparison: Comparison = 'previous';

/** Parses the URL. Ignores invalid parameters, so that old URLs still work. */
export function readState(query: URLSearchParams, ownZone: string): State {
  const wanted = (query.get('class') ?? '').split(',');
  const shown = classes.filter((one) => wanted.includes(one));
  const zone = query.get('zone') ?? '';
  return {
    period: readPeriod(query.get('period') ?? '') ?? defaultPeriod,
    comparison: readComparison(query.get('compare') ?? '') ?? defaultComparison,
    interval: intervals.find((one) => one === query.get('interval')),
    zone: isZone(zone) ? zone : ownZone,
    classes: shown.length === 0 ? classes : shown,
    filters: query.getAll('filter').flatMap((text) => readFilter(text) ?? []),
    metric: metrics.find((one) => one === query.get('metric')) ?? 'clicks',
    by: (query.get('by') ?? '').split(',').filter(isDimension),
    hasTable: query.has('table'),
  };
}

/** Returns the URL parameters for a state. Keeps unrelated parameters and omits defaults. */
export function withState(query: URLSearchParams, state: State, ownZone: string): URLSearchParams {
  const made = new URLSearchParams(query);
  const set = (name: string, value: string, usual: string): void => {
    if (value === usual) made.delete(name);
    else made.set(name, value);
  };
  set('period', periodText(state.period), periodText(defaultPeriod));
  set('compare', comparisonText(state.comparison), comparisonText(defaultComparison));
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

/** Shows or hides a class. The last visible class stays visible. */
export function withClass(state: State, one: ClickClass): State {
  const shown = classes.filter((each) => state.classes.includes(each) !== (each === one));
  return shown.length === 0 ? state : { ...state, classes: shown };
}

/** Shows only one class, or all classes again if this is already the only visible class. */
export function withClassAlone(state: State, one: ClickClass): State {
  const isAlone = state.classes.length === 1 && state.classes[0] === one;
  return { ...state, classes: isAlone ? classes : [one] };
}
