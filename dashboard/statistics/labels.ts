import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { locale } from '../texts/locale.ts';
import type { Value } from './model/answer.ts';
import type { Filter } from './model/filters.ts';
import { t } from './texts.ts';

/** Names that are identical in every language. */
const names: Readonly<Record<string, string>> = {
  chrome: 'Chrome',
  safari: 'Safari',
  firefox: 'Firefox',
  edge: 'Edge',
  opera: 'Opera',
  samsung: 'Samsung Internet',
  instagram: 'Instagram',
  facebook: 'Facebook',
  webview: 'WebView',
  google: 'Google app',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
  whatsapp: 'WhatsApp',
  x: 'X',
  windows: 'Windows',
  macos: 'macOS',
  ios: 'iOS',
  android: 'Android',
  linux: 'Linux',
  chromeos: 'ChromeOS',
  harmonyos: 'HarmonyOS',
  kaios: 'KaiOS',
  tizen: 'Tizen',
  webos: 'webOS',
  tvos: 'tvOS',
  watchos: 'watchOS',
  playstation: 'PlayStation',
  nintendo: 'Nintendo',
  bsd: 'BSD',
};

/** Caches `Intl.DisplayNames` for regions and languages, in the user's language. */
const displayNames = new Map<string, Intl.DisplayNames>();

export function nameIn(type: 'region' | 'language', code: string): string {
  const key = `${type} ${locale}`;
  const known = displayNames.get(key) ?? new Intl.DisplayNames(locale, { type });
  displayNames.set(key, known);
  try {
    return known.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Returns true if a dimension has values only for links that use rules, variants or UTM parameters. */
function isOptional(dimension: StatisticsDimension): boolean {
  return dimension === 'rule' || dimension === 'variant' || dimension.startsWith('utm');
}

/** Returns the label for a dimension's value. */
export function labelOf(
  dimension: StatisticsDimension,
  { value, label }: Pick<Value, 'value' | 'label'>,
): string {
  const { statistics } = t;
  if (dimension === 'link') return label === undefined ? value : `/${label}`;
  if (dimension === 'folder') return value === '' ? t.noFolder : (label ?? value);
  if (dimension === 'domain') return label ?? (value === '' ? statistics.sharedDomain : value);
  if (value === '') {
    if (dimension === 'referrer' || dimension === 'referrerKind') return statistics.direct;
    return isOptional(dimension) ? statistics.without : statistics.unknown;
  }
  switch (dimension) {
    case 'country':
      return nameIn('region', value);
    case 'language':
      return nameIn('language', value);
    case 'class':
      return (statistics.classes as Readonly<Record<string, string>>)[value] ?? value;
    case 'os':
    case 'browser':
      return names[value] ?? statistics.words[value] ?? capital(value);
    case 'device':
    case 'trigger':
    case 'utmFrom':
    case 'referrerKind':
      return statistics.words[value] ?? capital(value);
    default:
      return value;
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Returns the label of a filter in three parts, such as "Device", "is", "Phone". */
export function filterParts(
  { dimension, operator, values }: Filter,
  labels: ReadonlyMap<string, string>,
): readonly [what: string, how: string, value: string] {
  const named = values.map((value) => {
    const label = labels.get(value);
    return operator === 'contains'
      ? value
      : labelOf(dimension, { value, ...(label !== undefined && { label }) });
  });
  return [t.statistics.dimension[dimension], t.statistics.operators[operator], named.join(', ')];
}
