import { setTimeout } from 'node:timers/promises';
import {
  checkAfter,
  type DestinationCheckResult,
  type DestinationReads,
  type DestinationWrites,
  type DueDestination,
  dueAfter,
} from '../model/links/destination-checks.ts';
import type { CheckDestination } from './look.ts';
import { createPace } from './pace.ts';

export interface WatchOptions {
  readonly storage: DestinationReads & DestinationWrites;
  readonly look: CheckDestination;
  readonly fetchTitles: boolean;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** In tests: waits for a turn. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface WatchStats {
  /** Looks since the start, by what was found. */
  readonly looks: Readonly<Record<'fine' | 'problem' | 'unknown', number>>;
  /** How many destinations failed at the end of the last round; undefined before one of this process. */
  readonly failing: number | undefined;
}

export interface Watch {
  hasWork(): Promise<boolean>;
  /** Looks at what is due, a part at a time. @param after 0 to begin a round @returns undefined when the round has ended */
  slice(after: number): Promise<number | undefined>;
  stats(): WatchStats;
  /** Interrupts what is under way: that is still due. */
  stop(): void;
}

/** How often one of all processes begins a round, ms; in the first half of that it begins slices. */
export const roundMs = 60_000;
/** How many destinations a slice takes up, which are in memory at a time, and how many hosts it asks at a time. */
const mostOfSlice = 1_000;
const hostsAtOnce = 25;
/** How often a slice asks one host, and how many links it begins to watch. */
const turnsOfSlice = 6;
const mostNew = 500;
const mostOfWrite = 100;
const dayMs = 86_400_000;

/** Looks at where links lead, day by day. All of it is in the database: a restart continues where it was. */
export function createWatch(options: WatchOptions): Watch {
  const { storage, look, fetchTitles, now, chance } = options;
  const { pause = (ms, signal) => setTimeout(ms, undefined, { signal }) } = options;
  const pace = createPace();
  const looks = { fine: 0, problem: 0, unknown: 0 };
  const { signal, abort } = stopper();
  /** Links up to this row are watched. Once a day all are gone through, for those that were committed late or came back. */
  let watchedTo = 0;
  let walkedAt = now();
  let beganAt = now();
  let failing: number | undefined;
  const isLate = (): boolean => now() - beganAt > roundMs / 2;

  const lookAt = async (due: DueDestination): Promise<DestinationCheckResult> => {
    const finding = await look(due.destination, fetchTitles && due.wantsTitle, signal);
    const at = now();
    looks[finding === undefined ? 'unknown' : finding.problem === null ? 'fine' : 'problem'] += 1;
    // What cannot be looked at is no news.
    const check = finding && checkAfter(due.before, finding, at);
    const wasClicked = due.wasClicked && finding !== undefined;
    return { due, dueAt: dueAfter(check, wasClicked, at, chance()), check, title: finding?.title };
  };

  const lookAtHost = async (
    host: string,
    dues: readonly DueDestination[],
    settle: (one: DestinationCheckResult) => void,
  ): Promise<void> => {
    for (const [at, due] of dues.entries()) {
      if (at >= turnsOfSlice || (at > 0 && isLate())) settle({ due, dueAt: pace.laterAt(host, now()) });
      else {
        const waitMs = pace.turnAt(host, now()) - now();
        if (waitMs > 0) await pause(waitMs, signal).catch(() => {});
        if (signal.aborted) return;
        const settled = await lookAt(due);
        if (!signal.aborted) settle(settled);
      }
    }
  };

  /** @returns whether there may be more */
  const watchMore = async (): Promise<boolean> => {
    if (now() - walkedAt > dayMs) {
      watchedTo = 0;
      walkedAt = now();
    }
    const reached = await storage.watchDestinations(watchedTo, mostNew, now());
    watchedTo = reached ?? watchedTo;
    return reached !== undefined;
  };

  return {
    hasWork: async () => now() - walkedAt > dayMs || (await storage.hasDestinationWork(watchedTo, now())),
    async slice(after) {
      if (after === 0) beganAt = now();
      const hasMore = await watchMore();
      const due = await storage.dueDestinations(now(), mostOfSlice);
      const isOver = ({ isDeleted, isLive }: DueDestination): boolean => isDeleted || !isLive;
      const settled: DestinationCheckResult[] = due
        .filter(isOver)
        .map((one) => ({ due: one, dueAt: now() + dayMs }));
      const byHost = Map.groupBy(
        due.filter((one) => !isOver(one)),
        ({ destination }) => URL.parse(destination)?.hostname ?? '',
      );
      const rest = byHost.entries();
      await Promise.all(
        Array.from({ length: hostsAtOnce }, async () => {
          for (const [host, dues] of rest) await lookAtHost(host, dues, (one) => settled.push(one));
        }),
      );
      for (let at = 0; at < settled.length; at += mostOfWrite)
        await storage.saveDestinationChecks(settled.slice(at, at + mostOfWrite));
      if ((hasMore || due.length > 0) && !isLate() && !signal.aborted) return after + 1;
      failing = await storage.failingDestinations();
      return undefined;
    },
    stats: () => ({ looks: { ...looks }, failing }),
    stop: abort,
  };
}

function stopper(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
