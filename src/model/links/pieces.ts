import type { MaybePromise } from '../maybe-promise.ts';

/** Records read in one snapshot: two milliseconds of work. */
const firstPiece = 1_000;
/** Records read at a time where there are more: half a millisecond of work. */
const nextPiece = 250;

export interface Piece<T> {
  readonly records: readonly T[];
  readonly isLast: boolean;
}

/**
 * A list without pages, in its order. It is one piece unless the operator's limit is, or once was, above what is read at
 * once.
 * @param read reads so many records behind a place
 * @param placeOf the place of a record in the order
 */
export async function* inPieces<T>(
  read: (limit: number, after?: string) => MaybePromise<readonly T[]>,
  placeOf: (record: T) => string,
): AsyncGenerator<Piece<T>, void, undefined> {
  let after: string | undefined;
  for (let limit = firstPiece; ; limit = nextPiece) {
    const records = await read(limit, after);
    const last = records.length < limit ? undefined : records.at(-1);
    yield { records, isLast: last === undefined };
    if (last === undefined) return;
    after = placeOf(last);
  }
}
