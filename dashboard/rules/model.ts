import type { LinkRule } from '../../src/client/client.ts';

export const facts = [
  ...['country', 'region', 'language', 'device', 'os', 'browser'],
  ...['referrer', 'query', 'time', 'date', 'class'],
] as const satisfies readonly LinkRule['when'][number]['fact'][];
export type Fact = (typeof facts)[number];

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Most rules of a link, conditions of a rule, ways of a split. */
export const most = { rules: 20, conditions: 10, ways: 10 } as const;

/** A condition as it is edited: what one fact does not ask for waits for another. */
export interface ConditionDraft {
  readonly key: number;
  readonly fact: Fact;
  readonly not: boolean;
  readonly values: readonly string[];
  /** Of a parameter. */
  readonly name: string;
  /** Of a date a moment in ISO 8601, of a time of day `09:00`; empty for none. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly days: readonly Weekday[];
}

export interface WayDraft {
  readonly key: number;
  readonly url: string;
  /** As it is typed. */
  readonly weight: string;
}

type ActionKind = 'url' | 'split' | 'gone';

/** A rule as it is edited. Keys tell rules, conditions and ways apart while they are moved. */
export interface RuleDraft {
  readonly key: number;
  readonly name: string;
  readonly when: readonly ConditionDraft[];
  readonly action: ActionKind;
  readonly url: string;
  readonly ways: readonly WayDraft[];
  /** Of where it leads, as a BCP 47 tag; empty when it is unknown. */
  readonly language: string;
}

/** A key that nothing in a list has. */
function nextKey(list: readonly { readonly key: number }[]): number {
  return Math.max(0, ...list.map(({ key }) => key)) + 1;
}

const blank: Omit<ConditionDraft, 'key' | 'fact'> = {
  not: false,
  values: [],
  name: '',
  from: '',
  to: '',
  zone: '',
  days: [],
};

export function addCondition(rule: RuleDraft, fact: Fact, zone: string): RuleDraft {
  const made = { ...blank, key: nextKey(rule.when), fact, zone: fact === 'time' ? zone : '' };
  return { ...rule, when: [...rule.when, made] };
}

/** The fact of a condition is another one: what was said of the old one does not fit it. */
export function withFact({ key, not }: ConditionDraft, fact: Fact, zone: string): ConditionDraft {
  return { ...blank, key, not, fact, zone: fact === 'time' ? zone : '' };
}

export function addWay(rule: RuleDraft, url = ''): RuleDraft {
  return { ...rule, ways: [...rule.ways, { key: nextKey(rule.ways), url, weight: '1' }] };
}

/** What a rule does is another thing. A split begins with where the rule led, and a second way. */
export function withAction(rule: RuleDraft, action: ActionKind): RuleDraft {
  const next = { ...rule, action };
  if (action !== 'split' || rule.ways.length > 0) return next;
  return addWay(addWay(next, rule.url));
}

/** Adds a rule behind the others: its first condition is there to be filled in. */
export function addRule(rules: readonly RuleDraft[], zone: string): readonly RuleDraft[] {
  const made: RuleDraft = {
    key: nextKey(rules),
    name: '',
    when: [],
    action: 'url',
    url: '',
    ways: [],
    language: '',
  };
  return [...rules, addCondition(made, 'country', zone)];
}

/** Takes an entry to another place in its list. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const entry = list[from];
  if (entry === undefined || to < 0 || to >= list.length || from === to) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, entry);
}

/** The rules of a link, to be edited. */
export function readRules(rules: readonly LinkRule[] | null | undefined): readonly RuleDraft[] {
  return (rules ?? []).map(({ name = '', when, to }, at) => ({
    key: at + 1,
    name,
    when: when.map(({ not = false, ...condition }, place) => ({
      ...blank,
      ...(condition as Partial<ConditionDraft>),
      not,
      key: place + 1,
      fact: condition.fact,
    })),
    action: 'url' in to ? 'url' : 'split' in to ? 'split' : 'gone',
    url: 'url' in to ? to.url : '',
    ways:
      'split' in to
        ? to.split.map(({ url, weight }, place) => ({ key: place + 1, url, weight: String(weight) }))
        : [],
    language: 'gone' in to ? '' : (to.language ?? ''),
  }));
}

