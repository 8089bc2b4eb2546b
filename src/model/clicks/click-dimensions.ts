/**
 * What a click says, a row each: records, columns, sums, the API and exports are made from this table. How a dimension is read
 * from a visit, and what its numbers mean, is in `clicks/dimensions/`. Clicks are stored by it: rows are never moved or removed,
 * and new ones of a kind stand behind those that there are.
 *
 * A number takes so many bytes of a record. `column` is where columns of a day keep it: with the `profile` of the click, with
 * its `row`, with the `referrer`, or as one of the words that are `combined`, as most clicks have none or share them with many.
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
/** A dimension with fixed words: a click holds a number. */
export type ClickNumber = Extract<Row, { bytes: number }>['name'];
/** A dimension with words that visitors and owners choose. */
export type ClickWord = Extract<Row, { bytes: 'word' }>['name'];
export type CombinedWord = Extract<Row, { column: 'combined' }>['name'];

function namesOf<Some extends Row>(is: (row: Row) => row is Some): readonly Some['name'][] {
  return clickDimensions.filter(is).map(({ name }) => name);
}

export const clickNumbers = namesOf((row) => row.bytes !== 'word');
/** In the order of the bits that say whether they follow in a record. */
export const clickWords: readonly ClickWord[] = namesOf((row) => row.bytes === 'word');
export const combinedWords: readonly CombinedWord[] = namesOf((row) => row.column === 'combined');
