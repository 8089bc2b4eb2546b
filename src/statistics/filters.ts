import type { Block, Segment } from './columns/segment.ts';
import type { Filter, Names } from './query.ts';
import { type Reading, readingOf } from './reading.ts';

/** A filter of a running query. Caches whether each value matches. */
export interface RunningFilter {
  /** Returns false if no click of the block can match. */
  readonly mayPass: (block: Block) => boolean;
  readonly reading: (segment: Segment, block: Block) => Reading;
  /** By number of the reading: 1 if it matches, 0 if not, 2 if not checked yet. */
  readonly known: (reading: Reading, block: Block) => Uint8Array<ArrayBuffer>;
  readonly passes: (reading: Reading, number: number) => boolean;
}

export const unknown = 2;
/** With more links than this, checking whether a block contains one does not pay. */
const maxLinksToCheck = 100;

export function createFilter(filter: Filter, names: Names): RunningFilter {
  return filter.dimension === 'link' ? createLinkFilter(filter, names) : createTextFilter(filter, names);
}

function createLinkFilter(filter: Extract<Filter, { dimension: 'link' }>, names: Names): RunningFilter {
  const { links } = filter;
  const wanted = filter.operator === 'is' ? 1 : 0;
  const few = links.size <= maxLinksToCheck ? [...links] : undefined;
  return {
    mayPass(block) {
      if (wanted === 0 || few === undefined) return true;
      const inRange = few.filter((link) => block.leastLink <= link && link <= block.largestLink);
      return inRange.some((link) => block.links().includes(link));
    },
    reading: (segment, block) => readingOf('link', segment, block, names),
    // Link numbers are specific to a block, and there may be many; all are checked at once, without converting them
    // to strings.
    known(_, block) {
      const rows = block.links();
      const known = new Uint8Array(rows.length).fill(1 - wanted);
      if (few === undefined) {
        for (let number = 0; number < rows.length; number += 1) {
          if (links.has(rows[number] as number)) known[number] = wanted;
        }
      } else {
        for (const link of few) {
          const number = rows.indexOf(link);
          if (number >= 0) known[number] = wanted;
        }
      }
      return known;
    },
    passes: () => false,
  };
}

function createTextFilter(filter: Exclude<Filter, { dimension: 'link' }>, names: Names): RunningFilter {
  const accepts = acceptsText(filter);
  let scope: object | undefined;
  let known = new Uint8Array();
  return {
    mayPass: () => true,
    reading: (segment, block) => readingOf(filter.dimension, segment, block, names),
    known(reading) {
      if (scope !== reading.scope) known = new Uint8Array(reading.count).fill(unknown);
      scope = reading.scope;
      return known;
    },
    passes: (reading, number) => accepts(reading.textOf(number)),
  };
}

function acceptsText({
  operator,
  values,
}: Exclude<Filter, { dimension: 'link' }>): (text: string) => boolean {
  switch (operator) {
    case 'is':
      return (text) => values.includes(text);
    case 'is-not':
      return (text) => !values.includes(text);
    case 'contains': {
      const parts = values.map((value) => value.toLowerCase());
      return (text) => {
        const folded = text.toLowerCase();
        return parts.some((part) => folded.includes(part));
      };
    }
  }
}

/**
 * Returns a mask by row of the block: 1 if it matches all filters on row dimensions.
 * @returns undefined without filters
 */
export function rowMask(
  filters: readonly RunningFilter[],
  segment: Segment,
  block: Block,
): Uint8Array<ArrayBuffer> | undefined {
  return filters.length === 0 ? undefined : maskOf(block.rows, filters, segment, block);
}

/** Returns a mask by profile of the block: 1 if it matches all filters on profile dimensions. */
export function profileMask(
  filters: readonly RunningFilter[],
  segment: Segment,
  block: Block,
): Uint8Array<ArrayBuffer> {
  return maskOf(block.profiles, filters, segment, block);
}

function maskOf(
  length: number,
  filters: readonly RunningFilter[],
  segment: Segment,
  block: Block,
): Uint8Array<ArrayBuffer> {
  const mask = new Uint8Array(length).fill(1);
  for (const filter of filters) {
    const reading = filter.reading(segment, block);
    const numbers = reading.numbers();
    const known = filter.known(reading, block);
    for (let at = 0; at < length; at += 1) {
      const number = numbers[at] as number;
      let verdict = known[number] as number;
      if (verdict === unknown) {
        verdict = filter.passes(reading, number) ? 1 : 0;
        known[number] = verdict;
      }
      mask[at] = (mask[at] as number) & verdict;
    }
  }
  return mask;
}
