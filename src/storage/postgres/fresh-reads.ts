import type { StoredKey } from '../../model/accounts/keys.ts';
import type { ServedDomain } from '../../model/domains/domains.ts';
import type { Target } from '../../model/links/link-records.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import type { StorageStats } from '../../model/storage-stats.ts';
import { accountOf, isHost } from '../db/change-log.ts';
import { type OnChange, whenKnown } from '../db/db.ts';
import { createStore } from '../engine/cache.ts';
import { createChangeFollower, type FollowerOptions } from './change-follower.ts';
import { createSingleFlight } from './single-flight.ts';

/**
 * Cached lookups at the start of a request (code, host, key). They are at most one second stale while the change log is
 * readable.
 */
export interface FreshReads {
  /**
   * Returns the target of a live code from the cache or, on a miss, from the database. While the change log is
   * unreadable, cached targets are used for up to `staleMs`.
   * @throws Failure STORAGE_UNAVAILABLE when the code is not cached and the database is unavailable
   */
  findTarget(key: string): MaybePromise<Target | undefined>;
  /** Returns the verified domain of a host, with the same caching as `findTarget`. */
  findHost(host: string): MaybePromise<ServedDomain | undefined>;
  /**
   * Returns a key. If this process has not read the change log in the last second, it reads the key from the database,
   * because a cached key may have been revoked.
   */
  findKey(id: string): MaybePromise<StoredKey | undefined>;
  /** Invalidates entries after this process has committed a write, so that later reads see the changes. */
  readonly invalidate: OnChange;
  stats(): Pick<StorageStats, 'caches' | 'changeLogLagSeconds'>;
  close(): void;
}

export interface FreshReadsOptions extends Pick<FollowerOptions, 'onError' | 'onInfo'> {
  /** A separate connection for the change log, so that polls don't wait for other statements. */
  readonly log: FollowerOptions['db'];
  readonly readTarget: (key: string) => Promise<Target | undefined>;
  readonly readHost: (host: string) => Promise<ServedDomain | undefined>;
  readonly readKey: (id: string) => Promise<StoredKey | undefined>;
  /** Milliseconds for which cached targets are used while the log is unreadable. */
  readonly staleMs: number;
  /** Maximum number of cached targets. */
  readonly maxTargets: number;
  /** Called when any process changed a key or one of its sessions. `id` is undefined if all keys may have changed. */
  readonly onKeyChange: (id?: string) => void;
}

const maxKeys = 2_000;
const maxHosts = 20_000;
/** In ms. Slightly less than the guaranteed second, to leave time for the response. */
const maxAgeMs = 900;
const missLifetimeMs = 500;
const maxMisses = 10_000;

