import { browsers, devices, systems } from '../clicks/dimensions/agents.ts';
import { clickClasses } from '../domain/clicks.ts';
import type { Context } from '../domain/context.ts';
import { readDestination } from '../domain/destinations.ts';
import type { Problem } from '../domain/failures.ts';
import { draftProblems } from '../domain/links.ts';
import { ruleProblems } from '../rules/problems.ts';
import type { Rule, WordFact } from '../rules/rule.ts';

/** What is wrong with a draft or a change beyond the shape of its fields. */
export function linkProblems(context: Context, body: Parameters<typeof draftProblems>[1]): Problem[] {
  const readUrl = (url: string) => readDestination(url, context.destinations);
  const rules = (body.rules ?? []) as readonly Rule[];
  return [...draftProblems(context, body), ...ruleProblems(rules, { readUrl, wordsOf })];
}

const words: Partial<Readonly<Record<WordFact, ReadonlySet<string>>>> = {
  os: new Set(systems),
  device: new Set(devices),
  browser: new Set(browsers),
  class: new Set(clickClasses),
};

function wordsOf(fact: WordFact): ReadonlySet<string> | undefined {
  return words[fact];
}
