import type { Body, Problem } from './basics.ts';

/** A link's options other than its destination, as in the API's extensions. JSON is stored as a string. */
export interface Settings {
  startsAt: number | null;
  disabled: boolean;
  expiredUrl: string | null;
  redirectStatus: number | null;
  forwardQuery: string | null;
  rules: string | null;
  maxClicks: number | null;
  utm: string | null;
  archived: boolean;
}

/** A link's default options. */
export const usual: Settings = {
  startsAt: null,
  disabled: false,
  expiredUrl: null,
  redirectStatus: null,
  forwardQuery: null,
  rules: null,
  maxClicks: null,
  utm: null,
  archived: false,
};

export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** A rule as sent in a request. It is limited to the kinds of rules that the model supports. */
export interface Rule {
  readonly name?: string;
  readonly when: readonly {
    readonly fact: 'class' | 'query' | 'date';
    readonly not?: boolean;
    readonly values?: readonly string[];
    readonly name?: string;
    readonly from?: string;
  }[];
  readonly to: { readonly url: string } | { readonly split: readonly [{ readonly url: string }] } | object;
}

function bad(field: string, reason: string): Problem {
  return [field, reason, 'VALIDATION_ERROR'];
}

function typed(body: Body, field: string, type: string): Problem[] {
  const value = body[field];
  return value === undefined || value === null || typeof value === type ? [] : [bad(field, 'wrong_type')];
}

function oneOf(body: Body, field: string, values: readonly unknown[]): Problem[] {
  const value = body[field];
  return value === undefined || value === null || values.includes(value) ? [] : [bad(field, 'unknown_value')];
}

function clicksProblems({ maxClicks }: Body): Problem[] {
  if (maxClicks === undefined || maxClicks === null) return [];
  if (!Number.isInteger(maxClicks)) return [bad('maxClicks', 'wrong_type')];
  const clicks = Number(maxClicks);
  return clicks >= 1 && clicks <= 1_000_000_000 ? [] : [bad('maxClicks', 'out_of_range')];
}

function utmProblems({ utm }: Body): Problem[] {
  if (utm === undefined || utm === null) return [];
  if (typeof utm !== 'object') return [bad('utm', 'wrong_type')];
  const wrong = Object.entries(utm).find(([, value]) => value.length < 1 || value.length > 100);
  if (wrong !== undefined) return [bad(`utm.${wrong[0]}`, wrong[1] === '' ? 'too_short' : 'too_long')];
  const names: readonly string[] = utmNames;
  return Object.keys(utm).every((name) => names.includes(name)) ? [] : [bad('utm', 'not_allowed')];
}

/** Returns the format errors in link options, in order. */
export function shapeOfSettings(body: Body): Problem[] {
  const { rules } = body;
  return [
    ...typed(body, 'startsAt', 'string'),
    ...typed(body, 'disabled', 'boolean'),
    ...typed(body, 'expiredUrl', 'string'),
    ...oneOf(body, 'redirectStatus', [301, 302, 307, 308]),
    ...oneOf(body, 'forwardQuery', ['none', 'add', 'override']),
    ...(rules === undefined || rules === null || Array.isArray(rules) ? [] : [bad('rules', 'wrong_type')]),
    ...clicksProblems(body),
    ...utmProblems(body),
    ...typed(body, 'archived', 'boolean'),
  ];
}

/**
 * Returns the errors in link options, except format errors.
 * @param expiresAt the expiry time, if one is set
 * @param urlRule returns the errors in a destination
 */
export function rulesOfSettings(
  body: Body,
  expiresAt: unknown,
  urlRule: (url: unknown) => readonly Problem[],
): Problem[] {
  const { startsAt, expiredUrl, rules } = body;
  const at = typeof startsAt === 'string' ? Date.parse(startsAt) : undefined;
  const end = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  const urls: readonly (readonly [place: string, url: unknown])[] = [
    ['expiredUrl', expiredUrl],
    ...(Array.isArray(rules) ? (rules as Rule[]) : []).flatMap(({ to }, place): [string, string][] => {
      if ('url' in to) return [[`rules[${place}].to.url`, to.url]];
      return 'split' in to ? [[`rules[${place}].to.split[0].url`, to.split[0].url]] : [];
    }),
  ];
  return [
    ...(at !== undefined && Number.isNaN(at) ? [bad('startsAt', 'invalid_format')] : []),
    ...(at !== undefined && at >= end ? [bad('startsAt', 'out_of_range')] : []),
    ...urls.flatMap(([place, url]) => urlRule(url).map(([, reason]) => bad(place, reason))),
  ];
}

/** Returns the options in a body as stored. */
export function settingsIn(body: Body): Partial<Settings> {
  const kept: Readonly<Record<keyof Settings, (value: never) => unknown>> = {
    startsAt: (value: string) => Date.parse(value),
    expiredUrl: (value: string) => new URL(value.trim()).href,
    rules: (value: readonly Rule[]) => (value.length === 0 ? null : JSON.stringify(value)),
    utm: (value: Readonly<Record<string, string>>) => {
      const named = utmNames.filter((name) => name in value).map((name) => [name, value[name]]);
      return named.length === 0 ? null : JSON.stringify(Object.fromEntries(named));
    },
    disabled: (value) => value,
    archived: (value) => value,
    redirectStatus: (value) => value,
    forwardQuery: (value) => value,
    maxClicks: (value) => value,
  };
  const names = Object.keys(usual) as (keyof Settings)[];
  return Object.fromEntries(
    names
      .filter((name) => body[name] !== undefined)
      .map((name) => [name, body[name] === null ? usual[name] : kept[name](body[name] as never)]),
  );
}

/** Returns the link options as in responses with `include`, in order. */
export function shownSettings(settings: Settings): Body {
  const { startsAt, rules, utm } = settings;
  return {
    startsAt: startsAt === null ? null : new Date(startsAt).toISOString(),
    disabled: settings.disabled,
    expiredUrl: settings.expiredUrl,
    redirectStatus: settings.redirectStatus,
    forwardQuery: settings.forwardQuery,
    rules: rules === null ? null : JSON.parse(rules),
    maxClicks: settings.maxClicks,
    utm: utm === null ? null : JSON.parse(utm),
    archived: settings.archived,
  };
}
