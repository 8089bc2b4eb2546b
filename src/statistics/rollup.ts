import { msPerDay, quartersPerDay, secondsPerQuarter } from './columns/dimensions.ts';
import type { Segment } from './columns/segment.ts';
import { packLinkSums } from './link-sums.ts';
import type { Answer, Filter, Names, Query } from './query.ts';
import {
  humanCode,
  packRollup,
  type RolledUpClicks,
  type RolledUpDimension,
  rolledUpClicks,
  rolledUpDimensions,
} from './rollup-file.ts';
import { createStatistics } from './statistics.ts';

/** Values kept of each dimension but links, of which all are kept; few days have more. */
const maxRolledUpValues = 10_000;
/** A day of fewer clicks is read as fast from its segments, and takes less room without a roll-up. */
export const leastClicksOfRollup = 1_000;

const codesAsNames: Names = {
  codeName: (_, code) => String(code),
  referrerKind: () => '',
  folderOf: () => '',
};
const quarters = Float64Array.from({ length: quartersPerDay }, (_, at) => at * secondsPerQuarter * 1_000);
const filtersOf: Readonly<Record<RolledUpClicks, readonly Filter[]>> = {
  all: [],
  human: [{ dimension: 'class', operator: 'is', values: [String(humanCode)] }],
};

export interface RolledUpDay {
  /** For `openRollup`. */
  readonly sums: Uint8Array<ArrayBuffer>;
  /** For `openLinkSums`. */
  readonly linkSums: Uint8Array<ArrayBuffer>;
}

/**
 * Sums a day up by asking its segments, so that both say the same.
 * @param segments all of the day
 * @param maxValues of each dimension; those beyond are one sum
 */
export function rollUpDay(segments: readonly Segment[], maxValues = maxRolledUpValues): RolledUpDay {
  const ask = (of: RolledUpClicks, groupBy: RolledUpDimension): Answer => {
    const query: Query = { from: 0, to: msPerDay, buckets: quarters, filters: filtersOf[of], groupBy };
    const statistics = createStatistics(query, codesAsNames);
    statistics.addDay(0, segments);
    return statistics.answer();
  };
  const answers = rolledUpClicks.map((of) => rolledUpDimensions.map((dimension) => ask(of, dimension)));
  const [all, human] = answers.map((of) => of[rolledUpDimensions.indexOf('link')]) as [Answer, Answer];
  const links = all.breakdown(Number.POSITIVE_INFINITY).values;
  return {
    sums: packRollup(answers, maxValues),
    linkSums: packLinkSums(
      links.map(({ value, ...counts }) => ({
        row: Number(value),
        all: counts,
        human: human.countsOf(value),
      })),
    ),
  };
}
