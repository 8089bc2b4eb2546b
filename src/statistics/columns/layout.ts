/**
 * Layout of a segment: the clicks of one account and UTC day, as a header and a file per block, so that a query for one
 * link reads only its block.
 *
 * Rows are clicks, sorted by block, profile, visitor and time. A block is a range of links. A **profile** is a
 * combination of values of `profileDimensions`. A **run** is the rows of one visitor with one profile in one block.
 * Most visitors have one run. The others are **spanning** visitors: a separate section stores which runs belong to the
 * same visitor and the order of its clicks, because each visitor is counted only once, at the first click. Clicks
 * without a visitor hash form the last run of their profile and do not add to the number of visitors.
 */
export const section = {
  /**
   * Varints: 1 if hashes are included, number of blocks; for each block: rows, runs, profiles, links, lowest and
   * highest link.
   */
  blocks: 0,
  /**
   * Lists over all blocks: each profile dimension, clicks, runs, 1 if the last run contains the clicks without a
   * visitor hash. Then lists for the runs of spanning visitors: distance from the previous one, visitor, rank of the
   * first click, number of clicks. All queries need both.
   */
  profiles: 1,
  /**
   * A list: for each further click of the spanning visitors' runs, the increase of its rank among its visitor's clicks.
   */
  laterRanks: 2,
  /** Strings, one per line, most frequent first. */
  referrers: 3,
  /**
   * Lists: for each of `combinedDimensions`, the words of each combination of campaign and rule words, most frequent
   * combination first; then the words, one per line. Lists of dimensions that were added later may be missing.
   */
  combined: 4,
  /** Strings, one per line, most frequent first. */
  regions: 5,
  /** Four byte planes of visitor hashes by run; empty in a sealed segment. */
  hashes: 6,
} as const;

/** Sections of a block's file. */
export const blockSection = {
  /** List of link rows in the order of their numbers: differences, zigzag-encoded. */
  links: 0,
  /**
   * A byte per row. For the first row of a run: quarters of an hour since the first row of the previous run, modulo
   * 96, or since the start of the day in the first row of a profile. For other rows: quarters since the previous row,
   * plus 128.
   */
  visits: 1,
  /** Two byte planes each. */
  link: 2,
  referrer: 3,
  combined: 4,
  /** Seconds within the quarter: a byte with seconds / 4 per row, then the remainders, four per byte. */
  seconds: 5,
  /** The first dimension of `rowDimensions`; the sections of the others follow. */
  codes: 6,
} as const;

/** Flag in `visits`: the row belongs to the same run as the previous row. */
export const sameRun = 128;
