/** A cached result, from which the next pages are read. */
interface CachedAnswer<T> {
  readonly of: T;
  readonly values: number;
  readonly ending: NodeJS.Timeout;
}

export interface AnswerCache<T> {
  get(key: string): T | undefined;
  /**
   * @param values the size of the result. To make room for the result, the oldest results are dropped. A result that is
   * too large is not cached.
   */
  set(key: string, of: T, values: number): void;
  drop(key: string): void;
}

/** Maximum total size of cached results; a value takes 50 to 100 bytes. */
const maxValues = 500_000;
/** Time in ms after which a result is dropped if the client requests no more pages. */
const expiryMs = 60_000;

/**
 * Creates a cache for results whose breakdowns are read page by page, so that all pages come from one snapshot, and
 * building a page only touches the values of that page.
 */
export function createAnswerCache<T>(most = maxValues): AnswerCache<T> {
  const cached = new Map<string, CachedAnswer<T>>();
  let values = 0;
  const drop = (key: string): void => {
    const known = cached.get(key);
    if (known === undefined) return;
    clearTimeout(known.ending);
    values -= known.values;
    cached.delete(key);
  };
  return {
    get: (key) => cached.get(key)?.of,
    set(key, of, count) {
      drop(key);
      if (count > most) return;
      cached.set(key, { of, values: count, ending: setTimeout(drop, expiryMs, key).unref() });
      values += count;
      for (const oldest of cached.keys()) {
        if (values <= most) break;
        drop(oldest);
      }
    },
    drop,
  };
}
