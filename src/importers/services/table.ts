import type { LinkLine } from '../format.ts';
import { joinParts, stateFrom } from '../link-values.ts';
import { linkFrom, lostOf, type Names, rulesFrom, utmFrom } from '../rows.ts';
import { type ParseRow, SourceFailure, shortUrlIn } from '../service.ts';
import { fromDynamicLink } from './dynamic-links.ts';

/** What a column of a spreadsheet may hold, and how people name it: letters and digits only, the most usual first. */
const guesses: Readonly<Record<string, string>> = {
  url: 'url longurl destination destinationurl originalurl target targeturl longlink longdynamiclink originallink destinationlink redirecturl fulllink fullurl',
  short:
    'customlink custombitlink customshorturl brandedlink shorturl shortlink shortdynamiclink dynamiclink tinyurl shortenedurl shortenedlink link short bitlink fullurl prettylink',
  code: 'code shortcode customcode slug key keyword alias backhalf path address slashtag',
  domain: 'domain host hostname shortdomain domainname',
  title: 'title name linktitle linkname',
  description: 'description notes note comment comments',
  tags: 'tags tag labels',
  createdAt:
    'createdat created createddate datecreated creationdate createdon addedon dateadded createdtime timestamp date',
  startsAt: 'startsat validsince startdate startat',
  expiresAt:
    'expiresat expires expiry expiration expirationdate expirydate expireson validuntil expiredat ttl',
  expiredUrl: 'expiredurl expirationurl expiredredirect',
  maxClicks: 'maxclicks clickslimit maxvisits clicklimit',
  password: 'password passwordprotected ispasswordprotected haspassword',
  disabled: 'disabled isdisabled banned deleted isdeleted blocked',
  deletedAt: 'deletedat disabledat',
  state: 'status state linkstatus enabled isenabled active isactive',
  archived: 'archived isarchived',
  redirectStatus:
    'redirecttype redirectstatus redirectcode redirectiontype redirectmethod httpstatus statuscode',
  forwardQuery: 'forwardquery forwardparameters forwardparams paramforwarding parameterforwarding',
  ios: 'ios iosurl iphoneurl ioslink iostarget',
  android: 'android androidurl androidlink androidtarget',
  utm_source: 'utmsource',
  utm_medium: 'utmmedium',
  utm_campaign: 'utmcampaign',
  utm_term: 'utmterm',
  utm_content: 'utmcontent',
  cloaking: 'cloaking cloak cloaked masking',
  externalId: 'externalid',
  clicks:
    'clicks visits hits totalclicks totalhits totalvisits visitcount clickcount hitcount visitscount clickstotal engagements',
};
/** Fields that several columns may tell. */
const several: ReadonlySet<string> = new Set(['short', 'state', 'disabled', 'deletedAt']);
export const tableFields: readonly string[] = Object.keys(guesses);

/**
 * Guesses what the columns hold by their names. Several columns may hold short URLs.
 * @param chosen columns that the user named; they come first
 * @throws SourceFailure when there is no column for the destination, or none for the code
 */
export function mappingOf(columns: readonly string[], chosen: Readonly<Record<string, string>>): Names {
  const all = `There are: ${columns.join(', ')}.`.slice(0, 2_000);
  const missing = Object.values(chosen).find((name) => !columns.includes(name));
  if (missing !== undefined) throw new SourceFailure(`There is no column "${missing}". ${all}`);
  const taken = new Set(Object.values(chosen));
  const found = new Map(Object.entries(chosen).map(([field, name]) => [field, [name]]));
  for (const [field, words] of Object.entries(guesses)) {
    if (found.has(field) && !several.has(field)) continue;
    const named = words
      .split(' ')
      .flatMap((word) => columns.filter((name) => name.toLowerCase().replace(/[^a-z\d]/g, '') === word))
      .filter((name) => !taken.has(name));
    const used = several.has(field) ? named : named.slice(0, 1);
    for (const name of used) taken.add(name);
    if (used.length > 0) found.set(field, [...(found.get(field) ?? []), ...used]);
  }
  const lacks = !found.has('url') ? 'url' : !found.has('code') && !found.has('short') ? 'code' : undefined;
  if (lacks !== undefined)
    throw new SourceFailure(
      `No column is known for ${lacks}: say which one it is, --column ${lacks}=NAME, or --no-header if the first line is a row. ${all}`,
    );
  return Object.fromEntries(found);
}

/** Reads rows of a spreadsheet. */
export function tableRow(mapping: Names): ParseRow {
  const { short = [], state = [], disabled = [], deletedAt = [], ...names } = mapping;
  const of = (field: string): string => mapping[field]?.[0] ?? '';
  return (row, choices) => {
    const shorts = short.flatMap((column) => row.read([column], shortsIn) ?? []);
    const [first] = shorts;
    const code = row.text(of('code'))?.replace(/^\//, '') ?? first?.code;
    const host = row.text(of('domain')) ?? choices.domain ?? first?.domain;
    const here = shorts.filter(({ domain = first?.domain }) => domain === first?.domain);
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

/** Codes of a cell: of short URLs, or of a code alone. */
function shortsIn(cell: unknown): { readonly domain?: string; readonly code: string }[] {
  const texts = String(cell)
    .split(/[\s,;|]+(?=[^\s,;|/]+[./])/)
    .map((text) => text.trim().replace(/^\/+/, ''));
  return texts
    .filter((text) => text !== '')
    .map((text) => (/^[a-z]+:\/\/|^[^/]*[.:][^/]*\//i.test(text) ? shortUrlIn(text) : { code: text }));
}
