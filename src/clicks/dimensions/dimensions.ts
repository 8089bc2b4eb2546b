import { type ClickNumber, type ClickWord, clickDimensions } from '../../model/clicks/click-dimensions.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { browsers, devices, systems } from './agents.ts';
import { longestWord, triggers } from './campaigns.ts';
import { countries } from './countries.ts';
import { longestRegion } from './geo-database.ts';
import { languages } from './languages.ts';
import { referrerKinds } from './referrer-hosts.ts';
import { longestHost } from './referrers.ts';

/** As rules have it; longer names are refused. */
const longestRuleName = 100;

/** What the numbers of a dimension mean: places in a list that only grows. */
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

/** How long a word is at most, in code points. */
const longestOf: Readonly<Record<ClickWord, number>> = {
  region: longestRegion,
  referrer: longestHost,
  utmSource: longestWord,
  utmMedium: longestWord,
  utmCampaign: longestWord,
  utmTerm: longestWord,
  utmContent: longestWord,
  rule: longestRuleName,
  variant: 2,
  network: longestRegion,
  utmFrom: longestWord,
  domain: longestHost,
  imported: longestWord,
};

/** A dimension with fixed words. */
export interface NumberDimension {
  readonly kind: 'number';
  readonly name: ClickNumber;
  readonly bytes: 1 | 2;
  /** The word for a number; `other` for one that a later version wrote. */
  readonly decode: (number: number) => string;
  /** @returns undefined when there is no such word */
  readonly encode: (word: string) => number | undefined;
}

/** A dimension with words that visitors and owners choose. */
export interface WordDimension {
  readonly kind: 'word';
  readonly name: ClickWord;
  /** In code points. */
  readonly longest: number;
}

/** Everything that a click can be counted by, in the order of the table that clicks are stored by. */
export const dimensions = clickDimensions.map(({ name, bytes }): NumberDimension | WordDimension => {
  if (bytes === 'word') return { kind: 'word', name, longest: longestOf[name] };
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