/** The rules as the API takes them. @param toUrl makes an address of what was typed */
export function writeRules(rules: readonly RuleDraft[], toUrl: (text: string) => string): LinkRule[] {
  return rules.map((rule) => ({
    ...(rule.name.trim() === '' ? {} : { name: rule.name.trim() }),
    when: rule.when.map(writeCondition),
    to: writeAction(rule, toUrl),
  }));
}

function writeAction({ action, url, ways, language }: RuleDraft, toUrl: (text: string) => string) {
  if (action === 'gone') return { gone: true } as const;
  const spoken = language.trim() === '' ? {} : { language: language.trim() };
  if (action === 'url') return { url: toUrl(url), ...spoken };
  return { split: ways.map((way) => ({ url: toUrl(way.url), weight: Number(way.weight) })), ...spoken };
}

/** Returns true if a rule asks for the visitor's language. */
export function asksLanguage({ when }: RuleDraft): boolean {
  return when.some(({ fact }) => fact === 'language');
}

function writeCondition(condition: ConditionDraft): LinkRule['when'][number] {
  const { fact, values, name, from, to, zone, days } = condition;
  const not = condition.not ? { not: true } : {};
  const bounds = { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
  switch (fact) {
    case 'query':
      return { fact, ...not, name, ...(values.length === 0 ? {} : { values: [...values] }) };
    case 'date':
      return { fact, ...not, ...bounds };
    case 'time':
      return { fact, ...not, zone, ...(days.length === 0 ? {} : { days: [...days] }), ...bounds };
    default:
      return { fact, ...not, values: [...values] };
  }
}

type FaultName = 'values' | 'name' | 'bounds' | 'order' | 'when' | 'url' | 'weight' | 'ways';

/** What is seen to be wrong before the server is asked, by the field: `rules[0].when[1].values`. */
export function faultsOf(
  rules: readonly RuleDraft[],
  isUrl: (text: string) => boolean,
): ReadonlyMap<string, FaultName> {
  const faults = new Map<string, FaultName>();
  for (const [at, rule] of rules.entries()) {
    for (const [place, condition] of rule.when.entries()) {
      const fault = faultOf(condition);
      if (fault !== undefined) faults.set(`rules[${at}].when[${place}]`, fault);
    }
    if (rule.action === 'url' && !isUrl(rule.url)) faults.set(`rules[${at}].to.url`, 'url');
    if (rule.action !== 'split') continue;
    if (rule.ways.length === 0) faults.set(`rules[${at}].to`, 'ways');
    for (const [place, { url, weight }] of rule.ways.entries()) {
      if (!isUrl(url)) faults.set(`rules[${at}].to.split[${place}].url`, 'url');
      if (!(Number(weight) > 0)) faults.set(`rules[${at}].to.split[${place}].weight`, 'weight');
    }
  }
  return faults;
}

function faultOf({ fact, values, name, from, to, days }: ConditionDraft): FaultName | undefined {
  switch (fact) {
    case 'query':
      return name === '' ? 'name' : undefined;
    case 'date':
      if (from === '' && to === '') return 'bounds';
      return from !== '' && to !== '' && Date.parse(from) >= Date.parse(to) ? 'order' : undefined;
    case 'time':
      return from === '' && to === '' && days.length === 0 ? 'when' : undefined;
    default:
      return values.length === 0 ? 'values' : undefined;
  }
}

/** What was told of rules, without what was told of those that have changed since. */
export function faultsLeft(
  faults: Readonly<Record<string, string>>,
  before: readonly RuleDraft[],
  after: readonly RuleDraft[],
): Readonly<Record<string, string>> {
  // Another order: no place means what it meant.
  if (after.length !== before.length || after.some(({ key }, at) => key !== before[at]?.key)) return {};
  return Object.fromEntries(
    Object.entries(faults).filter(([path]) => {
      const at = Number(/^rules\[(\d+)\]/.exec(path)?.[1] ?? -1);
      return at >= 0 && after[at] === before[at];
    }),
  );
}

/** The first fault at a field or below it. */
export function faultAt(faults: Readonly<Record<string, string>>, path: string): string | undefined {
  return Object.entries(faults).find(([field]) => field.startsWith(path))?.[1];
}

/** The share of each way, of 1; 0 for what is no weight. */
export function sharesOf(ways: readonly Pick<WayDraft, 'weight'>[]): readonly number[] {
  const weights = ways.map(({ weight }) => (Number(weight) > 0 ? Number(weight) : 0));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : weight / sum));
}
