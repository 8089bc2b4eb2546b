import { msPerHour } from '../timestamps.ts';
import type { ClickRecords } from './click-records.ts';

/** Clicks to add, exactly once: only when the journal's offset is still `from` does it become `to`. */
export interface ClickBatch {
  readonly journal: string;
  readonly from: number;
  readonly to: number;
  readonly sums: ClickSums;
  /** The individual clicks of the sums, stored until they are folded. */
  readonly records?: readonly ClickRecords[];
}

/** What kind of visitor followed a link. Every class counts in `clicks` (CONTRACT §6); none is dropped. */
export const clickClasses = ['human', 'bot', 'preview', 'prefetch'] as const;
export type ClickClass = (typeof clickClasses)[number];

/** Index of a class in `clickClasses`. */
export const indexOfClass: Readonly<Record<ClickClass, number>> = {
  human: clickClasses.indexOf('human'),
  bot: clickClasses.indexOf('bot'),
  preview: clickClasses.indexOf('preview'),
  prefetch: clickClasses.indexOf('prefetch'),
};

/** The hour since the epoch in which a click falls. */
export function hourOf(at: number): number {
  return Math.floor(at / msPerHour);
}

/**
 * Clicks summed by link, hour and class: four numbers per sum (link row, hour, class index, count) in one flat array, which
 * crosses threads without a copy.
 */
export type ClickSums = Float64Array<ArrayBuffer>;
export const numbersPerSum = 4;

/** Returns a link's clicks that are counted but not yet included in storage's result. */
export interface UnappliedClicks {
  /**
   * @param row the link's row, as storage names it
   * @param appliedTo the journal's offset up to which storage's answer includes its clicks
   */
  of(row: number, appliedTo: number): number;
}
