import { isCount, type ListIdentity, readCursor, writeCursor } from '../../model/cursors.ts';
import { invalidCursor, type Problem, problem } from '../../model/failures.ts';

/** Reads a numeric position, such as a record or revision number, from a cursor. */
export const countPlace = (value: unknown): number | undefined => (isCount(value) ? value : undefined);

/**
 * Creates the functions that read a list's cursors. A cursor contains the position of the last record on a page.
 * @param placeIn reads the position from the decoded cursor
 * @param foreign error message for a cursor from another list, without the leading field name
 */
export function createPaging<P extends string | number>(
  placeIn: (value: unknown) => P | undefined,
  foreign: string,
  field = 'cursor',
) {
  const read = (list: ListIdentity, cursor = ''): P | Problem | undefined => {
    if (cursor === '') return undefined;
    const position = readCursor(list, cursor, ([value, ...more]) =>
      more.length === 0 ? placeIn(value) : undefined,
    );
    if (position === undefined)
      return { ...invalidCursor, field, message: invalidCursor.message.replace('cursor', field) };
    return position === 'foreign' ? problem(field, 'not_allowed', `${field} ${foreign}`) : position;
  };
  return {
    problems(list: ListIdentity, cursor?: string): Problem[] {
      const position = read(list, cursor);
      return typeof position === 'object' ? [position] : [];
    },
    /** Returns the position of the last record before the page; undefined for the first page. */
    after(list: ListIdentity, cursor?: string): P | undefined {
      const position = read(list, cursor);
      return typeof position === 'object' ? undefined : position;
    },
  };
}

/**
 * Returns a page's records and pagination.
 * @param records up to `limit` + 1 records; the last one shows that there is another page
 */
export function cutPage<T>(
  list: ListIdentity,
  records: readonly T[],
  limit: number,
  positionOf: (record: T) => string | number,
) {
  const page = records.slice(0, limit);
  const last = records.length > limit ? page.at(-1) : undefined;
  const nextCursor = last === undefined ? null : writeCursor(list, [positionOf(last)]);
  return { page, pagination: { limit, nextCursor } };
}
