import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from '../../domain/link-records.ts';
import { noReplicas, type ReplicaReads, type ReplicaStats } from '../../domain/storage-stats.ts';
import type { Report } from '../../runtime/report.ts';
import { all, one } from '../db/db.ts';
import { findTarget } from '../statements/link-reads.ts';
import type { Look } from './change-follower.ts';
import { createChangePositions } from './change-positions.ts';
import { historyKey, identity, isOfDatabase, isOfTimeline } from './history.ts';
import type { Replica } from './replica.ts';

/** Standbys that follow the primary, each a while behind it. */
export interface Replicas {
  /**
   * Where a code leads, from a standby that has every change of it that this process knows of.
   * @returns undefined when none says so within a moment: then the primary is to be asked. Never rejects
   */
  findTarget(foldedCode: string): Promise<Target | undefined>;
  /** Says that a code leads elsewhere. @param position by which it does; without it, by a change of this process */
  changed(foldedCode: string, position?: number): void;
  /** Says that anything may have changed up to a position, perhaps on another timeline. */
  unknown(position: number): void;
  looked(look: Look): void;
  stats(): ReplicaStats;
  close(): Promise<void>;
}

export interface ReplicasOptions {
  readonly replicas: readonly Replica[];
  /** Names the primary's history anew. */
  readonly nameHistory: () => Promise<unknown>;
  /** Milliseconds since the epoch: a link that has expired by it may have been prolonged. */
  readonly now: () => number;
  readonly onError?: Report | undefined;
  readonly onInfo?: Report | undefined;
}

const watchEveryMs = 250;
/** Whoever has told nothing for longer is not asked. */
const freshMs = 1_000;
/** So long an answer is waited for before the primary is asked. */
const deadlineMs = 200;
/** How long a standby rests that left a question unanswered; twice as long each time that it does so again. */
const leastRestMs = 1_000;
const maxRestMs = 30_000;

const standing = `
  SELECT CASE WHEN pg_is_in_recovery() THEN CAST(pg_last_wal_replay_lsn() - '0/0' AS BIGINT) END AS position,
    (SELECT value FROM meta WHERE key = '${historyKey}') AS history`;

interface Standing {
  /** Null on a server that is no standby. */
  readonly position: number | null;
  readonly history: string | null;
}

interface Standby {
  readonly replica: Replica;
  standing: Standing;
  /** When it told its standing last, by `performance.now()`. */
  toldAt: number;
  /** Whether it is the same database as the primary's is asked once, when it begins to be used. */
  isKnown: boolean;
  /** Why it is not asked. */
  aside: string | undefined;
  restsUntil: number;
  restMs: number;
}

const nowhere: Standing = { position: 0, history: null };

/**
 * Asks one of several standbys, in turn. Each answer proves itself: on the same connection, and before the snapshot of
 * the answer, the standby says how far it has replayed the log, and of which history. So it matters neither what lies
 * between nor whether the server is still the one that was there before.
 *
 * Beside that each is asked four times a second, so that nobody is sent to one that is behind or does not answer.
 */
