import type { CacheStats } from '../../model/storage-stats.ts';
import { hasFaults, isFaulty } from '../../runtime/fault-points.ts';

/** A cache of values by name. */
export interface Store<V> {
  /** Returns the cached value, or undefined, which counts as a miss. */
  get(name: string): V | undefined;
  set(name: string, value: V): void;
  drop(name: string): void;
  /** Drops the values that match. Scans the whole cache. */
  dropIf(matches: (value: V) => boolean): void;
  clear(): void;
  stats(): CacheStats;
}

/**
 * Creates a cache with two generations, each half of `maxEntries`. When the younger generation is full, it replaces the
 * older one, and values that have not been read since the previous replacement are dropped.
 */
export function createStore<V>(maxEntries: number): Store<V> {
  const most = hasFaults && isFaulty('smallCache') ? 1 : maxEntries;
  let young = createNameMap<V>();
  let old = createNameMap<V>();
  let hits = 0;
  let misses = 0;
  let drops = 0;
  const set = (name: string, value: V): void => {
    if (young.size() >= most / 2) {
      old = young;
      young = createNameMap();
    }
    young.set(name, value);
  };
  return {
    get(name) {
      const known = young.get(name);
      if (known !== undefined) {
        hits += 1;
        return known;
      }
      const aged = old.get(name);
      if (aged === undefined) {
        misses += 1;
        return undefined;
      }
      hits += 1;
      set(name, aged);
      return aged;
    },
    set,
    drop(name) {
      // Deletes from both generations, because reading a value from the older generation copies it to the younger one.
      const wasYoung = young.delete(name);
      if (old.delete(name) || wasYoung) drops += 1;
    },
    dropIf(matches) {
      drops += young.deleteIf(matches) + old.deleteIf(matches);
    },
    clear() {
      drops += young.size() + old.size();
      young = createNameMap();
      old = createNameMap();
    },
    stats: () => ({ hits, misses, drops, entries: young.size() + old.size() }),
  };
}

export interface Cache<V> extends Pick<Store<V>, 'drop' | 'dropIf' | 'clear' | 'stats'> {
  find(name: string): V | undefined;
}

/** Creates a cache that loads missing values. Names that are not found are not cached. */
export function createCache<V>(most: number, load: (name: string) => V | undefined): Cache<V> {
  const store = createStore<V>(most);
  return {
    find(name) {
      const kept = store.get(name);
      if (kept !== undefined) return kept;
      const found = load(name);
      if (found !== undefined) store.set(name, found);
      return found;
    },
    drop: store.drop,
    dropIf: store.dropIf,
    clear: store.clear,
    stats: store.stats,
  };
}

/**
 * Creates a map whose keys are hashes of names. When a `Map` looks up a string that was just read from the network, V8
 * first searches its table of internalized strings. The search takes a tenth as long as a whole redirect. Numeric keys
 * avoid the search. If two names have the same hash, the later name replaces the earlier one, which only costs a miss.
 */
function createNameMap<V>() {
  const places = new Map<number, { readonly name: string; readonly value: V }>();
  return {
    get(name: string): V | undefined {
      const place = places.get(hashOf(name));
      return place?.name === name ? place.value : undefined;
    },
    set: (name: string, value: V): void => void places.set(hashOf(name), { name, value }),
    delete(name: string): boolean {
      const hash = hashOf(name);
      return places.get(hash)?.name === name && places.delete(hash);
    },
    deleteIf(matches: (value: V) => boolean): number {
      const before = places.size;
      for (const [hash, { value }] of places) if (matches(value)) places.delete(hash);
      return before - places.size;
    },
    size: (): number => places.size,
  };
}

function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
  return hash;
}
