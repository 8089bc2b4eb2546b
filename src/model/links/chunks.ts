import type { MaybePromise } from '../maybe-promise.ts';

/** Maximum number of records in the first read, which takes about 2 ms and uses one snapshot. */
const firstChunk = 1_000;
/** Maximum number of records in each later read, which takes about 0.5 ms. */
const nextChunk = 250;

export interface Chunk<T> {
  readonly records: readonly T[];
  readonly isLast: boolean;
}

/**
 * Reads a complete list in order, in chunks. There is more than one chunk only if the operator's limit on the number of
 * records is, or once was, at least {@link firstChunk}.
 * @param read reads up to `limit` records after a position
 * @param positionOf returns a record's position in the list
 */
export async function* readInChunks<T>(
  read: (limit: number, after?: string) => MaybePromise<readonly T[]>,
  positionOf: (record: T) => string,
): AsyncGenerator<Chunk<T>, void, undefined> {
  let after: string | undefined;
  for (let limit = firstChunk; ; limit = nextChunk) {
    const records = await read(limit, after);
    const last = records.length < limit ? undefined : records.at(-1);
    yield { records, isLast: last === undefined };
    if (last === undefined) return;
    after = positionOf(last);
  }
}
