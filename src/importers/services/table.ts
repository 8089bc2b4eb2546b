import type { LinkLine } from '../format.ts';
import { joinParts, stateFrom } from '../link-values.ts';
import { linkFrom, lostOf, type Names, rulesFrom, utmFrom } from '../rows.ts';
import { type ParseRow, SourceFailure, shortUrlIn } from '../service.ts';
import { fromDynamicLink } from './dynamic-links.ts';

/** What a column of a spreadsheet may hold, and how people name it: letters and digits only, the most usual first. */
const guesses: Readonly<Record<string, string>> = {
  url: `url longurl destination destinationurl originalurl target targeturl longlink longdynamiclink originallink destinationlink
    redirecturl redirectto forwardto redirect fulllink fullurl`,
  short: `customlink custombitlink customshorturl customurl vanityurl brandedlink brandedurl brandedshortlink shorturl shortlink
    shortdynamiclink dynamiclink tinyurl shortenedurl shortenedlink link short bitlink smartlink fullurl prettylink`,
  code: `code shortcode customcode slug customslug urlslug key keyword customkeyword alias customalias backhalf custombackhalf path
    shortpath shortid shortname hash address slashtag`,
  domain: 'domain host hostname shortdomain domainname brandeddomain',
  title: 'title name linktitle linkname pagetitle',
  description: 'description notes note comment comments',
  tags: 'tags tag taglist labels',
  createdAt: `createdat created createddate datecreated creationdate createdon creationtime createdtime createddatetime createdatutc
    addedon dateadded timestamp date`,
  startsAt: 'startsat startat startson validsince validfrom activefrom startdate',
  expiresAt: `expiresat expires expiry expiration expirationdate expirydate expireson expireat expiretime expirationtime validuntil
    validtill expiredat enddate ttl`,
  expiredUrl: 'expiredurl expirationurl expiredredirect expirationredirect',
  maxClicks: 'maxclicks maximumclicks clickslimit maxvisits clicklimit expirationclicks',
  password:
    'password linkpassword passcode passwordprotected ispasswordprotected passwordprotection haspassword protected isprotected',
  disabled:
    'disabled isdisabled banned isbanned deleted isdeleted blocked isblocked inactive isinactive paused ispaused',
  deletedAt: 'deletedat deletedon disabledat',
  state: 'status state linkstatus urlstatus enabled isenabled active isactive',
  archived: 'archived isarchived',
  redirectStatus: `redirecttype redirectstatus redirectcode redirectiontype redirectmethod redirectstatuscode redirecthttpstatus
    httpstatus httpstatuscode httpcode statuscode`,
  forwardQuery: 'forwardquery forwardparameters forwardparams paramforwarding parameterforwarding',
  ios: 'ios iosurl iphoneurl ioslink iostarget iosdestination',
  android: 'android androidurl androidlink androidtarget androiddestination',
  utm_source: 'utmsource',
  utm_medium: 'utmmedium',
  utm_campaign: 'utmcampaign',
  utm_term: 'utmterm',
  utm_content: 'utmcontent',
  cloaking: 'cloaking cloak cloaked masking',
  externalId: 'externalid',
  clicks: `clicks visits hits totalclicks totalhits totalvisits totalengagements visitcount clickcount hitcount visitscount clickscount
    clickstotal alltimeclicks numberofclicks engagements`,
};
/** Fields that several columns may tell. */
const several: ReadonlySet<string> = new Set(['short', 'password', 'state', 'disabled', 'deletedAt']);
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
      .split(/\s+/)
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

/** Codes of a cell: of short URLs, or of a code alone. */
function shortsIn(cell: unknown): { readonly domain?: string; readonly code: string }[] {
  const texts = String(cell)
    .split(/[\s,;|]+(?=[^\s,;|/]+[./])/)
    .map((text) => text.trim().replace(/^\/+/, ''));
  return texts
    .filter((text) => text !== '')
    .map((text) => (/^[a-z]+:\/\/|^[^/]*[.:][^/]*\//i.test(text) ? shortUrlIn(text) : { code: text }));
}
