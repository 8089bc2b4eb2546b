/**
 * The dimensions of a click. Records, columns, sums, the API and exports are derived from this table.
 * `clicks/dimensions/` defines how a dimension is read from a visit and what its numbers mean. Stored clicks depend on
 * the order: never move or remove rows, and append new rows after the existing rows of the same kind.
 */
export const clickDimensions = [
  { name: 'class', bytes: 1, column: 'profile' },
  { name: 'trigger', bytes: 1, column: 'row' },
  { name: 'country', bytes: 2, column: 'profile' },
  { name: 'region', bytes: 'word', column: 'profile' },
  { name: 'browser', bytes: 1, column: 'profile' },
  { name: 'os', bytes: 1, column: 'profile' },
  { name: 'device', bytes: 1, column: 'profile' },
  { name: 'language', bytes: 1, column: 'profile' },
  { name: 'referrer', bytes: 'word', column: 'referrer' },
  { name: 'referrerKind', bytes: 1, column: 'referrer' },
  { name: 'utmSource', bytes: 'word', column: 'combined' },
  { name: 'utmMedium', bytes: 'word', column: 'combined' },
  { name: 'utmCampaign', bytes: 'word', column: 'combined' },
  { name: 'utmTerm', bytes: 'word', column: 'combined' },
  { name: 'utmContent', bytes: 'word', column: 'combined' },
  { name: 'rule', bytes: 'word', column: 'combined' },
  { name: 'variant', bytes: 'word', column: 'combined' },
  { name: 'network', bytes: 'word', column: 'combined' },
  { name: 'utmFrom', bytes: 'word', column: 'combined' },
  { name: 'domain', bytes: 'word', column: 'combined' },
  { name: 'imported', bytes: 'word', column: 'combined' },
] as const;

type Row = (typeof clickDimensions)[number];
export type ClickDimension = Row['name'];
/** A dimension with a fixed list of values. A click stores the index of the value. */
export type ClickNumber = Extract<Row, { bytes: number }>['name'];
/** A dimension with free text from visitors or link owners. */
export type ClickWord = Extract<Row, { bytes: 'word' }>['name'];
export type CombinedWord = Extract<Row, { column: 'combined' }>['name'];

function namesOf<Some extends Row>(is: (row: Row) => row is Some): readonly Some['name'][] {
  return clickDimensions.filter(is).map(({ name }) => name);
}

export const clickNumbers = namesOf((row) => row.bytes !== 'word');
/** Names of the free-text dimensions, in the order of their presence bits in a record. */
export const clickWords: readonly ClickWord[] = namesOf((row) => row.bytes === 'word');
export const combinedWords: readonly CombinedWord[] = namesOf((row) => row.column === 'combined');
