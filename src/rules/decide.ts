import { type AppOffer, compileApps } from './apps.ts';
import { compileCondition, compileLanguage, isAboutLanguage, type Matches } from './conditions.ts';
import { createNegotiate, type LanguageChoice, type Negotiate } from './languages.ts';
import type { Action, Condition, Rule, Variant, VisitFacts } from './rule.ts';

/** The result of applying the rules to a visit. */
export interface Decision {
  /** Index of the rule that matched. */
  readonly rule: number;
  /** The owner's name for the rule. */
  readonly name?: string | undefined;
  /** Index of the chosen variant of a split. */
  readonly variant?: number;
  /** Redirect target; undefined if the rule makes the link unavailable (410) for this visitor. */
  readonly url: string | undefined;
  /** The app that the visitor can open instead of the URL. */
  readonly app?: AppOffer;
}

/**
 * Returns the first matching rule's action, or undefined if no rule matches. The link's own destination then applies.
 */
export type Decide = (facts: VisitFacts) => Decision | undefined;

/** A compiled rule. Its language conditions are separate, because languages are negotiated for all rules together. */
interface CompiledRule {
  readonly place: number;
  readonly others: readonly Matches[];
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
 * Compiles rules once for all visits.
 * @param language language of the link's own destination; undefined if unknown
 * @param appSchemes URL schemes that the account allows for apps
 */
export function compileRules(
  rules: readonly Rule[],
  language?: string,
  appSchemes: ReadonlySet<string> = new Set(),
): Decide {
  const compiled = rules.map((rule, place) => ({
    ...compileRule(rule, place),
    decide: compileAction(rule.to, { rule: place, name: rule.name }, appSchemes),
  }));
  const negotiate = negotiateFor(rules);
  return (facts) => {
    const { open, otherwise } = negotiableRules(compiled, facts);
    if (open.length === 0) return otherwise?.decide(facts);
    const choice = negotiate(facts.languages, bitsOf(open), languageOf(otherwise, language));
    const winner = open.find(({ languages }) => languages.every((holds) => holds(choice.language)));
    return (winner ?? otherwise)?.decide(facts);
  };
}

/**
 * Returns the rules that take part in the language negotiation for a visit. `open` contains the rules that have
 * language conditions and whose other conditions match. The list ends before `otherwise`, the first matching rule
 * without a language condition, which applies if the negotiation chooses no rule in `open`. All other rules are left
 * out: if they took part, the language of a rule that cannot apply could hide that of a rule that can.
 */
function negotiableRules<R extends CompiledRule>(
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

/** Returns the language, in lower case, of the destination that applies if no language rule applies. */
function languageOf(otherwise: CompiledRule | undefined, ofLink: string | undefined): string | undefined {
  return (otherwise === undefined ? ofLink : statedLanguage(otherwise.to))?.toLowerCase();
}

function statedLanguage(to: Action): string | undefined {
  return 'gone' in to ? undefined : to.language;
}

/**
 * Creates the language negotiation for all rules. A rule that only excludes languages also offers the language of its
 * own destination.
 */
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

function allHold(conditions: readonly Matches[], facts: VisitFacts): boolean {
  for (const holds of conditions) if (!holds(facts)) return false;
  return true;
}

function compileAction(
  action: Action,
  won: Pick<Decision, 'rule' | 'name'>,
  appSchemes: ReadonlySet<string>,
): (facts: VisitFacts) => Decision {
  if ('split' in action) {
    const { split } = action;
    return ({ visitor }) => {
      const variant = chooseVariant(split, visitor, won.rule);
      return { ...won, variant, url: (split[variant] as Variant).url };
    };
  }
  const decision: Decision = { ...won, url: 'url' in action ? action.url : undefined };
  const offerApp = 'url' in action && action.apps ? compileApps(action.apps, appSchemes) : undefined;
  if (offerApp === undefined) return () => decision;
  return (facts) => {
    const app = offerApp(facts);
    return app === undefined ? decision : { ...decision, app };
  };
}

/**
 * Returns the index of the split variant for a visitor. The choice is stable for a day, because it depends on the
 * visitor hash. Choices for different rules on a link are independent. All visitors without a hash (0) get the same
 * variant.
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

/** Applies the finalizer of MurmurHash3, so that every bit of the input affects every bit of the output. */
function mix(number: number): number {
  let hash = number | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Explains why a rule matched or did not match. */
export interface Explanation {
  readonly rule: number;
  /**
   * Whether each condition matches, in order. All conditions are evaluated, including those after the first mismatch.
   */
  readonly conditions: readonly { readonly condition: Condition; readonly holds: boolean }[];
  /** Whether all conditions match. Rules after the rule that applies may match too. */
  readonly holds: boolean;
}

/**
 * Evaluates every condition of every rule for a visit, so that owners can test their rules. Also returns the negotiated
 * language if a rule depends on the language.
 */
export function explainRules(
  rules: readonly Rule[],
  facts: VisitFacts,
  language?: string,
): { readonly rules: readonly Explanation[]; readonly choice: LanguageChoice | undefined } {
  const { open, otherwise } = negotiableRules(rules.map(compileRule), facts);
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
