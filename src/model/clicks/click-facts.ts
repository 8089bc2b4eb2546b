import { type ClickNumber, type ClickWord, clickNumbers, clickWords } from './click-dimensions.ts';

/**
 * The values of a click by dimension. Numbers are indexes in append-only lists, words are texts; 0 and the empty
 * string mean unknown.
 */
export interface ClickFacts extends Readonly<Record<ClickNumber, number> & Record<ClickWord, string>> {
  /** 32-bit hash that distinguishes visitors of one day; 0 when they are not distinguished. */
  readonly visitor: number;
}

const nothing = {
  visitor: 0,
  ...Object.fromEntries(clickNumbers.map((name) => [name, 0])),
  ...Object.fromEntries(clickWords.map((name) => [name, ''])),
} as ClickFacts;

/** Returns the values of a click of which only the class is known. */
export function unknownFacts(classIndex: number): ClickFacts {
  return { ...nothing, class: classIndex };
}

/** The values of a click as texts, by dimension; the empty string means unknown. */
export type DimensionValues = Readonly<Record<ClickNumber | ClickWord, string>>;
