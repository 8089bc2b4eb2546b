import type { ClickClass } from '../model/clicks/clicks.ts';

/** Maximum number of rules per link. */
export const maxRules = 20;
/** Maximum number of conditions per rule. */
export const maxConditions = 10;
/** Maximum number of values per condition. */
export const maxValues = 100;
/** Maximum number of variants per split. */
export const maxVariants = 10;

/**
 * Visit properties with a fixed set of values. A condition matches if the visitor's value is one of the condition's
 * values.
 */
export const wordFacts = ['country', 'region', 'os', 'device', 'browser', 'class'] as const;
export type WordFact = (typeof wordFacts)[number];

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** A condition on a visit. `not` inverts the condition. */
export type Condition = { readonly not?: boolean | undefined } & (
  | { readonly fact: WordFact; readonly values: readonly string[] }
  /** BCP 47 tags, negotiated in `languages.ts`. */
  | { readonly fact: 'language'; readonly values: readonly string[] }
  /** Hosts, each including subdomains. An empty string matches visits without a referrer. */
  | { readonly fact: 'referrer'; readonly values: readonly string[] }
  /** A query parameter of the short URL. Without `values`, any value matches. */
  | { readonly fact: 'query'; readonly name: string; readonly values?: readonly string[] | undefined }
  /** ISO 8601 times. `from` is inclusive, `to` is exclusive. */
  | { readonly fact: 'date'; readonly from?: string | undefined; readonly to?: string | undefined }
  /** Hours on days of the week in a time zone. If `to` is not after `from`, the hours span midnight. */
  | {
      readonly fact: 'time';
      readonly zone: string;
      readonly days?: readonly Weekday[] | undefined;
      /** Start time, from `00:00` to `23:59`. Default: the start of the day. */
      readonly from?: string | undefined;
      /** Exclusive end time, up to `24:00`, which is the default. */
      readonly to?: string | undefined;
    }
);

/** One variant of a split. */
export interface Variant {
  readonly url: string;
  /** The variant's share of visitors is its weight divided by the sum of all weights. */
  readonly weight: number;
}

interface Destination {
  /** BCP 47 tag for the language negotiation. */
  readonly language?: string | undefined;
}

/** An app on one platform. */
export interface App {
  /** An https URL that the app opens (universal link, App Link), or a URL with a scheme that the account allows. */
  readonly appUrl: string;
  /** The app's page in a store, for visitors without the app. */
  readonly storeUrl?: string | undefined;
}

/** Apps by platform. Visitors on other platforms are redirected to the web page. */
export interface Apps {
  readonly ios?: App | undefined;
  readonly android?: App | undefined;
}

export type Action =
  | (Destination & { readonly url: string; readonly apps?: Apps | undefined })
  | (Destination & { readonly split: readonly Variant[] })
  /** Responds with 410. */
  | { readonly gone: true };

export interface Rule {
  /** Name that the owner gave the rule. */
  readonly name?: string | undefined;
  /** All conditions must match. An empty list matches every visit. */
  readonly when: readonly Condition[];
  readonly to: Action;
}

/** The properties of a visit that rules can test. Values are the same as in analytics, and empty if unknown. */
export interface VisitFacts extends Readonly<Record<Exclude<WordFact, 'class'>, string>> {
  readonly class: ClickClass;
  /** The complete `Accept-Language` header. */
  readonly languages: string;
  /** Referrer host in lower case, without `www.`; empty if there is no referrer. */
  readonly referrer: string;
  /** Query of the short URL, without `?`. */
  readonly query: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Keyed hash of the visitor, which changes daily; 0 if the visitor has no hash. */
  readonly visitor: number;
}
