import type { Db, Value } from './db.ts';

// All groups have the same size, so that one prepared statement works for any number of values. The last group is
// padded with its first value.
const valuesPerQuery = 64;
const placeholders = Array(valuesPerQuery).fill('?').join(', ');

/**
 * Runs a query for many values, such as IDs, in groups.
 * @param sql returns the statement, with a group's placeholders at its end: `… IN (${placeholders})`
 * @param params parameters that precede the group's parameters
 */
export async function queryInGroups<R>(
  db: Db,
  sql: (placeholders: string) => string,
  params: readonly Value[],
  values: readonly Value[],
): Promise<R[]> {
  const found: R[] = [];
  for (let at = 0; at < values.length; at += valuesPerQuery) {
    const group = values.slice(at, at + valuesPerQuery);
    while (group.length < valuesPerQuery) group.push(group[0] as Value);
    found.push(...(await db.all<R>(sql(placeholders), [...params, ...group])));
  }
  return found;
}
