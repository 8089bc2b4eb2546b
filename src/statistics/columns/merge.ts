import { allocateDayClicks, type DayClicks, noVisitor } from './day-clicks.ts';
import { combinedDimensions, profileDimensions, rowDimensions, secondsPerQuarter } from './dimensions.ts';
import type { Segment } from './segment.ts';
import { countingSort } from './sort.ts';
import { numberVisitors } from './visitors.ts';

/**
 * Merges the clicks in one day's segments, with each visitor's clicks in chronological order. In segments with hashes,
 * equal hashes become one visitor. Visitors in a segment without hashes are counted separately, because they cannot be
 * matched with visitors in other segments.
 * @param segments in the order in which they were written; for clicks in the same second, earlier segments come first
 * @param keepsHashes false to replace `visitor` with a sequence number, which does not identify the visitor
 * @throws RangeError if `keepsHashes` is true and a segment has no hashes
 */
export function joinSegments(segments: readonly Segment[], keepsHashes: boolean): DayClicks {
  if (keepsHashes && segments.some(({ hashes }) => hashes === undefined)) {
    throw new RangeError('Cannot merge a sealed segment, because it has no visitor hashes.');
  }
  const words = [''];
  const numbers = new Map([['', 0]]);
  const indexOf = (word: string): number => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    numbers.set(word, words.length);
    return words.push(word) - 1;
  };
  const length = segments.reduce((sum, { rows }) => sum + rows, 0);
  const all = allocateDayClicks(length, words);
  const { visitorOf } = numberVisitors(segments);
  let from = 0;
  for (const [at, segment] of segments.entries()) {
    const order = orderByRank(segment);
    const ids = keepsHashes ? segment.hashes?.() : idsFrom(segment, visitorOf[at] ?? new Uint32Array());
    copySegment(segment, order, all, from, ids ?? new Uint32Array(), indexOf);
    from += segment.rows;
  }
  return all;
}

/** Returns visitor numbers by run. Numbers start at 1, because 0 is `noVisitor`. */
function idsFrom(segment: Segment, visitorOf: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const ids = visitorOf.map((visitor) => visitor + 1);
  const { runs, isLastUnknown } = segment.profiles();
  let run = 0;
  for (let profile = 0; profile < runs.length; profile += 1) {
    run += runs[profile] as number;
    if (isLastUnknown[profile] === 1) ids[run - 1] = noVisitor;
  }
  return ids;
}

/** Returns the rows of a segment (numbered across blocks), ordered so that each visitor's earlier clicks come first. */
function orderByRank(segment: Segment): Uint32Array<ArrayBuffer> {
  const rank = new Uint32Array(segment.rows);
  const spans = segment.spans();
  const ranks = spans.ranks();
  let from = 0;
  let span = 0;
  for (const block of segment.blocks) {
    const { run, firstRow } = block.visits();
    for (let row = 0; row < block.rows; row += 1) {
      const ofRun = run[row] as number;
      const inRun = row - (firstRow[ofRun] as number);
      while ((spans.run[span] ?? Number.POSITIVE_INFINITY) < block.firstRun + ofRun) span += 1;
      const isSpanning = spans.run[span] === block.firstRun + ofRun;
      rank[from + row] = isSpanning ? (ranks[(spans.ranksFrom[span] as number) + inRun] as number) : inRun;
    }
    from += block.rows;
  }
  let most = 0;
  for (const one of rank) most = Math.max(most, one);
  return countingSort(
    rank.map((_, row) => row),
    rank,
    most + 1,
  );
}

function copySegment(
  segment: Segment,
  order: Uint32Array<ArrayBuffer>,
  to: DayClicks,
  from: number,
  visitorIds: ArrayLike<number>,
  indexOf: (word: string) => number,
): void {
  const placeOfRow = new Uint32Array(order.length);
  for (const [place, row] of order.entries()) placeOfRow[row] = from + place;
  const regions = segment.regions().map(indexOf);
  const referrers = segment.referrers().map(indexOf);
  const { words, combinations } = segment.combined();
  const combinedWords = words.map(indexOf);
  const profiles = segment.profiles();
  let row = 0;
  for (const block of segment.blocks) {
    const { quarter, run } = block.visits();
    const [second, link, referrer, combined] = [
      block.secondInQuarter(),
      block.link(),
      block.referrer(),
      block.combined(),
    ];
    const links = block.links();
    let profile = block.firstProfile - 1;
    let profileEnd = 0;
    for (let inBlock = 0; inBlock < block.rows; inBlock += 1) {
      while (inBlock >= profileEnd) {
        profile += 1;
        profileEnd += profiles.rows[profile] as number;
      }
      const place = placeOfRow[row + inBlock] as number;
      to.link[place] = links[link[inBlock] as number] as number;
      to.second[place] = (quarter[inBlock] as number) * secondsPerQuarter + (second[inBlock] as number);
      to.visitor[place] = visitorIds[block.firstRun + (run[inBlock] as number)] as number;
      to.referrer[place] = referrers[referrer[inBlock] as number] as number;
      for (const dimension of profileDimensions) {
        const code = profiles.codes[dimension][profile] as number;
        if (dimension === 'region') to.region[place] = regions[code] as number;
        else to.codes[dimension][place] = code;
      }
      for (const dimension of rowDimensions)
        to.codes[dimension][place] = block.codes[dimension]()[inBlock] as number;
      for (const [field, places] of combinations.entries()) {
        const column = to.combined[combinedDimensions[field] ?? 'utmSource'];
        column[place] = combinedWords[places[combined[inBlock] as number] as number] as number;
      }
    }
    row += block.rows;
  }
}
