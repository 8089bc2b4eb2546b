import type { StoredKey } from '../../model/accounts/keys.ts';
import type { ServedDomain } from '../../model/domains/domains.ts';
import type { Target } from '../../model/links/link-records.ts';
import type { StorageStats } from '../../model/storage-stats.ts';
import { createAlarm } from '../../runtime/alarm.ts';
import { hasFaults, isFaulty } from '../../runtime/fault-points.ts';
import type { Report } from '../../runtime/report.ts';
import { accountOf, type Change, changesAfter, isHost, newestChange } from '../db/change-log.ts';
import type { ChangeKind, ChangeNotice } from '../db/db.ts';
import { type Cache, createCache } from '../engine/cache.ts';
import { findKey } from '../statements/accounts/keys.ts';
import { findHost } from '../statements/domains/domains.ts';
import { findTarget } from '../statements/finding/link-reads.ts';
import type { Connection } from './connection.ts';

/** Cached lookups at the start of a request (code, host, key). While storage is readable, they are never stale. */
export interface FreshReads {
  /**
   * Returns the target of a live code, no older than this tick of the event loop. While storage is unreadable, returns
   * the cached target.
   * @throws Failure STORAGE_UNAVAILABLE when storage is unreadable and the code is not cached
   */
  findTarget(key: string): Target | undefined;
  /** Returns the verified domain of a host, with the same caching as `findTarget`. */
  findHost(host: string): ServedDomain | undefined;
  /**
   * Returns a key.
   * @throws Failure STORAGE_UNAVAILABLE when storage is unreadable, even for a cached key, because it may have been
   * revoked
   */
  findKey(id: string): StoredKey | undefined;
  /**
   * Invalidates the entries that a commit changes. Called before the commit is acknowledged, so that reads in the
   * current tick see its changes.
   */
  invalidate(changes: readonly ChangeNotice[]): void;
  /** Invalidates entries that other processes have changed. */
  poll(): void;
  stats(): StorageStats['caches'];
}

export interface FreshReadsOptions {
  /** Reports an error for the operator. */
  readonly onError?: Report | undefined;
  /** Reports a recovery. */
  readonly onInfo?: Report | undefined;
  /** Maximum number of cached targets. */
  readonly maxTargets?: number | undefined;
  /** Called when any process changed a key or one of its sessions. `id` is undefined if all keys may have changed. */
  readonly onKeyChange?: (id?: string) => void;
  /** A monotonic clock, in ms. */
  readonly clock?: () => number;
}

const defaultMaxTargets = 40_000;
const maxKeys = 2_000;
const maxHosts = 20_000;
const maxChanges = 1_000;
const dataVersion = 'PRAGMA data_version';
/** Maximum delay in ms until changes by other processes are visible. */
const checkEveryMs = 1;

/**
 * Caches targets and keys. A point read among a million links costs more than the rest of a redirect: two index
 * lookups, pages that are not in SQLite's cache, and SQLite's locks. At most once a millisecond, `PRAGMA data_version`
 * shows whether any process has committed; only then is the change log read, and all names in it are dropped from the
 * cache.
 *
 * Codes that are not found are not cached: they may be created at any time, and a client that guesses codes would fill
 * the cache.
 *
 * While storage is unreadable, cached data may be stale. Cached targets are still used, because for visitors a stale
 * link is better than none. Entries that this process changes are still dropped, because the writer reports their
 * names. A key is never accepted from the cache alone.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: each read first checks whether the caches are valid; that and the three caches are one state
export function createFreshReads(connection: Connection, options: FreshReadsOptions = {}): FreshReads {
  const { onError, onInfo, maxTargets = defaultMaxTargets, onKeyChange = () => {} } = options;
  const clock = options.clock ?? (() => performance.now());
  const targets = createCache<Target>(maxTargets, (code) =>
    watched(() => findTarget(connection, code) as Target | undefined),
  );
  const keys = createCache<StoredKey>(maxKeys, (id) =>
    watched(() => findKey(connection, id) as StoredKey | undefined),
  );
  // Unknown hosts are cached too, because adding a domain records a change that invalidates the entry.
  const hosts = createCache<{ readonly domain: ServedDomain | undefined }>(maxHosts, (host) =>
    watched(() => ({ domain: findHost(connection, host) as ServedDomain | undefined })),
  );
  const dropTarget = (name: string): void => {
    const changed = accountOf(name);
    if (changed !== undefined) targets.dropIf(({ account }) => account === changed);
    else if (isHost(name)) hosts.drop(name.slice(1));
    else targets.drop(name);
  };
  const caches: Readonly<Record<ChangeKind, Pick<Cache<unknown>, 'drop' | 'clear'>>> = {
    target: {
      drop: dropTarget,
      clear() {
        targets.clear();
        hosts.clear();
      },
    },
    key: keys,
  };
  const newest = (): number => connection.get<{ seq: number }>(newestChange, [])?.seq ?? 0;
  let seenVersion = -1;
  let seenSeq = newest();
  /** Time of the last check for commits by other processes, in ms. */
  let checkedAt = Number.NEGATIVE_INFINITY;
  /** The last read error. While it is set, cached entries may be stale; undefined while reads succeed. */
  let fault: { readonly error: unknown } | undefined;
  const alarm = createAlarm({
    fault: 'Could not read the database. Cached links still redirect. Linkfold will retry.',
    over: 'Linkfold can read the database again.',
    onError,
    onInfo,
  });

  const watched = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      alarm.raise({ error });
      throw error;
    }
  };

  const readChanges = (): void => {
    const most = hasFaults && isFaulty('smallChangePage') ? 1 : maxChanges;
    const changes = connection.all<Change>(changesAfter, [seenSeq, most]);
    const [first] = changes;
    if (first === undefined) return;
    // A gap means that the log was trimmed beyond this reader's position. A full result means that there are more
    // changes. Reading all of them would block the event loop, so the caches are cleared instead.
    if (first.seq !== seenSeq + 1 || changes.length === most) {
      seenSeq = newest();
      targets.clear();
      hosts.clear();
      keys.clear();
      onKeyChange();
      return;
    }
    for (const { seq, kind, name } of changes) {
      caches[kind].drop(name);
      if (kind === 'key') onKeyChange(name);
      seenSeq = seq;
    }
  };

  const check = (): void => {
    const at = clock();
    if (fault === undefined && at - checkedAt < checkEveryMs) return;
    checkedAt = at;
    try {
      const version = connection.get<{ data_version: number }>(dataVersion, [])?.data_version ?? -1;
      if (version !== seenVersion) readChanges();
      seenVersion = version;
    } catch (error) {
      fault = { error };
      alarm.raise({ error });
      return;
    }
    if (fault === undefined) return;
    fault = undefined;
    alarm.clear();
  };

  return {
    findTarget(code) {
      check();
      return targets.find(code);
    },
    findHost(host) {
      check();
      return hosts.find(host)?.domain;
    },
    findKey(id) {
      check();
      if (fault !== undefined) throw fault.error;
      return keys.find(id);
    },
    invalidate(changes) {
      checkedAt = Number.NEGATIVE_INFINITY;
      // Simulates a lost notification. The reader must then find the changes in the change log.
      if (hasFaults && isFaulty('lostNotice')) return;
      for (const [kind, name] of changes) {
        if (name === undefined) caches[kind].clear();
        else caches[kind].drop(name);
        if (kind === 'key') onKeyChange(name);
      }
    },
    poll: check,
    stats: () => ({ targets: targets.stats(), keys: keys.stats() }),
  };
}
