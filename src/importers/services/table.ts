import { guessColumns } from '../columns.ts';
import type { LinkLine } from '../format.ts';
import { joinParts, stateFrom } from '../link-values.ts';
import { linkFrom, lostOf, type Names, rulesFrom, utmFrom } from '../rows.ts';
import { type ParseRow, SourceFailure, shortUrlIn } from '../service.ts';

/**
 * Guesses the field for each column from the column's name. Several columns may contain short URLs.
 * @param chosen columns that the user named; they take precedence
 * @throws SourceFailure if there is no column for the destination, or none for the code
 */
export function mappingOf(columns: readonly string[], chosen: Readonly<Record<string, string>>): Names {
  const all = `Columns: ${columns.join(', ')}.`.slice(0, 2_000);
  const missing = Object.values(chosen).find((name) => !columns.includes(name));
  if (missing !== undefined) throw new SourceFailure(`Column "${missing}" not found. ${all}`);
  const found = guessColumns(columns, chosen);
  const lacks =
    found['url'] === undefined ? 'url' : (found['code'] ?? found['short']) === undefined ? 'code' : undefined;
  if (lacks !== undefined)
    throw new SourceFailure(
      `No column found for ${lacks}. Use --column ${lacks}=NAME, or --no-header if the first line is data. ${all}`,
    );
  return found;
}

/** Returns the parser for spreadsheet rows. */
export function tableRow(mapping: Names): ParseRow {
  const { short = [], state = [], disabled = [], deletedAt = [], ...names } = mapping;
  const of = (field: string): string => mapping[field]?.[0] ?? '';
  return (row, choices) => {
    const shorts = short.flatMap((column) => row.read([column], shortsIn) ?? []);
    const [first] = shorts;
    const code = row.text(of('code'))?.replace(/^\//, '') ?? first?.code;
    const home = shorts.find(({ domain }) => domain !== undefined)?.domain;
    const host = row.text(of('domain'))?.replace(/^https?:\/\/|\/.*$/gi, '') ?? choices.domain ?? home;
    const here = shorts.filter(({ domain = home }) => domain === (first?.domain ?? home));
    const aliases = new Set(here.map((one) => one.code));
    if (code !== undefined) aliases.delete(code);
    const targets = { ios: row.text(of('ios')), android: row.text(of('android')) };
    const parts: Partial<LinkLine>[] = [
      ...state.map((column) => stateFrom(row.text(column))),
      {
        disabled: disabled.some((column) => row.flag(column)) || row.any(...deletedAt) !== undefined,
        aliases: aliases.size === 0 ? undefined : [...aliases],
        rules: rulesFrom(targets),
        utm: utmFrom(row, (name) => of(`utm_${name}`)),
        lost: lostOf({
          cloaking: row.flag(of('cloaking')),
          'codes on other hosts': here.length < shorts.length,
        }),
        ...(code !== undefined && { code }),
        ...(host !== undefined && { domain: host }),
      },
      fromDynamicLink(row.text(of('url')) ?? '') ?? {},
    ];
    return linkFrom(row, names, choices, joinParts(...parts));
  };
}

/** Returns the codes in a cell that contains short URLs or a single code. */
function shortsIn(cell: unknown): { readonly domain?: string; readonly code: string }[] {
  const texts = String(cell)
    .split(/[\s,;|]+(?=[^\s,;|/]+[./])/)
    .map((text) => text.trim().replace(/^\/+/, ''));
  return texts
    .filter((text) => text !== '')
    .map((text) => (/^[a-z]+:\/\/|^[^/]*[.:][^/]*\//i.test(text) ? shortUrlIn(text) : { code: text }));
}

const hosts = /(?:^|\.)(?:page\.link|app\.goo\.gl)$/;
const own = ['apn', 'ibi', 'isi', 'afl', 'ifl', 'ofl', 'ius', 'amv', 'imv', 'efr', 'ipfl', 'ipbi'];

/**
 * Parses the long form of a Firebase Dynamic Link. Returns its destination and the URLs to which phones without the app
 * are redirected.
 * @returns undefined for any other URL
 */
function fromDynamicLink(text: string): Partial<LinkLine> | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  const parameter = (name: string): string | undefined => url?.searchParams.get(name) || undefined;
  const link = parameter('link');
  const has = (...names: readonly string[]): boolean => names.some((name) => parameter(name) !== undefined);
  if (url === null || link === undefined || !URL.canParse(link)) return undefined;
  if (!hosts.test(url.hostname) && !has(...own)) return undefined;
  const [android, ios] = [parameter('apn'), parameter('isi')];
  const utm = [...url.searchParams].flatMap(([name, value]) => {
    const [, ours] = /^utm_(source|medium|campaign|term|content)$/.exec(name) ?? [];
    return ours === undefined || value === '' ? [] : [[ours, value]];
  });
  return {
    url: link,
    rules: rulesFrom({
      ios: parameter('ifl') ?? (ios && `https://apps.apple.com/app/id${encodeURIComponent(ios)}`),
      android:
        parameter('afl') ??
        (android && `https://play.google.com/store/apps/details?id=${encodeURIComponent(android)}`),
      desktop: parameter('ofl'),
    }),
    utm: utm.length === 0 ? undefined : Object.fromEntries(utm),
    lost: lostOf({
      app: has('apn', 'ibi', 'ius'),
      'iPad destination': has('ipfl', 'ipbi'),
      'store campaign': has('at', 'ct', 'mt', 'pt', 'gclid'),
      card: has('st', 'sd', 'si'),
    }),
  };
}
