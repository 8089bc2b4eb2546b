import type { LinkRule } from '../../src/client/client.ts';
import { labelOf, nameIn } from '../statistics/labels.ts';
import { dateAndTime, list, percent } from '../texts/format.ts';
import { locale } from '../texts/locale.ts';
import { type Fact, sharesOf, type Weekday, weekdays } from './model.ts';
import { t } from './texts.ts';

/** The user's time zone. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Allowed values for each fact, same as on the server. */
export const words = {
  device: ['desktop', 'mobile', 'tablet', 'tv', 'console', 'watch', 'other', ''],
  os: [
    ...['windows', 'macos', 'ios', 'android', 'linux', 'chromeos', 'harmonyos', 'kaios', 'tizen', 'webos'],
    ...['tvos', 'watchos', 'playstation', 'nintendo', 'roku', 'bsd', 'other', ''],
  ],
  browser: [
    ...['chrome', 'safari', 'firefox', 'edge', 'opera', 'samsung', 'instagram', 'facebook', 'webview'],
    ...['google', 'tiktok', 'snapchat', 'linkedin', 'pinterest', 'x', 'reddit', 'whatsapp', 'telegram'],
    ...['line', 'wechat', 'kakaotalk', 'slack', 'teams', 'duckduckgo', 'brave', 'vivaldi', 'yandex', 'uc'],
    ...['miui', 'huawei', 'vivo', 'oppo', 'qq', 'whale', 'silk', 'android', 'ie', 'ecosia', 'naver'],
    ...['other', ''],
  ],
  class: ['human', 'bot', 'preview', 'prefetch'],
} as const satisfies Partial<Readonly<Record<Fact, readonly string[]>>>;

interface Word {
  readonly value: string;
  readonly label: string;
}

// Codes that have a name but are not countries, such as unions and codes reserved in ISO 3166-1.
const noCountries = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB XX ZZ'.split(' '));
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairs = letters.flatMap((a) => letters.map((b) => a + b));

/** Returns all countries with their names in the user's language. */
function countries(): Word[] {
  return pairs
    .filter((code) => !noCountries.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .map((code) => ({ value: code, label: nameIn('region', code) }))
    .filter(({ value, label }) => label !== value);
}

/** Returns all languages that have two-letter codes, with their names. */
function languages(): Word[] {
  return pairs
    .map((pair) => pair.toLowerCase())
    .filter((tag) => new Intl.Locale(tag).language === tag)
    .map((tag) => ({ value: tag, label: nameIn('language', tag) }))
    .filter(({ value, label }) => label !== value);
}

const made = new Map<Fact, readonly Word[]>();

/** Returns the suggested values for a fact. Empty if any text is allowed. */
export function wordsOf(fact: Fact): readonly Word[] {
  const known = made.get(fact);
  if (known !== undefined) return known;
  const found = make(fact);
  made.set(fact, found);
  return found;
}

function make(fact: Fact): readonly Word[] {
  const unknown = { value: '', label: wordOf(fact, '') };
  switch (fact) {
    case 'country':
      return [...sorted(countries()), unknown];
    case 'language':
      return sorted(languages());
    case 'device':
    case 'os':
    case 'browser':
    case 'class':
      return words[fact].map((value) => ({ value, label: wordOf(fact, value) }));
    case 'region':
    case 'referrer':
      return [unknown];
    default:
      return [];
  }
}

function sorted(found: Word[]): Word[] {
  return found.toSorted((a, b) => a.label.localeCompare(b.label, locale));
}

/** Returns the label for a fact's value. */
export function wordOf(fact: Fact, value: string): string {
  if (value === '' && fact === 'referrer') return t.rules.noReferrer;
  if (fact === 'query' || fact === 'time' || fact === 'date') return value;
  return labelOf(fact, { value });
}

/** Returns the short name of a weekday in the user's language. */
export function dayName(day: Weekday): string {
  // January 1, 2024 was a Monday.
  const at = Date.UTC(2024, 0, 1 + weekdays.indexOf(day));
  return new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(at);
}

/** Describes a condition, such as "Country is Austria or Germany". */
export function conditionText(condition: LinkRule['when'][number]): string {
  const { rules } = t;
  const { fact, not = false } = condition;
  const name = rules.facts[fact];
  switch (condition.fact) {
    case 'query': {
      const { values = [] } = condition;
      const what = `${name} “${condition.name}”`;
      return values.length === 0 ? rules.isThere(what, not) : rules.is(what, either(values), not);
    }
    case 'date':
      return rules.is(name, between(condition.from, condition.to, dateAndTime), not);
    case 'time': {
      const days = (condition.days ?? []).map(dayName);
      const hours = between(condition.from, condition.to, (hour) => hour);
      const when = [list(days), hours].filter((part) => part !== '').join(' ');
      return rules.is(name, `${when} (${condition.zone})`, not);
    }
    default:
      return rules.is(name, either(condition.values.map((value) => wordOf(condition.fact, value))), not);
  }
}

function either(words: readonly string[]): string {
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(words);
}

function between(from: string | undefined, to: string | undefined, show: (text: string) => string): string {
  return [from && t.rules.from(show(from)), to && t.rules.until(show(to))].filter(Boolean).join(' ');
}

/** Describes a rule's conditions. */
export function whenText(when: LinkRule['when']): string {
  return when.length === 0 ? t.rules.always : when.map(conditionText).join(', ');
}

/** Describes a rule's destination. */
export function actionText(to: LinkRule['to']): string {
  if ('gone' in to) return t.rules.gone;
  if ('url' in to) return to.apps === undefined ? bare(to.url) : t.rules.appOr(bare(to.url));
  const shares = sharesOf(to.split.map(({ weight }) => ({ weight: String(weight) })));
  return to.split.map(({ url }, at) => `${percent(shares[at] ?? 0)} ${bare(url)}`).join(', ');
}

function bare(url: string): string {
  return url === '' ? '…' : url.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}
