import { BadRow, countryOf, type Fields } from './fields.ts';
import type { LinkLine, SourceRecord } from './format.ts';
import { joinParts, passwordFrom, redirectFrom, stateFrom } from './link-values.ts';
import { type Choices, readRows, shortUrlIn } from './service.ts';

/** Names that the source uses for each Linkfold field. The first name that has a value wins. */
export type Names = Readonly<Partial<Record<string, readonly string[]>>>;

/**
 * Parses field names such as `title tags expiresAt:expire_in|ttl`: each Linkfold name is followed by the source's names
 * if they differ.
 */
export function namesIn(text: string): Names {
  const pairs = text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [ours = '', theirs = ours] = word.split(':');
      return [ours, theirs.split('|')] as const;
    });
  return Object.fromEntries(pairs);
}

/**
 * Converts a row to a link and its total number of clicks at the source.
 * @param more fields that cannot be read by name alone
 * @throws BadRow if the row is invalid
 */
export function linkFrom(
  row: Fields,
  names: Names,
  { domain, redirectStatus }: Choices,
  more: Partial<LinkLine> = {},
): SourceRecord[] {
  const of = (field: string): readonly string[] => names[field] ?? [];
  const short = row.read(of('short'), (address) => shortUrlIn(String(address).trim()));
  const code = more.code ?? row.text(...of('code'))?.replace(/^\//, '') ?? short?.code;
  if (code === undefined || code === '') throw new BadRow('the code is missing');
  const host = more.domain ?? row.text(...of('domain')) ?? domain ?? short?.domain ?? null;
  const key = more.key ?? row.text(...of('key')) ?? `${host ?? ''}/${code}`;
  const maxClicks = row.number(...of('maxClicks')) || undefined;
  const clicks = row.number(...of('clicks'));
  const ours: Partial<LinkLine> = {
    title: row.text(...of('title')),
    description: row.text(...of('description')),
    tags: row.list(...of('tags')),
    createdAt: row.time(...of('createdAt')),
    startsAt: row.time(...of('startsAt')),
    expiresAt: row.time(...of('expiresAt')),
    expiredUrl: row.text(...of('expiredUrl')),
    maxClicks,
    clicksUsed: maxClicks === undefined ? undefined : clicks,
    disabled: row.flag(...of('disabled')),
    archived: row.flag(...of('archived')),
    forwardQuery: row.flag(...of('forwardQuery')) ? 'override' : undefined,
    externalId: row.text(...of('externalId')),
    redirectStatus,
  };
  const link: LinkLine = {
    type: 'link',
    url: row.need(...(names['url'] ?? ['url'])),
    ...joinParts(
      ours,
      passwordFrom(row.any(...of('password'))),
      stateFrom(row.text(...of('state'))),
      redirectFrom(row.text(...of('redirectStatus'))),
      more,
    ),
    key,
    domain: host,
    code,
  };
  return clicks === undefined ? [link] : [link, { type: 'counter', key, clicks }];
}

/** Returns a link's key, built from its code, for installations with a single domain. */
export function keyOfCode({ domain }: Choices, code: string): string {
  return `${domain ?? ''}/${code}`;
}

/** Converts a row to a click. @throws BadRow if the row is invalid */
export function visitFrom(
  row: Fields,
  names: Names,
  key = row.need(...(names['key'] ?? ['key'])),
): SourceRecord[] {
  const of = (field: string): readonly string[] => names[field] ?? [];
  const word = (field: string, most = 255): string | undefined => row.text(...of(field))?.slice(0, most);
  const clicks = row.number(...of('clicks')) ?? 1;
  return [
    {
      type: 'visit',
      key,
      at: row.needTime(...of('at')),
      clicks: clicks === 1 ? undefined : clicks,
      bot: row.flag(...of('bot')) || undefined,
      userAgent: word('userAgent', 1_024),
      // Some sources report `direct` if there was no referrer.
      referrer: word('referrer', 4_096)?.replace(/^\(?direct\)?$/i, '') ?? '',
      country: countryOf(word('country')),
      region: word('region'),
      browser: word('browser'),
      os: word('os'),
      device: word('device'),
      language: word('language', 64),
    },
  ];
}

/**
 * Reads a link's clicks per day.
 * @param at name of the field with the day
 * @param count name of the field with the clicks
 */
export function readDays(days: readonly unknown[], key: string, choices: Choices, at: string, count: string) {
  return readRows(days, `days of link ${key}`, choices, (row) => {
    const clicks = row.number(count) ?? 0;
    return clicks === 0 ? [] : [{ type: 'bucket', key, at: row.needTime(at), unit: 'day', clicks }];
  });
}

/** Returns UTM parameters from a row's fields, for sources with one field per parameter. */
export function utmFrom(row: Fields, nameOf: (ours: string) => string): LinkLine['utm'] {
  const pairs = ['source', 'medium', 'campaign', 'term', 'content'].flatMap((name) => {
    const value = row.text(nameOf(name));
    return value === undefined ? [] : [[name, value]];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

/** Returns the keys whose value is true, or undefined if there are none. */
export function lostOf(words: Readonly<Record<string, boolean>>): string[] | undefined {
  const lost = Object.keys(words).filter((word) => words[word]);
  return lost.length === 0 ? undefined : lost;
}

type Rule = NonNullable<LinkLine['rules']>[number];

/**
 * Converts redirects by operating system, device type or country to redirect rules. Several services support such
 * redirects.
 */
export function rulesFrom(
  targets: Readonly<Partial<Record<'ios' | 'android' | 'desktop', string | undefined>>>,
  geo?: Fields,
  others: readonly Rule[] = [],
): Rule[] | undefined {
  const to = (fact: string, value: string, url: string | undefined): Rule[] =>
    url === undefined ? [] : [{ when: [{ fact, values: [value] }], to: { url } }];
  const countries = (geo?.names() ?? []).flatMap((code) =>
    to('country', code.toUpperCase(), geo?.text(code)),
  );
  const { ios, android, desktop } = targets;
  const systems = [
    ...to('os', 'ios', ios),
    ...to('os', 'android', android),
    ...to('device', 'desktop', desktop),
  ];
  const rules = [...systems, ...countries, ...others];
  return rules.length === 0 ? undefined : rules;
}
