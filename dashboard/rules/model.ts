import type { LinkRule } from '../../src/client/client.ts';

type Apps = NonNullable<Extract<LinkRule['to'], { readonly url: string }>['apps']>;

export const facts = [
  ...['country', 'region', 'language', 'device', 'os', 'browser'],
  ...['referrer', 'query', 'time', 'date', 'class'],
] as const satisfies readonly LinkRule['when'][number]['fact'][];
export type Fact = (typeof facts)[number];

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Maximum number of rules per link, conditions per rule, and variants per split. */
export const most = { rules: 20, conditions: 10, ways: 10 } as const;

/** Condition being edited. Fields that the fact does not use are empty. */
export interface ConditionDraft {
  readonly key: number;
  readonly fact: Fact;
  readonly not: boolean;
  readonly values: readonly string[];
  /** Name of the query parameter. Used by the fact `query` only. */
  readonly name: string;
  /** ISO 8601 for dates, or a time such as `09:00` for times of day. Empty means no limit. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly days: readonly Weekday[];
}

export interface WayDraft {
  readonly key: number;
  readonly url: string;
  /** Weight as typed. */
  readonly weight: string;
}

export const platforms = ['ios', 'android'] as const;
export type Platform = (typeof platforms)[number];

/** App and store URLs as typed. Empty means not set. */
export interface AppDraft {
  readonly appUrl: string;
  readonly storeUrl: string;
}

export const actionKinds = ['url', 'app', 'split', 'gone'] as const;
type ActionKind = (typeof actionKinds)[number];

/** Rule being edited. Keys identify rules, conditions and variants when the user moves them. */
export interface RuleDraft {
  readonly key: number;
  readonly name: string;
  readonly when: readonly ConditionDraft[];
  readonly action: ActionKind;
  readonly url: string;
  readonly ways: readonly WayDraft[];
  readonly apps: Readonly<Record<Platform, AppDraft>>;
  /** The destination's language as a BCP 47 tag. Empty if unknown. */
  readonly language: string;
}

/** Returns a key that no entry in the list uses. */
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

/** Changes a condition's fact and clears its values. */
export function withFact({ key, not }: ConditionDraft, fact: Fact, zone: string): ConditionDraft {
  return { ...blank, key, not, fact, zone: fact === 'time' ? zone : '' };
}

export function addWay(rule: RuleDraft, url = ''): RuleDraft {
  return { ...rule, ways: [...rule.ways, { key: nextKey(rule.ways), url, weight: '1' }] };
}

/** Changes a rule's action. A split starts with the rule's destination and an empty second variant. */
export function withAction(rule: RuleDraft, action: ActionKind): RuleDraft {
  const next = { ...rule, action };
  if (action !== 'split' || rule.ways.length > 0) return next;
  return addWay(addWay(next, rule.url));
}

const noApps = appsIn(undefined);

function appsIn(apps: Apps | undefined): RuleDraft['apps'] {
  const read = (platform: Platform): AppDraft => {
    const { appUrl = '', storeUrl = '' } = apps?.[platform] ?? {};
    return { appUrl, storeUrl };
  };
  return { ios: read('ios'), android: read('android') };
}

/** Appends a rule with one empty condition. */
export function addRule(rules: readonly RuleDraft[], zone: string): readonly RuleDraft[] {
  const made: RuleDraft = {
    key: nextKey(rules),
    name: '',
    when: [],
    action: 'url',
    url: '',
    ways: [],
    apps: noApps,
    language: '',
  };
  return [...rules, addCondition(made, 'country', zone)];
}

/** Returns a list with an entry moved to another position. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const entry = list[from];
  if (entry === undefined || to < 0 || to >= list.length || from === to) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, entry);
}

/** Converts a link's rules from API format to drafts. */
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
    action: actionIn(to),
    apps: appsIn('url' in to ? to.apps : undefined),
    url: 'url' in to ? to.url : '',
    ways:
      'split' in to
        ? to.split.map(({ url, weight }, place) => ({ key: place + 1, url, weight: String(weight) }))
        : [],
    language: 'gone' in to ? '' : (to.language ?? ''),
  }));
}

function actionIn(to: LinkRule['to']): ActionKind {
  if ('url' in to) return to.apps === undefined ? 'url' : 'app';
  return 'split' in to ? 'split' : 'gone';
}

