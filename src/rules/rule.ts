import type { ClickClass } from '../model/clicks/clicks.ts';

/** Maximum number of rules of a link. */
export const maxRules = 20;
/** Maximum number of conditions of a rule. */
export const maxConditions = 10;
/** Maximum number of values of a condition. */
export const maxValues = 100;
/** Maximum number of ways of a split. */
export const maxVariants = 10;

/** Facts whose values are words: a condition holds when the visitor's is one of them. */
export const wordFacts = ['country', 'region', 'os', 'device', 'browser', 'class'] as const;
export type WordFact = (typeof wordFacts)[number];

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** What must be true of a visit. With `not`, the opposite. */
export type Condition = { readonly not?: boolean | undefined } & (
  | { readonly fact: WordFact; readonly values: readonly string[] }
  /** BCP 47 tags, negotiated by `languages.ts`. */
  | { readonly fact: 'language'; readonly values: readonly string[] }
  /** Hosts, each with everything below it; the empty text for a visit without a referrer. */
  | { readonly fact: 'referrer'; readonly values: readonly string[] }
  /** A parameter of the short URL: any value will do when none is named. */
  | { readonly fact: 'query'; readonly name: string; readonly values?: readonly string[] | undefined }
  /** Moments as the API reads them: not before `from`, and before `to`. */
  | { readonly fact: 'date'; readonly from?: string | undefined; readonly to?: string | undefined }
  /** Hours of days of a week in a named zone; `to` not after `from` reaches into the next day. */
  | {
      readonly fact: 'time';
      readonly zone: string;
      readonly days?: readonly Weekday[] | undefined;
      /** `00:00` to `23:59`; the beginning of the day when it is absent. */
      readonly from?: string | undefined;
      /** Exclusive, up to `24:00`, which it is when it is absent. */
      readonly to?: string | undefined;
    }
);

/** One way of a split. */
export interface Variant {
  readonly url: string;
  /** Its share is its weight of the sum of all weights. */
  readonly weight: number;
}

interface Destination {
  /** BCP 47; it takes part when languages are negotiated. */
  readonly language?: string | undefined;
}

export type Action =
  | (Destination & { readonly url: string })
  | (Destination & { readonly split: readonly Variant[] })
  /** The visitor gets 410. */
  | { readonly gone: true };

export interface Rule {
  /** What its owner calls it. */
  readonly name?: string | undefined;
  /** All must hold. None holds for every visit. */
  readonly when: readonly Condition[];
  readonly to: Action;
}

/** What rules may ask of a visit. Words are as statistics have them; empty when they are not known. */
export interface VisitFacts extends Readonly<Record<Exclude<WordFact, 'class'>, string>> {
  readonly class: ClickClass;
  /** The whole `Accept-Language`. */
  readonly languages: string;
  /** A host in lower case without `www.`; empty when there is none. */
  readonly referrer: string;
  /** Of the short URL, without `?`. */
  readonly query: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The visitor's keyed hash of the day; 0 when the visitor is not distinguished. */
  readonly visitor: number;
}
