/**
 * Layout of a segment. A segment stores the clicks of one account and UTC day as a header and one file per block, so
 * that a query for one link reads only the link's block.
 *
 * Rows are clicks, sorted by block, profile, visitor and time. A block is a range of links. A **profile** is a
 * combination of values of `profileDimensions`. A **run** consists of the rows of one visitor with one profile in one
 * block. Most visitors have one run. Visitors with several runs are **spanning** visitors: a separate section stores
 * which runs belong to the same visitor and the order of the visitor's clicks, because each visitor is counted only
 * once, at the first click. Clicks without a visitor hash form the last run of their profile and do not add to the
 * number of visitors.
 */
export const section = {
  /**
   * Varints: 1 if hashes are included, and the number of blocks; then for each block the numbers of rows, runs,
   * profiles and links, and the lowest and highest link.
   */
  blocks: 0,
  /**
   * Lists over the profiles of all blocks: each profile dimension, number of clicks, number of runs, and 1 if the last
   * run contains the clicks without a visitor hash. Then lists over the runs of spanning visitors: distance from the
   * previous run, visitor, rank of the first click, and number of clicks. All queries need both groups of lists.
   */
  profiles: 1,
  /**
   * A list for the runs of spanning visitors. For each click after the first in its run, it contains the click's rank
   * among the visitor's clicks, as the difference from the previous click's rank.
   */
  laterRanks: 2,
  /** Strings, one per line, most frequent first. */
  referrers: 3,
  /**
   * One list per dimension in `combinedDimensions`, with a word number for each combination of campaign and rule words,
   * most frequent combination first. Then the words, one per line. Lists for dimensions that were added later may be
   * missing.
   */
  combined: 4,
  /** Strings, one per line, most frequent first. */
  regions: 5,
  /** The visitor hash of each run, as four byte planes. Empty in a sealed segment. */
  hashes: 6,
} as const;

/** Sections of a block's file. */
export const blockSection = {
  /** List of link rows in the order of the links' numbers, as zigzag-encoded differences. */
  links: 0,
  /**
   * One byte per row. In the first row of a run: quarters of an hour since the first row of the previous run, modulo
   * 96, or since the start of the day if the row is the first of a profile. In all other rows: quarters since the
   * previous row, plus 128.
   */
  visits: 1,
  /** `link`, `referrer` and `combined` have two byte planes each. */
  link: 2,
  referrer: 3,
  combined: 4,
  /**
   * Seconds within the quarter of an hour: for each row, a byte with seconds / 4; then the remainders, four per byte.
   */
  seconds: 5,
  /** Section of the first dimension in `rowDimensions`. The sections of the other dimensions follow. */
  codes: 6,
} as const;

/** Flag in `visits`: the row belongs to the same run as the previous row. */
export const sameRun = 128;