/** Converts drafts to rules in API format. @param toUrl normalizes a URL that the user typed */
export function writeRules(rules: readonly RuleDraft[], toUrl: (text: string) => string): LinkRule[] {
  return rules.map((rule) => ({
    ...(rule.name.trim() === '' ? {} : { name: rule.name.trim() }),
    when: rule.when.map(writeCondition),
    to: writeAction(rule, toUrl),
  }));
}

function writeAction({ action, url, ways, apps, language }: RuleDraft, toUrl: (text: string) => string) {
  if (action === 'gone') return { gone: true } as const;
  const spoken = language.trim() === '' ? {} : { language: language.trim() };
  if (action === 'url') return { url: toUrl(url), ...spoken };
  if (action === 'app') return { url: toUrl(url), apps: writeApps(apps, toUrl), ...spoken };
  return { split: ways.map((way) => ({ url: toUrl(way.url), weight: Number(way.weight) })), ...spoken };
}

function writeApps(apps: RuleDraft['apps'], toUrl: (text: string) => string): Apps {
  const given = platforms.filter((platform) => !isEmpty(apps[platform]));
  return Object.fromEntries(
    given.map((platform) => {
      const { appUrl, storeUrl } = apps[platform];
      return [platform, { appUrl: appUrl.trim(), ...(storeUrl.trim() && { storeUrl: toUrl(storeUrl) }) }];
    }),
  );
}

function isEmpty({ appUrl, storeUrl }: AppDraft): boolean {
  return appUrl.trim() === '' && storeUrl.trim() === '';
}

/** Returns true if a rule tests the visitor's language. */
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

type FaultName = 'values' | 'name' | 'bounds' | 'order' | 'when' | 'url' | 'weight' | 'ways' | 'app';

/** Returns the validation errors that can be detected without a request, keyed by path, such as `rules[0].when[1]`. */
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
    const isPage = rule.action === 'url' || rule.action === 'app';
    if (isPage && !isUrl(rule.url)) faults.set(`rules[${at}].to.url`, 'url');
    if (rule.action === 'app')
      for (const platform of platformsWithoutApp(rule.apps))
        faults.set(`rules[${at}].to.apps.${platform}.appUrl`, 'app');
    if (rule.action !== 'split') continue;
    if (rule.ways.length === 0) faults.set(`rules[${at}].to`, 'ways');
    for (const [place, { url, weight }] of rule.ways.entries()) {
      if (!isUrl(url)) faults.set(`rules[${at}].to.split[${place}].url`, 'url');
      if (!(Number(weight) > 0)) faults.set(`rules[${at}].to.split[${place}].weight`, 'weight');
    }
  }
  return faults;
}

/**
 * Returns the platforms that have only a store URL and lack an app URL. Returns the first platform if all are empty.
 */
function platformsWithoutApp(apps: RuleDraft['apps']): readonly Platform[] {
  if (platforms.every((platform) => isEmpty(apps[platform]))) return ['ios'];
  return platforms.filter((platform) => !isEmpty(apps[platform]) && apps[platform].appUrl.trim() === '');
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

/** Returns the errors that still apply after an edit: the errors for unchanged rules. */
export function faultsLeft(
  faults: Readonly<Record<string, string>>,
  before: readonly RuleDraft[],
  after: readonly RuleDraft[],
): Readonly<Record<string, string>> {
  // Rules were added, removed or moved, so all paths are invalid.
  if (after.length !== before.length || after.some(({ key }, at) => key !== before[at]?.key)) return {};
  return Object.fromEntries(
    Object.entries(faults).filter(([path]) => {
      const at = Number(/^rules\[(\d+)\]/.exec(path)?.[1] ?? -1);
      return at >= 0 && after[at] === before[at];
    }),
  );
}

/** Returns the first error at a path or below that path. */
export function faultAt(faults: Readonly<Record<string, string>>, path: string): string | undefined {
  return Object.entries(faults).find(([field]) => field.startsWith(path))?.[1];
}

/** Returns each variant's share of visits, 0 to 1. The share is 0 if the weight is invalid. */
export function sharesOf(ways: readonly Pick<WayDraft, 'weight'>[]): readonly number[] {
  const weights = ways.map(({ weight }) => (Number(weight) > 0 ? Number(weight) : 0));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : weight / sum));
}
