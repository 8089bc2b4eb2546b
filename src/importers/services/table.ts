import { linkFrom, type Names } from '../rows.ts';
import { type ParseRow, SourceFailure } from '../service.ts';

/** What a column of a spreadsheet may hold, and how people name it: letters and digits only, the most usual first. */
const guesses: Readonly<Record<string, string>> = {
  url: 'url longurl destination destinationurl originalurl target targeturl fullurl redirecturl longlink',
  short: 'shorturl shortlink link short bitlink shortenedurl brandedlink',
  code: 'code shortcode customcode slug key keyword alias backhalf path address slashtag',
  domain: 'domain host hostname shortdomain',
  title: 'title name',
  description: 'description notes note comment comments',
  tags: 'tags tag labels',
  createdAt: 'createdat created createddate datecreated creationdate dateadded timestamp date',
  startsAt: 'startsat validsince startdate',
  expiresAt: 'expiresat expires expiry expiration expirationdate validuntil expiredat',
  expiredUrl: 'expiredurl expirationurl',
  maxClicks: 'maxclicks clickslimit maxvisits clicklimit',
  password: 'password',
  disabled: 'disabled isdisabled banned',
  archived: 'archived isarchived',
  clicks: 'clicks visits hits totalclicks visitcount clickcount visitscount engagements',
};
export const tableFields: readonly string[] = Object.keys(guesses);

/**
 * Guesses what the columns hold by their names.
 * @param chosen what the reader said, which wins
 * @throws SourceFailure when there is no column for the destination, or none for the code
 */
export function mappingOf(columns: readonly string[], chosen: Readonly<Record<string, string>>): Names {
  const all = `There are: ${columns.join(', ')}.`.slice(0, 2_000);
  const missing = Object.values(chosen).find((name) => !columns.includes(name));
  if (missing !== undefined) throw new SourceFailure(`There is no column "${missing}". ${all}`);
  const found = new Map(Object.entries(chosen));
  for (const [field, words] of Object.entries(guesses)) {
    const isTaken = (name: string): boolean => [...found.values()].includes(name);
    const named = words
      .split(' ')
      .map((word) =>
        columns.find((name) => name.toLowerCase().replace(/[^a-z\d]/g, '') === word && !isTaken(name)),
      )
      .find((name) => name !== undefined);
    if (named !== undefined && !found.has(field)) found.set(field, named);
  }
  const lacks = !found.has('url') ? 'url' : !found.has('code') && !found.has('short') ? 'code' : undefined;
  if (lacks !== undefined)
    throw new SourceFailure(
      `No column is known for ${lacks}: say which one it is, --column ${lacks}=NAME. ${all}`,
    );
  return Object.fromEntries([...found].map(([field, name]) => [field, [name]]));
}

/** Reads rows of a spreadsheet. */
export function tableRow(mapping: Names): ParseRow {
  return (row, choices) => linkFrom(row, mapping, choices);
}
