import { isCount, readCursor } from '../../model/cursors.ts';
import { noCursor, type Problem, problem } from '../../model/failures.ts';

/**
 * Where the page behind a cursor begins; undefined for the first page, a problem where the cursor is none of this list.
 * @param list what tells the list from others
 * @param placeIn reads the place from what the cursor holds
 * @param foreign what is said of a cursor of another list, behind the name of its field
 */
export function pageBehind<P extends string | number>(
  list: readonly unknown[],
  cursor: string | undefined,
  placeIn: (values: readonly unknown[]) => P | undefined,
  foreign: string,
  field = 'cursor',
): P | Problem | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const place = readCursor(list, cursor, placeIn);
  if (place === undefined) return { ...noCursor, field, message: noCursor.message.replace('cursor', field) };
  return place === 'foreign' ? problem(field, 'not_allowed', `${field} ${foreign}`) : place;
}

/** The place of a cursor that holds one number. */
export function countIn([count, ...more]: readonly unknown[]): number | undefined {
  return isCount(count) && more.length === 0 ? count : undefined;
}
