import { type CombinedWord, combinedWords } from '../../model/clicks/click-dimensions.ts';
import type { clickClasses } from '../../model/clicks/clicks.ts';

/**
 * The dimensions of a profile, in sort order. Clicks with equal values in all of these dimensions form a profile, whose
 * values are stored only once. Values are numbers from 0 to 65,535. Their meaning is defined outside this folder,
 * except for `class` (an index into `clickClasses`) and `region` (the number of a word, which is specific to the
 * segment).
 */
export const profileDimensions = [
  'class',
  'country',
  'region',
  'os',
  'browser',
  'device',
  'language',
] as const;
export type ProfileDimension = (typeof profileDimensions)[number];

/** Dimensions that are stored for each click. Their values are numbers from 0 to 255. */
export const rowDimensions = ['trigger'] as const;
export type RowDimension = (typeof rowDimensions)[number];

/** Dimensions whose numbers have the same meaning in all segments. */
export type CodedDimension = Exclude<ProfileDimension, 'region'> | RowDimension;
export const codedDimensions: readonly CodedDimension[] = [
  ...profileDimensions.filter((dimension) => dimension !== 'region'),
  ...rowDimensions,
];

/** Dimensions whose words are stored together, as one numbered combination per click. */
export const combinedDimensions = combinedWords;
export type CombinedDimension = CombinedWord;

export const classCount = 4 satisfies (typeof clickClasses)['length'];

export const msPerDay = 86_400_000;
export const secondsPerDay = 86_400;
export const secondsPerQuarter = 900;
export const quartersPerDay = 96;
