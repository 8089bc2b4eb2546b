import { type ClickNumber, type ClickWord, clickNumbers, clickWords } from './click-dimensions.ts';

/**
 * A click's values by dimension. Numbers are indexes into append-only lists, and words are strings. 0 and the empty
 * string mean unknown.
 */
export interface ClickFacts extends Readonly<Record<ClickNumber, number> & Record<ClickWord, string>> {
  /** 32-bit hash that distinguishes the visitors of one day; 0 if visitors are not distinguished. */
  readonly visitor: number;
}

const nothing = {
  visitor: 0,
  ...Object.fromEntries(clickNumbers.map((name) => [name, 0])),
  ...Object.fromEntries(clickWords.map((name) => [name, ''])),
} as ClickFacts;

/** Returns the values for a click when only its class is known. */
export function unknownFacts(classIndex: number): ClickFacts {
  return { ...nothing, class: classIndex };
}

/** A click's values as strings, by dimension. The empty string means unknown. */
export type DimensionValues = Readonly<Record<ClickNumber | ClickWord, string>>;
