import type { StoredKey } from '../../model/accounts/keys.ts';
import type { ServedDomain } from '../../model/domains/domains.ts';
import type { Target } from '../../model/links/link-records.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import type { StorageStats } from '../../model/storage-stats.ts';
import { isHost } from '../db/change-log.ts';
import { type OnChange, whenKnown } from '../db/db.ts';
import { createStore } from '../engine/cache.ts';
import { createChangeFollower, type FollowerOptions } from './change-follower.ts';
import { createSingleFlight } from './single-flight.ts';

/** The two reads with which every request begins, kept in memory, and at most a second old while the log can be read. */
export interface FreshReads {
  /**
   * The target of a live code. From memory at once, else from the database. While the change log cannot be read: as last known,
   * up to the limit given.
   * @throws Failure STORAGE_UNAVAILABLE when neither memory nor the database can say
   */
  findTarget(key: string): MaybePromise<Target | undefined>;
  /** Same as above, for the proven domain of a host. */
  findHost(host: string): MaybePromise<ServedDomain | undefined>;
  /** Same as above, for a key. When the log has not been read for a second, the database is asked: the key may be revoked. */
  findKey(id: string): MaybePromise<StoredKey | undefined>;
  /** A change was committed here: the reads that follow must see it. */
  readonly forget: OnChange;
  stats(): Pick<StorageStats, 'caches' | 'changeLogLagSeconds'>;
  close(): void;
}

export interface FreshReadsOptions extends Pick<FollowerOptions, 'onError' | 'onInfo'> {
  /** A connection of its own for the change log, so that polls wait for no other statement. */
  readonly log: FollowerOptions['db'];
  readonly readTarget: (key: string) => Promise<Target | undefined>;
  readonly readHost: (host: string) => Promise<ServedDomain | undefined>;
  readonly readKey: (id: string) => Promise<StoredKey | undefined>;
  /** How long targets in memory lead on while the log cannot be read, ms. */
  readonly staleMs: number;
  /** Maximum number of targets in memory. */
  readonly maxTargets: number;
  /** Called when a key, or a session of it, was changed by any process; without an id for all keys. */
  readonly onKeyChange: (id?: string) => void;
}

const maxKeys = 2_000;
const maxHosts = 20_000;
/** Less than the promised second, by the time that a request may take to its answer. */
const boundMs = 900;
const absentMs = 500;
const maxAbsent = 10_000;

/**
 * Keeps targets and keys in memory, and forgets what the change log names. A value that is being read when its name comes up
 * is not kept, so a read that began before a change never puts the old value back.
 *
 * Codes that lead nowhere are kept for half a second, apart from links: a client that guesses codes pushes out no link.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a change must be forgotten in each store and each load at once, so they stand side by side
export function createFreshReads(options: FreshReadsOptions): FreshReads {
  const { log, readTarget, readHost, readKey, staleMs, maxTargets, onKeyChange, onError, onInfo } = options;
  const targets = createStore<Target>(maxTargets);
  const keys = createStore<StoredKey>(maxKeys);
  // That a host is none of ours is kept too: it becomes one by a change that is noted.
  const hosts = createStore<KnownHost>(maxHosts);
  const absent = createAbsent();
  const targetLoads = createSingleFlight<Target>({
    read: readTarget,
    keep(code, found, since) {
      if (found === undefined) absent.add(code, since);
      else targets.set(code, found);
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

  const forget: OnChange = (kind, name) => {
    if (kind === 'target' && (name === undefined || isHost(name))) forgetHost(name?.slice(1));
    const [store, loads] = kind === 'target' ? [targets, targetLoads] : [keys, keyLoads];
    if (name === undefined) {
      store.clear();
      loads.clear();
    } else {
      store.drop(name);
      loads.drop(name);
      if (kind === 'target') absent.drop(name);
    }
    if (kind === 'key') onKeyChange(name);
  };

  const forgetHost = (host: string | undefined): void => {
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
    onChange: forget,
    onUnknown() {
      forget('target', undefined);
      forget('key', undefined);
    },
    onError,
    onInfo,
  });

  const targetOf = (code: string): MaybePromise<Target | undefined> => {
    const kept = targets.get(code);
    if (kept !== undefined) return kept;
    return absent.has(code) ? undefined : targetLoads.load(code);
  };

  const unconfirmed = (code: string): MaybePromise<Target | undefined> =>
    follower.ageMs() <= staleMs ? targetOf(code) : targetLoads.load(code);
  const hostOf = (host: string): MaybePromise<KnownHost | undefined> =>
    (follower.ageMs() <= staleMs ? hosts.get(host) : undefined) ?? hostLoads.load(host);

  return {
    findTarget(code) {
      if (follower.ageMs() <= boundMs) return targetOf(code);
      return follower.isStalled() ? follower.poll().then(() => unconfirmed(code)) : unconfirmed(code);
    },
    findHost(host) {
      if (follower.ageMs() > boundMs && follower.isStalled())
        return follower.poll().then(async () => (await hostOf(host))?.domain);
      return whenKnown(hostOf(host), (known) => known?.domain);
    },
    findKey(id) {
      if (follower.ageMs() <= boundMs) return keys.get(id) ?? keyLoads.load(id);
      if (follower.isStalled()) void follower.poll();
      return keyLoads.load(id);
    },
    forget,
    stats() {
      const { hits, misses, ...rest } = targets.stats();
      const age = follower.ageMs();
      return {
        caches: {
          targets: { ...rest, hits: hits + absent.hits(), misses: misses - absent.hits() },
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

/** Names that were not found a moment ago. */
function createAbsent() {
  // Each is kept for the same time, so the first is the oldest.
  const since = new Map<string, number>();
  let hits = 0;
  return {
    has(name: string): boolean {
      const at = since.get(name);
      if (at === undefined) return false;
      if (performance.now() - at > absentMs) {
        since.delete(name);
        return false;
      }
      hits += 1;
      return true;
    },
    add(name: string, at: number): void {
      since.delete(name);
      since.set(name, at);
      if (since.size <= maxAbsent) return;
      for (const oldest of since.keys()) {
        since.delete(oldest);
        break;
      }
    },
    drop: (name: string): void => void since.delete(name),
    hits: () => hits,
  };
}
