import {
  type CodedDimension,
  type CombinedDimension,
  combinedDimensions,
  type ProfileDimension,
  profileDimensions,
} from './columns/dimensions.ts';
import type { Numbers } from './columns/planes.ts';
import type { Block, Segment } from './columns/segment.ts';
import type { Dimension, Names } from './query.ts';

/** Upper limit of codes, exclusive. */
export const maxCodes = 65_536;

/** The values of a dimension in a block. */
export interface Reading {
  /** True if there is a number for each profile of the block, false if there is one for each row. */
  readonly isOfProfiles: boolean;
  readonly numbers: () => Numbers;
  /** Upper limit of the numbers, exclusive. */
  readonly count: number;
  /** In readings with the same scope object, equal numbers mean the same value. */
  readonly scope: object;
  readonly textOf: (number: number) => string;
}

export function isProfileDimension(dimension: Dimension): dimension is ProfileDimension {
  return (profileDimensions as readonly string[]).includes(dimension);
}

export function readingOf(dimension: Dimension, segment: Segment, block: Block, names: Names): Reading {
  switch (dimension) {
    case 'referrer':
    case 'referrerKind': {
      const texts = segment.referrers();
      const hostOf = (number: number): string => texts[number] ?? '';
      const textOf =
        dimension === 'referrer' ? hostOf : (number: number) => names.referrerKind(hostOf(number));
      return { isOfProfiles: false, numbers: block.referrer, count: texts.length, scope: segment, textOf };
    }
    case 'region': {
      const texts = segment.regions();
      const numbers = (): Numbers => profileNumbers(dimension, segment, block);
      const textOf = (number: number): string => texts[number] ?? '';
      return { isOfProfiles: true, numbers, count: texts.length, scope: segment, textOf };
    }
    case 'link':
    case 'folder': {
      const links = block.links();
      const rowOf = (number: number): number => links[number] as number;
      const textOf = (number: number): string =>
        dimension === 'link' ? String(rowOf(number)) : names.folderOf(rowOf(number));
      return { isOfProfiles: false, numbers: block.link, count: links.length, scope: block, textOf };
    }
    case 'trigger':
      return ofCodes(dimension, block.codes[dimension], false, names);
    default:
      return isCombined(dimension)
        ? ofCombination(dimension, segment, block)
        : ofCodes(dimension, () => profileNumbers(dimension, segment, block), true, names);
  }
}

export function profileNumbers(dimension: ProfileDimension, segment: Segment, block: Block): Numbers {
  const { firstProfile, profiles } = block;
  return segment.profiles().codes[dimension].subarray(firstProfile, firstProfile + profiles);
}

function ofCodes(
  dimension: CodedDimension,
  numbers: () => Numbers,
  isOfProfiles: boolean,
  names: Names,
): Reading {
  return {
    isOfProfiles,
    numbers,
    count: maxCodes,
    scope: names,
    textOf: (code) => names.codeName(dimension, code),
  };
}

function isCombined(dimension: Dimension): dimension is CombinedDimension {
  return (combinedDimensions as readonly string[]).includes(dimension);
}

function ofCombination(dimension: CombinedDimension, segment: Segment, block: Block): Reading {
  const { words, combinations } = segment.combined();
  const places = combinations[combinedDimensions.indexOf(dimension)];
  const textOf = (combination: number): string => words[places?.[combination] ?? 0] ?? '';
  return { isOfProfiles: false, numbers: block.combined, count: places?.length ?? 0, scope: segment, textOf };
}
