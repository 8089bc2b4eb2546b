/** Something that further pages are taken from. */
interface CachedAnswer<T> {
  readonly of: T;
  readonly values: number;
  readonly ending: NodeJS.Timeout;
}

export interface AnswerCache<T> {
  get(key: string): T | undefined;
  /** @param values how many it has, by which the least recent ones make room; one that is too large is not kept */
  set(key: string, of: T, values: number): void;
  drop(key: string): void;
}

/** In all answers together, each of some 50 to 100 bytes. */
const mostValues = 500_000;
/** How long the next page may let itself be waited for, ms. */
const keptMs = 60_000;

/** Answers whose breakdowns are read page by page: so all pages are of one snapshot, and each costs its own values. */
export function createKeptAnswers<T>(most = mostValues): AnswerCache<T> {
  const kept = new Map<string, CachedAnswer<T>>();
  let values = 0;
  const drop = (key: string): void => {
    const known = kept.get(key);
    if (known === undefined) return;
    clearTimeout(known.ending);
    values -= known.values;
    kept.delete(key);
  };
  return {
    get: (key) => kept.get(key)?.of,
    set(key, of, count) {
      drop(key);
      if (count > most) return;
      kept.set(key, { of, values: count, ending: setTimeout(drop, keptMs, key).unref() });
      values += count;
      for (const oldest of kept.keys()) {
        if (values <= most) break;
        drop(oldest);
      }
    },
    drop,
  };
}