/**
 * Caches targets and keys, and drops entries named in the change log. A value that is being loaded when its name
 * appears in the log is not cached, so that a read that began before a change never stores the old value.
 *
 * Unknown codes are cached separately for half a second, so that a client that guesses codes does not evict links.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a change invalidates all caches and running reads together
export function createFreshReads(options: FreshReadsOptions): FreshReads {
  const { log, readTarget, readHost, readKey, staleMs, maxTargets, onKeyChange, onError, onInfo } = options;
  const targets = createStore<Target>(maxTargets);
  const keys = createStore<StoredKey>(maxKeys);
  // Unknown hosts are cached too, because adding a domain records a change that invalidates the entry.
  const hosts = createStore<KnownHost>(maxHosts);
  const missCache = createMissCache();
  const targetLoads = createSingleFlight<Target>({
    read: readTarget,
    keep(code, found, since) {
      if (found !== undefined) return targets.set(code, found);
      // This read may have seen the link's deletion before the change log follower did, so the cache may still contain
      // the link.
      targets.drop(code);
      missCache.add(code, since);
    },
  });
  const keyLoads = createSingleFlight<StoredKey>({
    read: readKey,
    keep: (id, found) => void (found !== undefined && keys.set(id, found)),
  });

  const hostLoads = createSingleFlight<KnownHost>({
    read: async (host) => ({ domain: await readHost(host) }),
    keep: (host, found) => void (found !== undefined && hosts.set(host, found)),
  });

  const invalidate: OnChange = (kind, name) => {
    const account = kind === 'target' && name !== undefined ? accountOf(name) : undefined;
    if (account !== undefined) return invalidateAccount(account);
    if (kind === 'target' && (name === undefined || isHost(name))) invalidateHost(name?.slice(1));
    const [store, loads] = kind === 'target' ? [targets, targetLoads] : [keys, keyLoads];
    if (name === undefined) {
      store.clear();
      loads.clear();
    } else {
      store.drop(name);
      loads.drop(name);
      if (kind === 'target') missCache.drop(name);
    }
    if (kind === 'key') onKeyChange(name);
  };

  const invalidateAccount = (changed: number): void => {
    targets.dropIf(({ account }) => account === changed);
    targetLoads.clear();
  };

  const invalidateHost = (host: string | undefined): void => {
    if (host === undefined) {
      hosts.clear();
      hostLoads.clear();
    } else {
      hosts.drop(host);
      hostLoads.drop(host);
    }
  };

  const follower = createChangeFollower({
    db: log,
    onChange: invalidate,
    onUnknown() {
      invalidate('target', undefined);
      invalidate('key', undefined);
    },
    onError,
    onInfo,
  });

  const targetOf = (code: string): MaybePromise<Target | undefined> => {
    const kept = targets.get(code);
    if (kept !== undefined) return kept;
    return missCache.has(code) ? undefined : targetLoads.load(code);
  };

  const findStaleTarget = (code: string): MaybePromise<Target | undefined> =>
    follower.ageMs() <= staleMs ? targetOf(code) : targetLoads.load(code);
  const hostOf = (host: string): MaybePromise<KnownHost | undefined> =>
    (follower.ageMs() <= staleMs ? hosts.get(host) : undefined) ?? hostLoads.load(host);

  return {
    findTarget(code) {
      if (follower.ageMs() <= maxAgeMs) return targetOf(code);
      return follower.isStalled() ? follower.poll().then(() => findStaleTarget(code)) : findStaleTarget(code);
    },
    findHost(host) {
      if (follower.ageMs() > maxAgeMs && follower.isStalled())
        return follower.poll().then(async () => (await hostOf(host))?.domain);
      return whenKnown(hostOf(host), (known) => known?.domain);
    },
    findKey(id) {
      if (follower.ageMs() <= maxAgeMs) return keys.get(id) ?? keyLoads.load(id);
      if (follower.isStalled()) void follower.poll();
      return keyLoads.load(id);
    },
    invalidate,
    stats() {
      const { hits, misses, ...rest } = targets.stats();
      const age = follower.ageMs();
      return {
        caches: {
          targets: { ...rest, hits: hits + missCache.hits(), misses: misses - missCache.hits() },
          keys: keys.stats(),
        },
        changeLogLagSeconds: Number.isFinite(age) ? age / 1_000 : undefined,
      };
    },
    close: follower.close,
  };
}

interface KnownHost {
  readonly domain: ServedDomain | undefined;
}

/** Creates a cache of names that were recently looked up and not found. */
function createMissCache() {
  // When the last lookup of each name began. The first entry is the oldest, because `add` moves a name to the end.
  const since = new Map<string, number>();
  let hits = 0;
  return {
    has(name: string): boolean {
      const at = since.get(name);
      if (at === undefined) return false;
      if (performance.now() - at > missLifetimeMs) {
        since.delete(name);
        return false;
      }
      hits += 1;
      return true;
    },
    add(name: string, at: number): void {
      since.delete(name);
      since.set(name, at);
      if (since.size <= maxMisses) return;
      for (const oldest of since.keys()) {
        since.delete(oldest);
        break;
      }
    },
    drop: (name: string): void => void since.delete(name),
    hits: () => hits,
  };
}
