import { compileCondition, type Holds, negotiateFor } from './conditions.ts';
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

/** Prepares rules, once for all visits. */
export function compileRules(rules: readonly Rule[]): Decide {
  const negotiate = negotiateFor(rules);
  const compiled = rules.map(({ name, when, to }, place) => ({
    conditions: when.map((condition) => compileCondition(condition, negotiate)),
    decide: compileAction(to, { rule: place, name }),
  }));
  return (facts) => {
    for (const { conditions, decide } of compiled) {
      if (allHold(conditions, facts)) return decide(facts);
    }
    return undefined;
  };
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
 * The way of a split that a visitor takes: the same all day, as the visitor's hash is. Rules of one link choose
 * independently of each other. Visitors that are not told apart all take the first way that the hash of 0 falls on.
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

/** What every condition of every rule says of a visit, for an owner that tries rules out. */
export function explainRules(rules: readonly Rule[], facts: VisitFacts): readonly Explanation[] {
  const negotiate = negotiateFor(rules);
  return rules.map(({ when }, rule) => {
    const conditions = when.map((condition) => ({
      condition,
      holds: compileCondition(condition, negotiate)(facts),
    }));
    return { rule, conditions, holds: conditions.every(({ holds }) => holds) };
  });
}
