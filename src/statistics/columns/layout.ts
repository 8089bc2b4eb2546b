/**
 * What stands where in a segment, the clicks of one account and one UTC day: a head, and a file for each block, so that a
 * question about one link reads its block alone.
 *
 * Rows are clicks, sorted by block, profile, visitor, time. A block is a range of links. A **profile** is what
 * `profileDimensions` say; a **run** is the rows of one visitor with one profile in one block. Most visitors have one run; the
 * others are **spanning**, and a section of its own says which runs are one visitor's and in which order its clicks came, because
 * a visitor counts once, where its first click is. Clicks of visitors that are not distinguished are the last run of their
 * profile and count no visitor.
 */
export const section = {
  /** Varints: 1 when hashes are kept, number of blocks; of each: rows, runs, profiles, links, least and largest link. */
  blocks: 0,
  /**
   * Lists, over all blocks: each profile dimension, clicks, runs, whether the last run is of visitors not distinguished. Then
   * those of the runs of spanning visitors: distance from the one before, visitors, ranks of first clicks, number of clicks. All
   * questions need both.
   */
  profiles: 1,
  /** A list: by how much each further click of these runs is later in its visitor's clicks. */
  laterRanks: 2,
  /** Texts, a line each, those of most clicks first. */
  referrers: 3,
  /**
   * Lists: the words of each combination of words of campaigns and rules, those of most clicks first, a list for each of
   * `combinedDimensions`; then the words, a line each. Lists of dimensions that came later may be missing.
   */
  combined: 4,
  /** Texts, a line each, those of most clicks first. */
  regions: 5,
  /** Four planes of visitors' hashes by run; empty in a sealed segment. */
  hashes: 6,
} as const;

/** Sections of a block's file. */
export const blockSection = {
  /** Lists of links in the order of their numbers: distances, signs folded in. */
  links: 0,
  /**
   * A byte for each row: quarters of an hour since the first row of the run before, modulo 96 and from 0 in the first row
   * of a profile; when the row is of the same run as the one above it, since that row, and 128 more.
   */
  visits: 1,
  /** Two planes each. */
  link: 2,
  referrer: 3,
  combined: 4,
  /** Seconds in the quarter: a quarter of each, then the rests, four to a byte. */
  seconds: 5,
  /** The first of `rowDimensions`; further ones follow. */
  codes: 6,
} as const;

/** Set in `visits` when the row belongs to the run of the row above it. */
export const sameRun = 128;
