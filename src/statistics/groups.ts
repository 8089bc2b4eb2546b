import type { Numbers } from './columns/planes.ts';
import type { Block, Segment } from './columns/segment.ts';
import type { Dimension, Names } from './query.ts';
import { readingOf } from './reading.ts';
import type { Tally } from './tally.ts';

/** A breakdown's groups in a block. */
export interface Groups {
  readonly isOfProfiles: boolean;
  /** Returns the value's number for each profile in the block (if `isOfProfiles`), otherwise for each row. */
  readonly numbers: () => Numbers;
  /** Group of each number, or `unknownGroup`. */
  readonly known: Int32Array<ArrayBuffer>;
  /** Finds the group of a number and stores it in `known`. */
  readonly findOrAdd: (number: number) => number;
}

/** Group of all clicks in a query without a breakdown. */
export const noGroup = -1;
const unknownGroup = -2;

const noGrouping: Groups = {
  isOfProfiles: true,
  numbers: () => new Uint8Array(),
  known: new Int32Array(),
  findOrAdd: () => noGroup,
};

export function groupAt({ known, findOrAdd }: Groups, number: number | undefined): number {
  const group = known[number ?? -1] ?? noGroup;
  return group === unknownGroup ? findOrAdd(number ?? 0) : group;
}

export function createGrouping(
  dimension: Dimension | undefined,
  names: Names,
  tally: Tally,
): (segment: Segment, block: Block) => Groups {
  if (dimension === undefined) return () => noGrouping;
  let scope: object | undefined;
  let known = new Int32Array();
  const groupOfLink = createLinkGroups(dimension, names, tally);

  return (segment, block) => {
    const reading = readingOf(dimension, segment, block, names);
    if (scope !== reading.scope) known = new Int32Array(reading.count).fill(unknownGroup);
    scope = reading.scope;
    const of = known;
    const findOrAdd = (number: number): number => {
      const group =
        dimension === 'link' || dimension === 'folder'
          ? groupOfLink(block.links()[number] as number)
          : tally.groupOf(reading.textOf(number));
      of[number] = group;
      return group;
    };
    return { isOfProfiles: reading.isOfProfiles, numbers: reading.numbers, known, findOrAdd };
  };
}

/** Returns a function that maps link rows to groups, for a breakdown by link or folder. */
export function createLinkGroups(
  dimension: Dimension | undefined,
  names: Names,
  tally: Tally,
): (row: number) => number {
  return dimension === 'folder' ? (row) => tally.groupOf(names.folderOf(row)) : tally.groupOf;
}