export function createReplicas(options: ReplicasOptions): Replicas {
  const { nameHistory, now, onError, onInfo } = options;
  const positions = createChangePositions();
  const reads: Record<ReplicaReads, number> = { ...noReplicas.reads };
  const standbys = options.replicas.map(
    (replica): Standby => ({
      ...{ replica, standing: nowhere, toldAt: Number.NEGATIVE_INFINITY, isKnown: false, aside: undefined },
      ...{ restsUntil: Number.NEGATIVE_INFINITY, restMs: leastRestMs },
    }),
  );
  /** The primary's, and a position by which it had that name. */
  let history: { readonly name: string; readonly since: number } | undefined;
  let turn = 0;
  let isClosed = false;

  const setAside = (standby: Standby, reason: string, facts: object = {}): void => {
    const isNews = standby.aside === undefined && !isClosed;
    standby.aside = reason;
    standby.isKnown = false;
    if (!isNews) return;
    const replica = standby.replica.name;
    onError?.('A replica is not used; the primary is asked instead.', { replica, reason, ...facts });
  };

  const takeIn = (standby: Standby): void => {
    if (standby.aside === undefined) return;
    standby.aside = undefined;
    onInfo?.('A replica is used again.', { replica: standby.replica.name });
  };

  /** Why nothing that it says is to be believed; undefined also for one that is only behind. */
  const whyNot = ({ position, history: its }: Standing): string | undefined => {
    if (position === null) return 'it is no standby, but takes writes itself';
    if (history === undefined || its === history.name || position < history.since) return undefined;
    return 'it holds another database than the primary, or what a primary wrote before another was promoted';
  };

  const watch = async (standby: Standby): Promise<void> => {
    const [told, its] = await standby.replica.use((db) =>
      all(
        one<Standing>(db, standing, []),
        standby.isKnown ? undefined : one<{ identity: string }>(db, identity, []),
      ),
    );
    standby.standing = told;
    standby.toldAt = performance.now();
    const other = its && history && !isOfDatabase(history.name, its.identity);
    const reason = other ? 'it is a replica of another server or database' : whyNot(told);
    if (reason !== undefined) return setAside(standby, reason);
    if (history === undefined || performance.now() < standby.restsUntil) return;
    if (its === undefined && !standby.isKnown) return; // set aside meanwhile
    standby.isKnown = true;
    takeIn(standby);
  };

  const keepWatching = async (standby: Standby): Promise<void> => {
    for (; !isClosed; await pause(watchEveryMs, undefined, { ref: false }))
      await watch(standby).catch((error: unknown) => setAside(standby, 'it does not answer', { error }));
  };
  for (const standby of standbys) void keepWatching(standby);

  const has = ({ position, history: its }: Standing, needed: number): boolean =>
    position !== null && position >= needed && history !== undefined && its === history.name;

  const choose = (needed: number): Standby | undefined => {
    const at = performance.now();
    const well = standbys.filter(
      ({ aside, isKnown, toldAt }) => aside === undefined && isKnown && at - toldAt <= freshMs,
    );
    const ahead = well.filter((standby) => has(standby.standing, needed));
    if (ahead.length === 0) reads[well.length > 0 ? 'behind' : 'failed'] += 1;
    turn += 1;
    return ahead[turn % ahead.length];
  };

  /** It did not answer a question. When it answered none since, nobody is to wait for it for a while. */
  const rest = (standby: Standby, began: number, facts: object): void => {
    if (standby.toldAt > began || performance.now() < standby.restsUntil) return;
    standby.restsUntil = performance.now() + standby.restMs;
    standby.restMs = Math.min(2 * standby.restMs, maxRestMs);
    setAside(standby, 'it does not answer', facts);
  };

  const ask = async (
    standby: Standby,
    code: string,
    needed: number,
    until: number,
  ): Promise<Target | 'behind' | 'late' | undefined> => {
    const answer = await standby.replica.use(async (db) =>
      // Whoever waited in line for too long has gone to the primary.
      performance.now() > until ? undefined : all(one<Standing>(db, standing, []), findTarget(db, code)),
    );
    if (answer === undefined) return 'late';
    const [told, found] = answer;
    standby.standing = told;
    standby.toldAt = performance.now();
    return has(told, needed) ? found : 'behind';
  };

  return {
    async findTarget(code) {
      const needed = positions.needed(code);
      const standby = choose(needed);
      if (standby === undefined) return undefined;
      const began = performance.now();
      const tooLate = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => tooLate.resolve('late'), deadlineMs);
      try {
        const found = await Promise.race([ask(standby, code, needed, began + deadlineMs), tooLate.promise]);
        if (found === 'late') rest(standby, began, { waitedMs: deadlineMs });
        else standby.restMs = leastRestMs;
        if (found === 'late' || found === 'behind') {
          reads[found] += 1;
          return undefined;
        }
        const leads = found !== undefined && (found.expiresAt === null || found.expiresAt > now());
        reads[leads ? 'answered' : 'not_found'] += 1;
        return leads ? found : undefined;
      } catch (error) {
        reads.failed += 1;
        rest(standby, began, { error });
        return undefined;
      } finally {
        clearTimeout(timer);
      }
    },
    changed(name, position) {
      if (position === undefined) positions.changedHere(name);
      else positions.changed(name, position);
    },
    unknown(position) {
      history = undefined;
      positions.unknown(position);
    },
    looked({ began, position, timeline, history: name }) {
      positions.looked(began, position);
      if (!isOfTimeline(name, timeline)) {
        history = undefined;
        void nameHistory().catch(() => {}); // the next look finds it missing again
      } else if (history?.name !== name) history = { name, since: position };
    },
    stats() {
      const at = performance.now();
      const states = { ...noReplicas.states };
      let lagMs: number | undefined;
      for (const { aside, toldAt, standing: last } of standbys) {
        if (aside !== undefined || at - toldAt > freshMs) {
          states.aside += 1;
          continue;
        }
        states[has(last, positions.floor()) ? 'current' : 'behind'] += 1;
        lagMs = Math.max(lagMs ?? 0, positions.agoMs(last.position ?? 0));
      }
      return { reads: { ...reads }, states, lagSeconds: lagMs === undefined ? undefined : lagMs / 1_000 };
    },
    async close() {
      isClosed = true;
      await Promise.all(standbys.map(({ replica }) => replica.close()));
    },
  };
}
