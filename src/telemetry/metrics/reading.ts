import type { Histogram } from '../../runtime/histogram.ts';
import { type Family, families, type Row } from './families.ts';
import type { Figures } from './figures.ts';

/** A histogram as it was at one moment. */
export interface Ranges {
  /** As in {@link Histogram}. */
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly sum: number;
}

type Value = number | Ranges;

/** What every family showed at one moment, by its name: plain data, which can travel between processes. */
export type Reading = Readonly<Record<string, readonly Row<Value>[]>>;

export function readingOf(figures: Figures): Reading {
  return Object.fromEntries(families.map((family) => [family.name, rowsOf(family, figures)]));
}

function rowsOf(family: Family, figures: Figures): readonly Row<Value>[] {
  return family.type === 'histogram'
    ? family.rows(figures).map(({ labels, value }) => ({ labels, value: rangesOf(value) }))
    : family.rows(figures);
}

function rangesOf({ bounds, counts, sum }: Histogram): Ranges {
  return {
    bounds,
    counts: [...counts],
    sum: sum(),
  };
}

/**
 * One reading for several processes: counts and histograms are added up, gauges as their family says. Families and
 * ranges that this version does not know, as those of a newer process, are left out.
 */
export function addUp(readings: readonly Reading[]): Reading {
  return Object.fromEntries(
    families.map((family) => {
      const rows = new Map<string, Row<Value>>();
      for (const row of readings.flatMap((reading) => reading[family.name] ?? [])) {
        const key = JSON.stringify(row.labels);
        const before = rows.get(key);
        rows.set(key, before === undefined ? row : { ...row, value: merge(family, before.value, row.value) });
      }
      return [family.name, [...rows.values()]];
    }),
  );
}

function merge(family: Family, one: Value, other: Value): Value {
  if (typeof one !== 'number' || typeof other !== 'number') return bothRanges(one, other);
  if (family.type === 'gauge' && family.across === 'least') return Math.min(one, other);
  if (family.type === 'gauge' && family.across === 'most') return Math.max(one, other);
  return one + other;
}

function bothRanges(one: Value, other: Value): Value {
  if (typeof one === 'number' || typeof other === 'number' || one.counts.length !== other.counts.length)
    return one;
  const counts = one.counts.map((count, range) => count + (other.counts[range] ?? 0));
  return { bounds: one.bounds, counts, sum: one.sum + other.sum };
}

/** What a process has counted, which stays true when it is gone; its gauges do not. */
export function countsOf(reading: Reading): Reading {
  return Object.fromEntries(
    families.filter(({ type }) => type !== 'gauge').map(({ name }) => [name, reading[name] ?? []]),
  );
}
