import { dimensions } from '../../clicks/dimensions/dimensions.ts';
import { kindOf } from '../../clicks/dimensions/referrers.ts';
import { dayOf } from '../../model/clicks/click-days.ts';
import type { AppliedClick } from '../../model/clicks/click-records.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { type ClicksPage, type ClicksQuestion, clickFields } from '../../model/clicks/raw-clicks.ts';
import type {
  StatisticsAnswer,
  StatisticsCounts,
  StatisticsDimension,
  StatisticsFilter,
  StatisticsQuestion,
  StatisticsRange,
  StatisticsSeries,
} from '../../model/clicks/statistics.ts';

export interface StoredLink {
  readonly id: string;
  readonly code: string;
  readonly row: number;
  readonly folder: { readonly id: string; readonly name: string } | undefined;
}

/** A click, and the scope in which its visitor is distinguished from other visitors of the same day. */
export interface StoredClick {
  readonly click: AppliedClick;
  readonly link: StoredLink;
  scope: number;
}

function textOf(dimension: StatisticsDimension, { click, link }: StoredClick): string {
  if (dimension === 'link') return link.id;
  if (dimension === 'folder') return link.folder?.id ?? '';
  if (dimension === 'referrerKind') return click.referrer === '' ? '' : kindOf(click.referrer);
  const value = click[dimension];
  if (typeof value === 'string') return value;
  const found = dimensions.find(({ name }) => name === dimension);
  return found?.kind === 'number' ? found.decode(value) : '';
}

function passes({ dimension, operator, values }: StatisticsFilter, click: StoredClick): boolean {
  const text = textOf(dimension, click);
  if (operator === 'contains')
    return values.some((value) => text.toLowerCase().includes(value.toLowerCase()));
  return values.includes(text) === (operator === 'is');
}

function isOf({ kind, ...subject }: StatisticsQuestion['subject'], { link }: StoredClick): boolean {
  const id = 'id' in subject ? subject.id : '';
  return kind === 'account' || (kind === 'link' ? link.id === id : link.folder?.id === id);
}

type Sums = { -readonly [Key in keyof StatisticsCounts]: number };

function nothing(): Sums {
  return { clicks: 0, visitors: 0, human: 0, bot: 0, preview: 0, prefetch: 0 };
}

interface Plain extends StatisticsSeries {
  readonly values: ReadonlyMap<string, Sums>;
}

function sumPlainly(
  clicks: readonly StoredClick[],
  question: StatisticsQuestion,
  range: StatisticsRange,
): Plain {
  const momentOf = ({ click }: StoredClick): number => Math.floor(click.at / 1_000) * 1_000;
  const selected = clicks
    .filter((one) => momentOf(one) >= range.from && momentOf(one) < range.to)
    .filter((one) => isOf(question.subject, one))
    .filter((one) => question.filters.every((filter) => passes(filter, one)))
    .sort((a, b) => momentOf(a) - momentOf(b));
  const totals = nothing();
  const series = Array.from(range.buckets, nothing);
  const values = new Map<string, Sums>();
  const seen = new Set<string>();
  for (const one of selected) {
    const visitor = `${dayOf(one.click.at)} ${one.scope} ${one.click.visitor}`;
    const value = question.groupBy === undefined ? '' : textOf(question.groupBy, one);
    const ofValue = values.get(value) ?? nothing();
    values.set(value, ofValue);
    const bucket = range.buckets.findLastIndex((start) => start <= momentOf(one));
    for (const sums of [totals, series[bucket] ?? nothing(), ofValue]) {
      sums.clicks += 1;
      sums[clickClasses[one.click.class] ?? 'human'] += 1;
      if (one.click.visitor !== 0 && !seen.has(visitor)) sums.visitors += 1;
    }
    seen.add(visitor);
  }
  return { totals, series, values };
}

/** Computes the expected result of a query, from clicks in the order in which they were applied. */
export function answerPlainly(
  clicks: readonly StoredClick[],
  question: StatisticsQuestion,
): Omit<StatisticsAnswer, 'visitorsExact'> {
  const { totals, series, values } = sumPlainly(clicks, question, question.range);
  const before = question.compare && sumPlainly(clicks, question, question.compare);
  const links = new Map(clicks.map(({ link }) => [link.id, link]));
  const labelOf = (value: string): string | undefined => {
    if (question.groupBy === 'link') return links.get(value)?.code;
    if (question.groupBy !== 'folder' || value === '') return undefined;
    return clicks.find(({ link }) => link.folder?.id === value)?.link.folder?.name;
  };
  // Links with equal counts are ordered by their row number, compared as a string.
  const orderOf = (value: string): string =>
    question.groupBy === 'link' ? String(links.get(value)?.row) : value;
  const ranked = [...values]
    .map(([value, sums]) => ({ value, ...sums }))
    .sort((a, b) => b.clicks - a.clicks || (orderOf(a.value) < orderOf(b.value) ? -1 : 1));
  const shown = ranked[question.limit - 1];
  const last =
    ranked.length > question.limit && shown !== undefined
      ? { clicks: shown.clicks, value: orderOf(shown.value) }
      : undefined;
  const some = ranked.slice(0, question.limit).map(({ value, clicks: count, visitors }) => {
    const label = labelOf(value);
    const of = before?.values.get(value) ?? nothing();
    return {
      value,
      clicks: count,
      visitors,
      ...(label !== undefined && { label }),
      ...(before !== undefined && { before: { clicks: of.clicks, visitors: of.visitors } }),
    };
  });
  const other = {
    clicks: some.reduce((rest, value) => rest - value.clicks, totals.clicks),
    visitors: some.reduce((rest, value) => rest - value.visitors, totals.visitors),
  };
  return {
    totals,
    series,
    ...(question.groupBy !== undefined && {
      breakdown: { values: some, other, ...(last !== undefined && { next: last }) },
    }),
    ...(before !== undefined && { compare: { totals: before.totals, series: before.series } }),
  };
}

/** Returns one line per click of the given pages, in order. */
export function linesOf(pages: readonly ClicksPage[]): readonly string[] {
  return pages.flatMap(({ times, links, linkOf, valueIndexes, values }) =>
    Array.from(times, (at, click) => {
      const { id, code, folder } = links[linkOf[click] ?? -1] ?? {};
      const fields = clickFields.map((name) => values[valueIndexes[name][click] ?? -1]);
      return JSON.stringify([at, id, code, folder, ...fields]);
    }),
  );
}

/** Returns the expected lines for a query (see {@link linesOf}), in any order. */
export function listPlainly(clicks: readonly StoredClick[], question: ClicksQuestion): readonly string[] {
  return clicks
    .map((one) => ({ one, at: Math.floor(one.click.at / 1_000) * 1_000 }))
    .filter(({ at }) => at >= question.from && at < question.to)
    .filter(({ one }) => isOf(question.subject, one))
    .filter(({ one }) => question.filters.every((filter) => passes(filter, one)))
    .map(({ one, at }) => {
      const { id, code, folder } = one.link;
      return JSON.stringify([at, id, code, folder?.id ?? '', ...clickFields.map((key) => textOf(key, one))]);
    });
}
