/**
 * Spreadsheet column names for each field, in English and German, most common first. The names contain only digits and
 * letters without accents.
 */
const guesses: Readonly<Record<string, string>> = {
  url: `url longurl destination destinationurl originalurl target targeturl longlink longdynamiclink originallink
    destinationlink redirecturl redirectto forwardto redirect fulllink fullurl zielurl ziel zieladresse zieladressen
    langeurl langelinks originaladresse weiterleitungsziel weiterleitungzu adresse`,
  short: `customlink custombitlink customshorturl customurl vanityurl brandedlink brandedurl brandedshortlink shorturl
    shortlink shortdynamiclink dynamiclink tinyurl shortenedurl shortenedlink link short bitlink smartlink fullurl
    prettylink kurzlink kurzurl kurzadresse kurzelink`,
  code: `code shortcode customcode slug customslug urlslug key keyword customkeyword alias customalias backhalf
    custombackhalf path shortpath shortid shortname hash address slashtag kurzcode kurzel linkkurzel`,
  domain: 'domain host hostname shortdomain domainname brandeddomain',
  title: 'title name linktitle linkname pagetitle titel bezeichnung linktitel',
  description: 'description notes note comment comments beschreibung notiz notizen bemerkung kommentar',
  tags: 'tags tag taglist labels schlagworte schlagworter stichworte',
  createdAt: `createdat created createddate datecreated creationdate createdon creationtime createdtime
    createddatetime createdatutc addedon dateadded timestamp date erstellt erstelltam angelegt angelegtam
    erstellungsdatum datum`,
  startsAt: 'startsat startat startson validsince validfrom activefrom startdate',
  expiresAt: `expiresat expires expiry expiration expirationdate expirydate expireson expireat expiretime
    expirationtime validuntil validtill expiredat enddate ttl lauftab ablauf ablaufdatum gultigbis`,
  expiredUrl: 'expiredurl expirationurl expiredredirect expirationredirect',
  maxClicks:
    'maxclicks maximumclicks clickslimit maxvisits clicklimit expirationclicks maximaleklicks klicklimit',
  password: `password linkpassword passcode passwordprotected ispasswordprotected passwordprotection haspassword
    protected isprotected passwort kennwort`,
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
  clicks: `clicks visits hits totalclicks totalhits totalvisits totalengagements visitcount clickcount hitcount
    visitscount clickscount clickstotal alltimeclicks numberofclicks engagements klicks aufrufe besuche klicksgesamt`,
};
/** Fields that may be read from several columns. */
const several: ReadonlySet<string> = new Set(['short', 'password', 'state', 'disabled', 'deletedAt']);
export const tableFields: readonly string[] = Object.keys(guesses);

/**
 * Guesses the field for each column from the column's name. Some fields, such as the short URL, may be read from
 * several columns.
 * @param chosen columns that the user named; they take precedence
 */
export function guessColumns(
  columns: readonly string[],
  chosen: Readonly<Record<string, string>> = {},
): Partial<Record<string, readonly string[]>> {
  const taken = new Set(Object.values(chosen));
  const found = new Map(Object.entries(chosen).map(([field, name]) => [field, [name]]));
  for (const [field, words] of Object.entries(guesses)) {
    if (found.has(field) && !several.has(field)) continue;
    const named = words
      .split(/\s+/)
      .flatMap((word) => columns.filter((name) => plain(name) === word))
      .filter((name) => !taken.has(name));
    const used = several.has(field) ? named : named.slice(0, 1);
    for (const name of used) taken.add(name);
    if (used.length > 0) found.set(field, [...(found.get(field) ?? []), ...used]);
  }
  return Object.fromEntries(found);
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z\d]/g, '');
}
