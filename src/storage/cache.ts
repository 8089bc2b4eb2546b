import type { CacheStats } from '../domain/storage-stats.ts';

export interface Cache<V> {
  find(name: string): V | undefined;
  drop(name: string): void;
  clear(): void;
  stats(): CacheStats;
}

/**
 * Keeps what was loaded by name, in two generations of half the size: what was not asked for while the younger filled
 * up goes. Not found is not kept.
 */
export const createCache = <V>(most: number, load: (name: string) => V | undefined): Cache<V> => {
  let young = createNames<V>();
  let old = createNames<V>();
  let hits = 0;
  let misses = 0;
  let drops = 0;
  const loadMissing = (name: string): V | undefined => {
    misses += 1;
    return load(name);
  };
  return {
    find(name) {
      const known = young.get(name);
      if (known !== undefined) {
        hits += 1;
        return known;
      }
      const aged = old.get(name);
      if (aged !== undefined) hits += 1;
      const found = aged ?? loadMissing(name);
      if (found === undefined) return undefined;
      if (young.size() >= most / 2) {
        old = young;
        young = createNames();
      }
      young.set(name, found);
      return found;
    },
    drop(name) {
      // In both: what ages is copied up when it is asked for.
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
};

/**
 * A map by short names that were just read off the wire. V8 looks such a string up in its table of all strings before
 * it finds it in a `Map`, a tenth of a whole redirect; by a number it does not. Of two names with one hash, the later has
 * the place: here that is a miss more.
 */
const createNames = <V>() => {
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
};

const hashOf = (name: string): number => {
  let hash = 0;
  for (let at = 0; at < name.length; at += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
  return hash;
};
