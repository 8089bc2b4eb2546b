import type { Numbers } from './columns/planes.ts';
import type { Block, Segment } from './columns/segment.ts';
import { largest } from './columns/tuples.ts';
import type { Filter, Names } from './query.ts';
import { maxCodes, type Reading, readingOf } from './reading.ts';

/** A filter in a running query. Checks each distinct value only once. */
export interface RunningFilter {
  /** Returns false if no click in the block can match. */
  readonly mayPass: (block: Block) => boolean;
  readonly reading: (segment: Segment, block: Block) => Reading;
  /**
   * Returns a table indexed by the reading's numbers: 1 if the number's value matches. The table covers all numbers in
   * the block.
   */
  readonly matches: (reading: Reading, numbers: Numbers, block: Block) => Uint8Array<ArrayBuffer>;
}

/** Maximum number of links to look for in a block. With more links, the check would cost more than it saves. */
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
    // Link numbers are specific to a block, and a block may have many links. Checks all links at once, without
    // converting their rows to strings.
    matches(_reading, _numbers, block) {
      const rows = block.links();
      const matches = new Uint8Array(rows.length).fill(1 - wanted);
      if (few === undefined) {
        for (let number = 0; number < rows.length; number += 1) {
          if (links.has(rows[number] as number)) matches[number] = wanted;
        }
      } else {
        for (const link of few) {
          const number = rows.indexOf(link);
          if (number >= 0) matches[number] = wanted;
        }
      }
      return matches;
    },
  };
}

function createTextFilter(filter: Exclude<Filter, { dimension: 'link' }>, names: Names): RunningFilter {
  const accepts = acceptsText(filter);
  let scope: object | undefined;
  let table = new Uint8Array();
  return {
    mayPass: () => true,
    reading: (segment, block) => readingOf(filter.dimension, segment, block, names),
    matches(reading, numbers) {
      if (scope !== reading.scope) table = new Uint8Array();
      scope = reading.scope;
      const count = reading.count < maxCodes ? reading.count : 1 + largest(numbers, numbers.length);
      const known = table;
      if (known.length >= count) return known;
      table = new Uint8Array(count);
      table.set(known);
      for (let number = known.length; number < count; number += 1)
        table[number] = accepts(reading.textOf(number)) ? 1 : 0;
      return table;
    },
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
 * Returns a mask with a value for each row in the block: 1 if the row matches all filters on row dimensions. Returns
 * undefined if there are no such filters.
 */
export function rowMask(
  filters: readonly RunningFilter[],
  segment: Segment,
  block: Block,
): Uint8Array<ArrayBuffer> | undefined {
  return filters.length === 0 ? undefined : maskOf(block.rows, filters, segment, block);
}

/**
 * Returns a mask with a value for each profile in the block: 1 if the profile matches all filters on profile
 * dimensions.
 */
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
  const mask = new Uint8Array(length);
  for (const [place, filter] of filters.entries()) {
    const reading = filter.reading(segment, block);
    const numbers = reading.numbers();
    const matches = filter.matches(reading, numbers, block);
    if (place > 0) {
      for (let at = 0; at < length; at += 1)
        if (mask[at] === 1) mask[at] = matches[numbers[at] as number] as number;
    } else {
      for (let at = 0; at < length; at += 1) mask[at] = matches[numbers[at] as number] as number;
    }
  }
  return filters.length === 0 ? mask.fill(1) : mask;
}
