import type { ClickFacts } from '../../domain/clicks/click-facts.ts';
import type { clickWords } from '../../domain/clicks/click-records.ts';
import { clickClasses } from '../../domain/clicks/clicks.ts';
import { browsers, devices, systems } from './agents.ts';
import { longestWord, triggers } from './campaigns.ts';
import { countries } from './countries.ts';
import { longestRegion } from './geo-database.ts';
import { languages } from './languages.ts';
import { referrerKinds } from './referrer-hosts.ts';
import { longestHost } from './referrers.ts';

/** As rules have it; longer names are refused. */
const longestRuleName = 100;

type WordName = (typeof clickWords)[number];
type NumberName = Exclude<keyof ClickFacts, WordName | 'visitor'>;

interface Named<Name extends string> {
  /** In the API, in exports, in the documentation, and of what a click says. */
  readonly name: Name;
  /** What it says, for the documentation. */
  readonly about: string;
}

/** A dimension with fixed words: a click holds a number. */
export interface NumberDimension<Name extends NumberName = NumberName> extends Named<Name> {
  readonly kind: 'number';
  /** What a number takes in a record. */
  readonly bytes: 1 | 2;
  /** The word for a number; `other` for one that a later version wrote. */
  readonly decode: (number: number) => string;
  /** @returns undefined when there is no such word */
  readonly encode: (word: string) => number | undefined;
}

/** A dimension with words that visitors and owners choose. */
export interface WordDimension<Name extends WordName = WordName> extends Named<Name> {
  readonly kind: 'word';
  /** In code points. */
  readonly longest: number;
}

export type Dimension = NumberDimension | WordDimension;

function number<Name extends NumberName>(
  name: Name,
  about: string,
  bytes: 1 | 2,
  words: readonly string[],
): NumberDimension<Name> {
  const numbers = new Map(words.map((word, place) => [word, place]));
  const decode = (place: number): string => words[place] ?? 'other';
  return { kind: 'number', name, about, bytes, decode, encode: (word) => numbers.get(word) };
}

function word<Name extends WordName>(name: Name, about: string, longest: number): WordDimension<Name> {
  return { kind: 'word', name, about, longest };
}

/**
 * Everything that a click can be counted by. Records, sums, the API and the documentation are made from this table, so a
 * new dimension is one more row at its end; rows that are stored are never moved or removed.
 */
export const dimensions = [
  number('class', 'Who clicked', 1, clickClasses),
  number('trigger', 'How the visitor came to the short URL', 1, triggers),
  number('country', 'ISO 3166-1 alpha-2, by address', 2, countries),
  word('region', 'ISO 3166-2 or a name, by address', longestRegion),
  number('browser', 'The program that clicked', 1, browsers),
  number('os', 'Its operating system', 1, systems),
  number('device', 'The kind of device', 1, devices),
  number('language', 'Primary BCP 47 tag of the first preference', 1, languages),
  word('referrer', 'Host the visitor came from', longestHost),
  number('referrerKind', 'The kind of that host', 1, referrerKinds),
  word('utmSource', '`utm_source` of the short URL', longestWord),
  word('utmMedium', '`utm_medium` of the short URL', longestWord),
  word('utmCampaign', '`utm_campaign` of the short URL', longestWord),
  word('utmTerm', '`utm_term` of the short URL', longestWord),
  word('utmContent', '`utm_content` of the short URL', longestWord),
  word(
    'rule',
    'The rule of the link that won: its name, or its position, `1` for the first',
    longestRuleName,
  ),
  word('variant', 'The way of its split that the visitor took: its position, `1` for the first', 2),
] as const satisfies readonly Dimension[];
