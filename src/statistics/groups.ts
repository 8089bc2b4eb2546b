import type { Block, Segment } from './columns/segment.ts';
import { noGroup } from './first-clicks.ts';
import type { Dimension, Names } from './query.ts';
import { type Reading, readingOf } from './reading.ts';
import type { Tally } from './tally.ts';

/** The values of the breakdown in a block. */
export interface Groups {
  readonly isOfProfiles: boolean;
  /** The group of a profile or a row. */
  readonly of: (profileOrRow: number) => number;
}

const unknown = -2;

const without: Groups = { isOfProfiles: true, of: () => noGroup };

/** Finds a value's group once, and then by its number. */
export function createGrouping(
  dimension: Dimension | undefined,
  names: Names,
  tally: Tally,
): (segment: Segment, block: Block) => Groups {
  if (dimension === undefined) return () => without;
  let scope: object | undefined;
  let known = new Int32Array();

  return (segment, block) => {
    const reading = readingOf(dimension, segment, block, names);
    if (scope !== reading.scope) known = new Int32Array(reading.count).fill(unknown);
    scope = reading.scope;
    return groupsOf(reading, known, tally);
  };
}

function groupsOf(reading: Reading, known: Int32Array<ArrayBuffer>, tally: Tally): Groups {
  const numbers = reading.numbers();
  return {
    isOfProfiles: reading.isOfProfiles,
    of(at) {
      const number = numbers[at] as number;
      let group = known[number] as number;
      if (group === unknown) {
        group = tally.groupOf(reading.textOf(number));
        known[number] = group;
      }
      return group;
    },
  };
}
