import { type Problem, problem } from '../model/failures.ts';
import type { Destination } from '../model/links/destinations/destinations.ts';
import { languageTag } from '../model/links/language-tags.ts';
import { parseTimestamp } from '../model/timestamps.ts';
import { type AppChecks, appsProblems } from './apps.ts';
import type { Action, Condition, Rule, WordFact } from './rule.ts';
import { isZone } from './week.ts';

export interface RuleChecks extends AppChecks {
  /** Checks a URL against the rules for link destinations. */
  readonly readUrl: (url: string) => Destination | Problem;
  /** Returns the allowed values for a visit property, in lower case; undefined if any value is allowed. */
  readonly wordsOf: (fact: WordFact) => ReadonlySet<string> | undefined;
}

/**
 * Returns the validation errors for rules with a valid shape, each with the field's path, such as
 * `rules[0].when[2].zone`.
 */
export function ruleProblems(rules: readonly Rule[], checks: RuleChecks): Problem[] {
  return rules.flatMap(({ when, to }, place) => [
    ...when.flatMap((condition, at) => conditionProblems(condition, `rules[${place}].when[${at}]`, checks)),
    ...urlsOf(to).flatMap(([path, url]) => urlProblems(url, `rules[${place}].to.${path}`, checks)),
    ...('url' in to ? appsProblems(to.apps, `rules[${place}].to.apps`, checks) : []),
  ]);
}

/** Returns an action's web destinations, with their paths within the action. */
export function urlsOf(action: Action): readonly (readonly [path: string, url: string])[] {
  if ('split' in action) return action.split.map(({ url }, at) => [`split[${at}].url`, url] as const);
  return 'url' in action ? [['url', action.url]] : [];
}

function urlProblems(url: string, field: string, { readUrl }: RuleChecks): Problem[] {
  const read = readUrl(url);
  if (!('reason' in read)) return [];
  const code = read.code === 'INVALID_TEMPLATE' ? read.code : 'VALIDATION_ERROR';
  return [problem(field, read.reason, read.message.replace(/^url\b/, field), code)];
}

const country = /^([a-z]{2})?$/i;
const host = /^$|^[a-z0-9]([a-z0-9-]{0,62}\.)*[a-z0-9-]{1,63}$/i;

type Bound = 'to' | 'from';
const bounds: readonly Bound[] = ['to', 'from'];

function conditionProblems(condition: Condition, field: string, { wordsOf }: RuleChecks): Problem[] {
  switch (condition.fact) {
    case 'country':
      return invalidValues(
        condition.values,
        country,
        field,
        'a two-letter country code such as AT, or empty for unknown',
      );
    case 'language':
      return invalidValues(condition.values, languageTag, field, 'a BCP 47 language tag such as de or pt-BR');
    case 'referrer':
      return invalidValues(condition.values, host, field, 'a host such as example.com, or empty for none');
    case 'query':
      return [];
    case 'date': {
      const { from, to } = condition;
      if (from === undefined && to === undefined)
        return [problem(field, 'missing', `${field} must have from, to or both.`)];
      const moments = [to, from].map((text) => (text === undefined ? undefined : parseTimestamp(text)));
      for (const [at, end] of bounds.entries()) {
        if (condition[end] !== undefined && moments[at] === undefined)
          return [problem(`${field}.${end}`, 'invalid_format', `${field}.${end} must be an ISO 8601 time.`)];
      }
      const [last, first] = moments;
      if (first === undefined || last === undefined || first < last) return [];
      return [problem(`${field}.to`, 'out_of_range', `${field}.to must be later than ${field}.from.`)];
    }
    case 'time': {
      const { zone, days, from, to } = condition;
      if (!isZone(zone)) {
        const text = `${field}.zone must be an IANA time zone, such as Europe/Berlin.`;
        return [problem(`${field}.zone`, 'unknown_value', text)];
      }
      if (days === undefined && from === undefined && to === undefined)
        return [problem(field, 'missing', `${field} must have days, from or to.`)];
      return [];
    }
    default: {
      const words = wordsOf(condition.fact);
      if (words === undefined) return [];
      const at = condition.values.findIndex((word) => !words.has(word.toLowerCase()));
      if (at === -1) return [];
      const text = `${field}.values[${at}] must be one of: ${[...words].filter(Boolean).join(', ')}.`;
      return [problem(`${field}.values[${at}]`, 'unknown_value', text)];
    }
  }
}

function invalidValues(
  values: readonly string[],
  pattern: RegExp,
  field: string,
  example: string,
): Problem[] {
  const at = values.findIndex((value) => value.length > 255 || !pattern.test(value));
  if (at === -1) return [];
  return [problem(`${field}.values[${at}]`, 'invalid_format', `${field}.values[${at}] must be ${example}.`)];
}
