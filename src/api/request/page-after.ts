import { isCount, readCursor } from '../../model/cursors.ts';
import { invalidCursor, type Problem, problem } from '../../model/failures.ts';

/**
 * Returns the position after which a page starts; undefined for the first page, a problem if the cursor belongs to
 * another list.
 * @param list identity of the list: what distinguishes it from others
 * @param placeIn reads the position from the decoded cursor
 * @param foreign message for a cursor of another list, after the field name
 */
export function pageAfter<P extends string | number>(
  list: readonly unknown[],
  cursor: string | undefined,
  placeIn: (values: readonly unknown[]) => P | undefined,
  foreign: string,
  field = 'cursor',
): P | Problem | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const place = readCursor(list, cursor, placeIn);
  if (place === undefined)
    return { ...invalidCursor, field, message: invalidCursor.message.replace('cursor', field) };
  return place === 'foreign' ? problem(field, 'not_allowed', `${field} ${foreign}`) : place;
}

/** Reads the position from a cursor that holds one number. */
export function countIn([count, ...more]: readonly unknown[]): number | undefined {
  return isCount(count) && more.length === 0 ? count : undefined;
}
