import type { CacheStats } from '../../model/storage-stats.ts';

/** Values by name, of which it keeps those that are asked for. */
export interface Store<V> {
  /** What is kept; a look-up that finds nothing counts as a miss. */
  get(name: string): V | undefined;
  set(name: string, value: V): void;
  drop(name: string): void;
  clear(): void;
  stats(): CacheStats;
}

/** Keeps values in two generations of half the size. A value that no reader asks for while the younger fills up is dropped. */
export function createStore<V>(most: number): Store<V> {
  let young = createNames<V>();
  let old = createNames<V>();
  let hits = 0;
  let misses = 0;
  let drops = 0;
  const set = (name: string, value: V): void => {
    if (young.size() >= most / 2) {
      old = young;
      young = createNames();
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
      // From both: a value of the older generation is copied into the younger when a reader asks for it.
      const wasYoung = young.delete(name);
      if (old.delete(name) || wasYoung) drops += 1;
    },
    clear() {
      drops += young.size() + old.size();
      young = createNames();
      old = createNames();
    },
    stats: () => ({ hits, misses, drops, entries: young.size() + old.size() }),
  };
}

export interface Cache<V> extends Pick<Store<V>, 'drop' | 'clear' | 'stats'> {
  find(name: string): V | undefined;
}

/** A store that loads what it does not have. That a name was not found is not kept. */
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
    clear: store.clear,
    stats: store.stats,
  };
}

/**
 * A map by short names that were just read off the wire. V8 looks such a string up in its table of all strings before
 * it finds it in a `Map`, which costs a tenth of a redirect; for a number it does not. Of two names with the same hash the
 * later takes the place: that is one more miss.
 */
function createNames<V>() {
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
    size: (): number => places.size,
  };
}

function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
  return hash;
}
