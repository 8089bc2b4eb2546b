import type { Block, Segment } from './columns/segment.ts';
import type { Filter, Names } from './query.ts';
import { type Reading, readingOf } from './reading.ts';

/** A filter while a question is answered: whether a value passes is found out once for each value. */
export interface RunningFilter {
  /** False when no click of the block can pass. */
  readonly mayPass: (block: Block) => boolean;
  readonly reading: (segment: Segment, block: Block) => Reading;
  /** By number of the reading: 1 when it passes, 0 when not, 2 when it must be asked. */
  readonly known: (reading: Reading, block: Block) => Uint8Array<ArrayBuffer>;
  readonly passes: (reading: Reading, number: number) => boolean;
}

export const unknown = 2;
/** Of more links it is not worth asking whether a block has one. */
const fewLinks = 100;

export function startFilter(filter: Filter, names: Names): RunningFilter {
  return filter.dimension === 'link' ? startLinkFilter(filter, names) : startTextFilter(filter, names);
}

function startLinkFilter(filter: Extract<Filter, { dimension: 'link' }>, names: Names): RunningFilter {
  const { links } = filter;
  const wanted = filter.operator === 'is' ? 1 : 0;
  const few = links.size <= fewLinks ? [...links] : undefined;
  return {
    mayPass: ({ leastLink, largestLink }) =>
      wanted === 0 || few === undefined || few.some((link) => leastLink <= link && link <= largestLink),
    reading: (segment, block) => readingOf('link', segment, block, names),
    // Numbers of links are a block's own, and there may be many: all are looked up at once, without a text for each.
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

function startTextFilter(filter: Exclude<Filter, { dimension: 'link' }>, names: Names): RunningFilter {
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
  const among = new Set(values);
  switch (operator) {
    case 'is':
      return (text) => among.has(text);
    case 'is-not':
      return (text) => !among.has(text);
    case 'contains':
      return (text) => values.some((value) => text.includes(value));
  }
}

/** Leaves those of the first `count` rows whose number passes, in their order. @returns how many are left */
export function narrow(
  rows: Uint32Array<ArrayBuffer>,
  count: number,
  filter: RunningFilter,
  segment: Segment,
  block: Block,
): number {
  const reading = filter.reading(segment, block);
  const numbers = reading.numbers();
  const known = filter.known(reading, block);
  let left = 0;
  for (let at = 0; at < count; at += 1) {
    const row = rows[at] as number;
    const number = numbers[row] as number;
    let verdict = known[number] as number;
    if (verdict === unknown) {
      verdict = filter.passes(reading, number) ? 1 : 0;
      known[number] = verdict;
    }
    rows[left] = row;
    left += verdict;
  }
  return left;
}

/** By profile of the block: 1 when it passes all filters, each of a dimension of profiles. */
export function profileMask(
  filters: readonly RunningFilter[],
  segment: Segment,
  block: Block,
): Uint8Array<ArrayBuffer> {
  const mask = new Uint8Array(block.profiles).fill(1);
  for (const filter of filters) {
    const reading = filter.reading(segment, block);
    const numbers = reading.numbers();
    const known = filter.known(reading, block);
    for (let at = 0; at < mask.length; at += 1) {
      const number = numbers[at] as number;
      if (known[number] === unknown) known[number] = filter.passes(reading, number) ? 1 : 0;
      mask[at] = (mask[at] as number) & (known[number] as number);
    }
  }
  return mask;
}
