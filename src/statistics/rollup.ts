import { msPerDay, quartersPerDay, secondsPerQuarter } from './columns/dimensions.ts';
import type { Segment } from './columns/segment.ts';
import type { Filter, Names, Query } from './query.ts';
import { humanCode, packRollup, rolledUpClicks, rolledUpDimensions } from './rollup-file.ts';
import { createStatistics } from './statistics.ts';

/** Values kept of each dimension; few days have more. */
const maxRolledUpValues = 2_000;
/** A day of fewer clicks is read as fast from its segments, and takes less room without a roll-up. */
export const leastClicksOfRollup = 1_000;

const codesAsNames: Names = {
  codeName: (_, code) => String(code),
  referrerKind: () => '',
  folderOf: () => '',
};
const quarters = Float64Array.from({ length: quartersPerDay }, (_, at) => at * secondsPerQuarter * 1_000);
const filtersOf: Readonly<Record<(typeof rolledUpClicks)[number], readonly Filter[]>> = {
  all: [],
  human: [{ dimension: 'class', operator: 'is', values: [String(humanCode)] }],
};

/**
 * Sums a day up by asking its segments, so that both say the same.
 * @param segments all of the day
 * @param maxValues of each dimension; those beyond are one sum
 */
export function rollUpDay(
  segments: readonly Segment[],
  maxValues = maxRolledUpValues,
): Uint8Array<ArrayBuffer> {
  const answers = rolledUpClicks.map((of) =>
    rolledUpDimensions.map((groupBy) => {
      const query: Query = { from: 0, to: msPerDay, buckets: quarters, filters: filtersOf[of], groupBy };
      const statistics = createStatistics(query, codesAsNames);
      statistics.addDay(0, segments);
      return statistics.answer();
    }),
  );
  return packRollup(answers, maxValues);
}
