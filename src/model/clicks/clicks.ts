import { msPerHour } from '../timestamps.ts';
import type { ClickRecords } from './click-records.ts';

/** Clicks to add exactly once: they are added only if the journal's offset is still `from`, which then becomes `to`. */
export interface ClickBatch {
  readonly journal: string;
  readonly from: number;
  readonly to: number;
  readonly sums: ClickSums;
  /** The individual clicks of the sums, stored until they are folded. */
  readonly records?: readonly ClickRecords[];
}

/** Kinds of visitors. `clicks` includes the clicks of every class (CONTRACT §6); none is dropped. */
export const clickClasses = ['human', 'bot', 'preview', 'prefetch'] as const;
export type ClickClass = (typeof clickClasses)[number];

/** Index of a class in `clickClasses`. */
export const indexOfClass: Readonly<Record<ClickClass, number>> = {
  human: clickClasses.indexOf('human'),
  bot: clickClasses.indexOf('bot'),
  preview: clickClasses.indexOf('preview'),
  prefetch: clickClasses.indexOf('prefetch'),
};

/** Returns the hour of a time, in hours since the epoch. */
export function hourOf(at: number): number {
  return Math.floor(at / msPerHour);
}

/**
 * Clicks summed by link, hour and class. A flat array with four numbers per sum (link row, hour, class index, count),
 * which is cheap to transfer between threads.
 */
export type ClickSums = Float64Array<ArrayBuffer>;
export const numbersPerSum = 4;

/** Counts clicks that are not yet applied to storage. */
export interface UnappliedClicks {
  /**
   * Returns the number of a link's clicks that a count read from storage does not include yet.
   * @param row the link's row in storage
   * @param appliedTo journal offset up to which that count includes clicks
   */
  of(row: number, appliedTo: number): number;
}
