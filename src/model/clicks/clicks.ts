import { msPerHour } from '../timestamps.ts';
import type { ClickRecords } from './click-records.ts';

/**
 * Clicks to add exactly once: storage adds them only if the journal's offset is `from`, and sets the offset to `to`.
 */
export interface ClickBatch {
  readonly journal: string;
  readonly from: number;
  readonly to: number;
  readonly sums: ClickSums;
  /** The individual clicks that the sums count, stored until they are folded. */
  readonly records?: readonly ClickRecords[];
}

/** Kinds of visitors. The field `clicks` counts clicks of every class (CONTRACT §6). */
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
 * Click counts by link, hour and class, as a flat array with four numbers per count (link row, hour, class index,
 * count). A flat array is cheap to transfer between threads.
 */
export type ClickSums = Float64Array<ArrayBuffer>;
export const numbersPerSum = 4;

/** Counts clicks that have not been applied to storage yet. */
export interface UnappliedClicks {
  /**
   * Returns how many clicks on a link are missing from a count that was read from storage.
   * @param row the link's row in storage
   * @param appliedTo journal offset; the count includes all clicks before it
   */
  of(row: number, appliedTo: number): number;
}
