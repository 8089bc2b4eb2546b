import type { Histogram } from '../../runtime/histogram.ts';
import type { MetricsSnapshot } from './snapshot.ts';

/**
 * Value for one combination of labels. Label values come from fixed lists or from the settings. They never contain a
 * code, an id, an account, an address, or anything else that a client chooses.
 */
export interface Row<Value> {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: Value;
}

interface Described {
  readonly name: string;
  readonly help: string;
}

/** A metric: its name, its description, and the function that reads it from a snapshot. */
export type Family =
  | (Described & { readonly type: 'counter'; rows(snapshot: MetricsSnapshot): readonly Row<number>[] })
  | (Described & {
      readonly type: 'gauge';
      /** How values from several workers are combined: minimum or maximum. The default is the sum. */
      readonly across?: 'min' | 'max';
      rows(snapshot: MetricsSnapshot): readonly Row<number>[];
    })
  | (Described & { readonly type: 'histogram'; rows(snapshot: MetricsSnapshot): readonly Row<Histogram>[] });

export function one<Value>(value: Value): readonly Row<Value>[] {
  return [{ labels: {}, value }];
}

/** Returns a row for each entry, with the entry's key as the label. */
export function by<Value>(label: string, entries: Iterable<readonly [string, Value]>): readonly Row<Value>[] {
  return [...entries].map(([key, value]) => ({ labels: { [label]: key }, value }));
}
