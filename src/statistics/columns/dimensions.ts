import { type CombinedWord, combinedWords } from '../../model/clicks/click-dimensions.ts';
import type { clickClasses } from '../../model/clicks/clicks.ts';

/**
 * What clicks are sorted by, in this order: clicks that share all of these are a profile, and what a profile says is
 * stored once. Values are small numbers (0 to 65,535); what they mean is the caller's affair, but `class`, which is the
 * place in `clickClasses`, and `region`, which is a word: a segment numbers its own.
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

/** Small numbers (0 to 255) that are stored for each click. */
export const rowDimensions = ['trigger'] as const;
export type RowDimension = (typeof rowDimensions)[number];

/** Dimensions whose values are small numbers with the same meaning everywhere. */
export type CodedDimension = Exclude<ProfileDimension, 'region'> | RowDimension;
export const codedDimensions: readonly CodedDimension[] = [
  ...profileDimensions.filter((dimension) => dimension !== 'region'),
  ...rowDimensions,
];

/** The words of a click that are stored as one combination. Segments and roll-ups that were written before the last ones came lack them. */
export const combinedDimensions = combinedWords;
export type CombinedDimension = CombinedWord;

export const classCount = 4 satisfies (typeof clickClasses)['length'];

export const msPerDay = 86_400_000;
export const secondsPerDay = 86_400;
export const secondsPerQuarter = 900;
export const quartersPerDay = 96;
