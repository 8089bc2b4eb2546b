import type { StoredKey, Target } from '../domain/storage.ts';
import { type Change, type ChangeKind, changesAfter, newestChange } from './change-log.ts';
import { findKey } from './keys.ts';
import { findTarget } from './link-reads.ts';
import type { Connection } from './sqlite-connection.ts';

/** The two reads that every request begins with, kept in memory and never stale. */
export interface FreshReads {
  /** Where a live code leads, as of this turn of the event loop or later. */
  findTarget(foldedCode: string): Target | undefined;
  findKey(id: string): StoredKey | undefined;
  /** Says that a commit was acknowledged: what follows in this turn must see it. */
  recheck(): void;
}

const mostTargets = 40_000;
const mostKeys = 2_000;
const mostChanges = 1_000;
const dataVersion = 'PRAGMA data_version';

/**
 * A point read among a million links costs more than the rest of a redirect: two trees, pages that are not in SQLite's
 * cache, and its locks. So what was asked for lately stays here. Once a turn, `PRAGMA data_version` tells whether
 * anybody, in any process, has committed; only then the change log is read, and what is in it is dropped.
 *
 * What was not found is not kept: it may be made at any moment, and a guesser would fill the cache.
 */
export const createFreshReads = (connection: Connection): FreshReads => {
  const targets = createCache<Target>(
    mostTargets,
    (code) => findTarget(connection, code) as Target | undefined,
  );
  const keys = createCache<StoredKey>(mostKeys, (id) => findKey(connection, id) as StoredKey | undefined);
  const caches: Readonly<Record<ChangeKind, Cache<unknown>>> = {
    target: targets,
    key: keys,
  };
  const newest = (): number => connection.get<{ seq: number }>(newestChange, [])?.seq ?? 0;
  let seenVersion = -1;
  let seenSeq = newest();
  let isChecked = false;

  const readChanges = (): void => {
    const changes = connection.all<Change>(changesAfter, [seenSeq, mostChanges]);
    const [first] = changes;
    if (first === undefined) return;
    // A gap: the log was trimmed beyond us. A full answer: there is more, and reading on would hold the turn up.
    if (first.seq !== seenSeq + 1 || changes.length === mostChanges) {
      seenSeq = newest();
      targets.clear();
      keys.clear();
      return;
    }
    for (const { seq, kind, name } of changes) {
      caches[kind].drop(name);
      seenSeq = seq;
    }
  };

  const check = (): void => {
    isChecked = true;
    setImmediate(() => {
      isChecked = false;
    });
    const version = connection.get<{ data_version: number }>(dataVersion, [])?.data_version ?? -1;
    if (version === seenVersion) return;
    readChanges();
    seenVersion = version;
  };

  return {
    findTarget(code) {
      if (!isChecked) check();
      return targets.find(code);
    },
    findKey(id) {
      if (!isChecked) check();
      return keys.find(id);
    },
    recheck() {
      isChecked = false;
    },
  };
};

interface Cache<V> {
  find(name: string): V | undefined;
  drop(name: string): void;
  clear(): void;
}

/** Two generations of half the size: what was not asked for while the younger filled up goes. */
const createCache = <V>(most: number, load: (name: string) => V | undefined): Cache<V> => {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  return {
    find(name) {
      const known = young.get(name);
      if (known !== undefined) return known;
      const found = old.get(name) ?? load(name);
      if (found === undefined) return undefined;
      if (young.size >= most / 2) {
        old = young;
        young = new Map();
      }
      young.set(name, found);
      return found;
    },
    drop(name) {
      young.delete(name);
      old.delete(name);
    },
    clear() {
      young = new Map();
      old = new Map();
    },
  };
};
