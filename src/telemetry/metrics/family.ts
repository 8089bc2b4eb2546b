import type { Histogram } from '../../runtime/histogram.ts';
import type { MetricsSnapshot } from './figures.ts';

/**
 * The value of one combination of labels. Labels come from closed lists, or from the settings: never a code, an id, an account, an
 * address, or anything else that a client chooses.
 */
export interface Row<Value> {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: Value;
}

interface Described {
  readonly name: string;
  readonly help: string;
}

/** One metric: its name, what it means, and how it is read from the figures. */
export type Family =
  | (Described & { readonly type: 'counter'; rows(figures: MetricsSnapshot): readonly Row<number>[] })
  | (Described & {
      readonly type: 'gauge';
      /** How the values of several workers become one: minimum or maximum; otherwise the sum. */
      readonly across?: 'min' | 'max';
      rows(figures: MetricsSnapshot): readonly Row<number>[];
    })
  | (Described & { readonly type: 'histogram'; rows(figures: MetricsSnapshot): readonly Row<Histogram>[] });

export function one<Value>(value: Value): readonly Row<Value>[] {
  return [{ labels: {}, value }];
}

/** A row for each entry, its key in the label. */
export function by<Value>(label: string, entries: Iterable<readonly [string, Value]>): readonly Row<Value>[] {
  return [...entries].map(([key, value]) => ({ labels: { [label]: key }, value }));
}
