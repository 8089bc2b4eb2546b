import { type ClickNumber, type ClickWord, clickDimensions } from '../../model/clicks/click-dimensions.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { browsers, devices, systems } from './agents.ts';
import { maxWordLength, triggers } from './campaigns.ts';
import { countries } from './countries.ts';
import { maxRegionLength } from './geo-database.ts';
import { languages } from './languages.ts';
import { referrerKinds } from './referrer-hosts.ts';
import { maxHostLength } from './referrers.ts';

/** Maximum length of a rule name. */
const maxRuleNameLength = 100;

/** The values of each dimension, by index. Values may be appended, but never reordered or removed. */
const dimensionValues: Readonly<Record<ClickNumber, readonly string[]>> = {
  class: clickClasses,
  trigger: triggers,
  country: countries,
  browser: browsers,
  os: systems,
  device: devices,
  language: languages,
  referrerKind: referrerKinds,
};

/** Maximum word length per dimension, in code points. */
const maxWordLengths: Readonly<Record<ClickWord, number>> = {
  region: maxRegionLength,
  referrer: maxHostLength,
  utmSource: maxWordLength,
  utmMedium: maxWordLength,
  utmCampaign: maxWordLength,
  utmTerm: maxWordLength,
  utmContent: maxWordLength,
  rule: maxRuleNameLength,
  variant: 2,
  network: maxRegionLength,
  utmFrom: maxWordLength,
  domain: maxHostLength,
  imported: maxWordLength,
};

/** A dimension with a fixed list of values. */
export interface NumberDimension {
  readonly kind: 'number';
  readonly name: ClickNumber;
  readonly bytes: 1 | 2;
  /** Returns the value for a number, or `other` if only a newer version recognizes the number. */
  readonly decode: (number: number) => string;
  /** Returns the number of a value, or undefined if the value is unknown. */
  readonly encode: (word: string) => number | undefined;
}

/** A dimension with values chosen by visitors and owners. */
export interface WordDimension {
  readonly kind: 'word';
  readonly name: ClickWord;
  /** Maximum length in code points. */
  readonly longest: number;
}

/** All click dimensions, in the order in which they are stored. */
export const dimensions = clickDimensions.map(({ name, bytes }): NumberDimension | WordDimension => {
  if (bytes === 'word') return { kind: 'word', name, longest: maxWordLengths[name] };
  const words = dimensionValues[name];
  const numbers = new Map(words.map((word, place) => [word, place]));
  return {
    kind: 'number',
    name,
    bytes,
    decode: (place) => words[place] ?? 'other',
    encode: (word) => numbers.get(word),
  };
});
