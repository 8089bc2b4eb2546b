import { dayOf } from '../model/clicks/click-days.ts';
import type { Click } from './columns/columns.fixtures.ts';
import { noVisitor } from './columns/day-clicks.ts';
import { type CombinedDimension, combinedDimensions } from './columns/dimensions.ts';
import type { Dimension, Filter, Names } from './query.ts';
import type { Interval } from './questions/buckets.ts';

/** A click in the reference implementation, which stores every click and counts with maps. */
export interface StoredClick extends Readonly<Record<'texts', readonly string[]>> {
  readonly click: Click;
  /** Visitors are identified only within a scope and day. */
  readonly scope: number;
}

export interface Question {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly interval: Interval;
  readonly filters: readonly Filter[];
  readonly groupBy: Dimension;
}

export interface Sums {
  clicks: number;
  visitors: number;
  readonly classes: number[];
}

export function textOf(dimension: Dimension, { click, texts }: StoredClick, names: Names): string {
  switch (dimension) {
    case 'link':
      return String(click.link);
    case 'folder':
      return names.folderOf(click.link);
    case 'region':
      return texts[click.region] ?? '';
    case 'referrer':
      return texts[click.referrer] ?? '';
    case 'referrerKind':
      return names.referrerKind(texts[click.referrer] ?? '');
    default:
      return isCombined(dimension)
        ? (texts[click[dimension]] ?? '')
        : names.codeName(dimension, click[dimension]);
  }
}

function isCombined(dimension: string): dimension is CombinedDimension {
  return (combinedDimensions as readonly string[]).includes(dimension);
}

function passes(filter: Filter, click: StoredClick, names: Names): boolean {
  if (filter.dimension === 'link') return filter.links.has(click.click.link) === (filter.operator === 'is');
  const text = textOf(filter.dimension, click, names);
  if (filter.operator === 'contains')
    return filter.values.some((value) => text.toLowerCase().includes(value.toLowerCase()));
  return filter.values.includes(text) === (filter.operator === 'is');
}

/** Returns the name of the bucket that contains a time, according to the time zone's calendar. */
export function labelOf(at: number, zone: string, interval: Interval): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const date = local.toPlainDate();
  if (interval === 'minute') return `${date} ${local.hour}:${local.minute} ${local.offset}`;
  if (interval === 'hour') return `${date} ${local.hour} ${local.offset}`;
  if (interval === 'day') return date.toString();
  if (interval === 'week') return `${date.yearOfWeek}-W${date.weekOfYear}`;
  return date.toPlainYearMonth().toString();
}

/** Returns the reference result for a query. @param clicks in the order in which they were counted */
export function answerPlainly(
  clicks: readonly StoredClick[],
  question: Question,
  names: Names,
): { readonly series: Map<string, Sums>; readonly values: Map<string, Sums> } {
  const secondOf = ({ click }: StoredClick): number => Math.floor(click.at / 1_000);
  const selected = clicks
    .filter((one) => secondOf(one) * 1_000 >= question.from && secondOf(one) * 1_000 < question.to)
    .filter((one) => question.filters.every((filter) => passes(filter, one, names)))
    .sort((a, b) => secondOf(a) - secondOf(b));
  const series = new Map<string, Sums>();
  const values = new Map<string, Sums>();
  const seen = new Set<string>();
  for (const one of selected) {
    const visitor = `${dayOf(one.click.at)} ${one.scope} ${one.click.visitor}`;
    const label = labelOf(secondOf(one) * 1_000, question.zone, question.interval);
    for (const [sums, key] of [
      [series, label],
      [values, textOf(question.groupBy, one, names)],
    ] as const) {
      const of = sums.get(key) ?? { clicks: 0, visitors: 0, classes: [0, 0, 0, 0] };
      sums.set(key, of);
      of.clicks += 1;
      of.visitors += one.click.visitor === noVisitor || seen.has(visitor) ? 0 : 1;
      of.classes[one.click.class] = (of.classes[one.click.class] ?? 0) + 1;
    }
    seen.add(visitor);
  }
  return { series, values };
}
