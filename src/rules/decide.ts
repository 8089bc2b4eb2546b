import { compileCondition, compileLanguage, type Holds, isAboutLanguage } from './conditions.ts';
import { createNegotiate, type LanguageChoice, type Negotiate } from './languages.ts';
import type { Action, Condition, Rule, Variant, VisitFacts } from './rule.ts';

/** What rules say of a visit. */
export interface Decision {
  /** The place of the rule that won, from 0. */
  readonly rule: number;
  /** What its owner calls it. */
  readonly name?: string | undefined;
  /** The place of the way taken by a split, from 0. */
  readonly variant?: number;
  /** Where the visitor goes; undefined when the link is gone for this visitor. */
  readonly url: string | undefined;
}

/** Returns what the first rule says whose conditions all hold; undefined when none does: the link's own destination. */
export type Decide = (facts: VisitFacts) => Decision | undefined;

/** A rule with its conditions apart: those on the language are decided for all rules together. */
interface CompiledRule {
  readonly place: number;
  readonly others: readonly Holds[];
  readonly languages: readonly ((language: string | undefined) => boolean)[];
  readonly to: Action;
}

function compileRule({ when, to }: Rule, place: number): CompiledRule {
  return {
    place,
    others: when.filter((one) => !isAboutLanguage(one)).map(compileCondition),
    languages: when.filter(isAboutLanguage).map(compileLanguage),
    to,
  };
}

/**
 * Prepares rules, once for all visits.
 * @param language of the link's own destination; undefined when it is unknown
 */
export function compileRules(rules: readonly Rule[], language?: string): Decide {
  const compiled = rules.map((rule, place) => ({
    ...compileRule(rule, place),
    decide: compileAction(rule.to, { rule: place, name: rule.name }),
  }));
  const negotiate = negotiateFor(rules);
  return (facts) => {
    const { open, otherwise } = openFor(compiled, facts);
    if (open.length === 0) return otherwise?.decide(facts);
    const choice = negotiate(facts.languages, bitsOf(open), languageOf(otherwise, language));
    const winner = open.find(({ languages }) => languages.every((holds) => holds(choice.language)));
    return (winner ?? otherwise)?.decide(facts);
  };
}

/**
 * The rules with a condition on the language whose other conditions all hold, up to the rule that wins when none of them
 * does. Only these are negotiated: a language of a rule that cannot win would hide one that can.
 */
function openFor<R extends CompiledRule>(
  rules: readonly R[],
  facts: VisitFacts,
): { readonly open: readonly R[]; readonly otherwise?: R } {
  const open: R[] = [];
  for (const rule of rules) {
    if (!allHold(rule.others, facts)) continue;
    if (rule.languages.length === 0) return { open, otherwise: rule };
    open.push(rule);
  }
  return { open };
}

function bitsOf(open: readonly CompiledRule[]): number {
  return open.reduce((bits, { place }) => bits | (1 << place), 0);
}

/** The language of the destination that visitors reach when no language rule wins, in lower case. */
function languageOf(otherwise: CompiledRule | undefined, ofLink: string | undefined): string | undefined {
  return (otherwise === undefined ? ofLink : statedLanguage(otherwise.to))?.toLowerCase();
}

function statedLanguage(to: Action): string | undefined {
  return 'gone' in to ? undefined : to.language;
}

/** A rule that excludes languages offers that of its own destination. */
function negotiateFor(rules: readonly Rule[]): Negotiate {
  return createNegotiate(
    rules.map(({ when, to }, place) => {
      const about = when.filter(isAboutLanguage);
      const excludes = about.length > 0 && about.every(({ not }) => not === true);
      const tags = about.flatMap(({ values }) => values);
      const own = excludes ? statedLanguage(to) : undefined;
      return { place, tags: [...(own === undefined ? [] : [own]), ...tags].map((tag) => tag.toLowerCase()) };
    }),
  );
}

function allHold(conditions: readonly Holds[], facts: VisitFacts): boolean {
  for (const holds of conditions) if (!holds(facts)) return false;
  return true;
}

function compileAction(
  action: Action,
  won: Pick<Decision, 'rule' | 'name'>,
): (facts: VisitFacts) => Decision {
  if ('split' in action) {
    const { split } = action;
    return ({ visitor }) => {
      const variant = chooseVariant(split, visitor, won.rule);
      return { ...won, variant, url: (split[variant] as Variant).url };
    };
  }
  const decision: Decision = { ...won, url: 'url' in action ? action.url : undefined };
  return () => decision;
}

/**
 * The way of a split that a visitor takes: the same all day, as the visitor's hash is. Rules of one link choose independently of
 * each other. Visitors that are not distinguished all take the first way that the hash of 0 falls on.
 */
export function chooseVariant(split: readonly Variant[], visitor: number, rule: number): number {
  const sum = split.reduce((total, { weight }) => total + weight, 0);
  let place = (mix(visitor ^ Math.imul(rule + 1, 0x9e3779b1)) / 2 ** 32) * sum;
  for (const [variant, { weight }] of split.entries()) {
    if (place < weight) return variant;
    place -= weight;
  }
  return split.length - 1;
}

/** The finalizer of MurmurHash3: every bit of the number moves every bit of the answer. */
function mix(number: number): number {
  let hash = number | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Why a rule won or did not. */
export interface Explanation {
  readonly rule: number;
  /** Whether each condition holds, in their order; all are looked at, also behind one that does not hold. */
  readonly conditions: readonly { readonly condition: Condition; readonly holds: boolean }[];
  /** Whether all hold. A rule behind the one that wins may hold too. */
  readonly holds: boolean;
}

/** What every condition of every rule says of a visit, for an owner that tries rules out; and which language won, when a rule asks. */
export function explainRules(
  rules: readonly Rule[],
  facts: VisitFacts,
  language?: string,
): { readonly rules: readonly Explanation[]; readonly choice: LanguageChoice | undefined } {
  const { open, otherwise } = openFor(rules.map(compileRule), facts);
  const isAsked = rules.some(({ when }) => when.some(isAboutLanguage));
  const choice = isAsked
    ? negotiateFor(rules)(facts.languages, bitsOf(open), languageOf(otherwise, language))
    : undefined;
  const explained = rules.map(({ when }, rule) => {
    const conditions = when.map((condition) => ({
      condition,
      holds: isAboutLanguage(condition)
        ? compileLanguage(condition)(choice?.language)
        : compileCondition(condition)(facts),
    }));
    return { rule, conditions, holds: conditions.every(({ holds }) => holds) };
  });
  return { rules: explained, choice };
}
