import { type ClickNumber, type ClickWord, clickNumbers, clickWords } from './click-dimensions.ts';

/**
 * What a click says, each by the name of its dimension: numbers are places in lists that never change, words are texts; 0 and
 * the empty text are unknown.
 */
export interface ClickFacts extends Readonly<Record<ClickNumber, number> & Record<ClickWord, string>> {
  /** 32 bits that tell visitors of one day apart; 0 when this one is not told apart. */
  readonly visitor: number;
}

const nothing = {
  visitor: 0,
  ...Object.fromEntries(clickNumbers.map((name) => [name, 0])),
  ...Object.fromEntries(clickWords.map((name) => [name, ''])),
} as ClickFacts;

/** Of a click of which only the class is known. */
export function unknownFacts(classIndex: number): ClickFacts {
  return { ...nothing, class: classIndex };
}

/** The same in words, by the names of the dimensions; the empty text is unknown. */
export type DimensionValues = Readonly<Record<ClickNumber | ClickWord, string>>;
