import { parseTimestamp } from '../model/timestamps.ts';
import { widerThan } from './languages.ts';
import type { Condition, VisitFacts, WordFact } from './rule.ts';
import { dayBefore, minuteIn, weekMinuteIn } from './week.ts';

/** Query parameter values by name, in query order. */
type Parameters = ReadonlyMap<string, readonly string[]>;

let last: { readonly query: string; readonly parameters: Parameters } | undefined;

/**
 * Parses a query's parameters. Caches the result for the last query, because a link may have hundreds of query
 * conditions, and visitors can send queries of maximum length.
 */
function parametersOf(query: string): Parameters {
  if (last?.query === query) return last.parameters;
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  last = { query, parameters };
  return parameters;
}

/** Returns true if a condition matches a visit. */
export type Matches = (facts: VisitFacts) => boolean;

type LanguageCondition = Extract<Condition, { fact: 'language' }>;

export function isAboutLanguage(condition: Condition): condition is LanguageCondition {
  return condition.fact === 'language';
}

/** Compiles a condition on any property except the language, which is negotiated for all rules together. */
export function compileCondition(condition: Exclude<Condition, LanguageCondition>): Matches {
  const holds = compileFact(condition);
  return condition.not === true ? (facts) => !holds(facts) : holds;
}

/** Compiles a condition on the negotiated language. With `not`, it also excludes regional variants. */
export function compileLanguage({
  values,
  not,
}: LanguageCondition): (language: string | undefined) => boolean {
  const named = new Set(values.map((tag) => tag.toLowerCase()));
  if (not !== true) return (language) => language !== undefined && named.has(language);
  return (language) =>
    language === undefined || ![language, ...widerThan(language)].some((tag) => named.has(tag));
}

function compileFact(condition: Exclude<Condition, LanguageCondition>): Matches {
  switch (condition.fact) {
    case 'referrer': {
      const hosts = condition.values.map((host) => host.toLowerCase());
      return ({ referrer }) => hosts.some((host) => isBelow(referrer, host));
    }
    case 'query':
      return queryCondition(condition.name, condition.values);
    case 'date': {
      const from = momentIn(condition.from) ?? Number.NEGATIVE_INFINITY;
      const to = momentIn(condition.to) ?? Number.POSITIVE_INFINITY;
      return ({ at }) => at >= from && at < to;
    }
    case 'time':
      return timeCondition(condition);
    default:
      return wordCondition(condition.fact, condition.values);
  }
}

/**
 * Compiles a condition on a property with a fixed set of values. The comparison is case-insensitive, because owners may
 * enter values in any letter case.
 */
function wordCondition(fact: WordFact, values: readonly string[]): Matches {
  const wanted = new Set(values.map((word) => word.toLowerCase()));
  return (facts) => wanted.has(facts[fact].toLowerCase());
}

function isBelow(host: string, domain: string): boolean {
  return domain === '' ? host === '' : host === domain || host.endsWith(`.${domain}`);
}

function queryCondition(name: string, values: readonly string[] | undefined): Matches {
  const wanted = values === undefined ? undefined : new Set(values);
  return ({ query }) => {
    // Fast path: most visits have no query, and parsing a query costs more than all other conditions.
    if (query === '') return false;
    const given = parametersOf(query).get(name);
    if (given === undefined) return false;
    return wanted === undefined || given.some((value) => wanted.has(value));
  };
}

function momentIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTimestamp(text);
}

function timeCondition({ zone, days, ...hours }: Extract<Condition, { fact: 'time' }>): Matches {
  const wanted = days === undefined ? undefined : new Set(days);
  const [from, to] = [minuteIn(hours.from ?? '00:00'), minuteIn(hours.to ?? '24:00')];
  return ({ at }) => {
    const { day, minute } = weekMinuteIn(zone, at);
    if (from < to) return minute >= from && minute < to && (wanted?.has(day) ?? true);
    // If the hours span midnight, the hours after midnight belong to the previous day.
    if (minute >= from) return wanted?.has(day) ?? true;
    return minute < to && (wanted?.has(dayBefore(day)) ?? true);
  };
}
