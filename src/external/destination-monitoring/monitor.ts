import { setTimeout } from 'node:timers/promises';
import {
  checkAfter,
  type DestinationCheckResult,
  type DestinationReads,
  type DestinationWrites,
  type DueDestination,
  dueAfter,
} from '../../model/links/destination-checks.ts';
import type { CheckDestination } from './check.ts';
import { createHostRateLimiter } from './host-rate-limiter.ts';

export interface DestinationMonitorOptions {
  readonly storage: DestinationReads & DestinationWrites;
  readonly checkDestination: CheckDestination;
  readonly fetchTitles: boolean;
  readonly now: () => number;
  /** Returns a random number from 0 to 1. */
  readonly chance: () => number;
  /** Waits for a turn; set in tests. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface DestinationMonitorStats {
  /** Number of checks since the process started, by result. */
  readonly checks: Readonly<Record<'fine' | 'problem' | 'unknown', number>>;
  /** Number of failing destinations at the end of the last run; undefined before the first run of this process. */
  readonly failing: number | undefined;
}

export interface DestinationMonitor {
  hasWork(): Promise<boolean>;
  /**
   * Checks a batch of due links.
   * @param after value returned by the previous call; 0 to start a run
   * @returns undefined at the end of the run
   */
  slice(after: number): Promise<number | undefined>;
  stats(): DestinationMonitorStats;
  /** Aborts checks in progress. The checks remain due. */
  stop(): void;
}

/**
 * Milliseconds between runs. Each run is performed by a single process, which begins new slices only in the first half
 * of the interval.
 */
export const runEveryMs = 60_000;
/**
 * Maximum number of destinations per slice. All of them are in memory at once. `hostsAtOnce` is the number of hosts
 * checked at the same time.
 */
const maxPerSlice = 1_000;
const hostsAtOnce = 25;
/** Maximum number of requests to a host per slice. `maxNewPerSlice` limits the links added to monitoring. */
const maxTurnsPerHost = 6;
const maxNewPerSlice = 500;
const maxPerWrite = 100;
const dayMs = 86_400_000;

/**
 * Creates destination monitoring, which checks each link regularly. All state is in the database, so monitoring
 * continues after a restart.
 */
export function createDestinationMonitor(options: DestinationMonitorOptions): DestinationMonitor {
  const { storage, checkDestination, fetchTitles, now, chance } = options;
  const { pause = (ms, signal) => setTimeout(ms, undefined, { signal }) } = options;
  const rateLimiter = createHostRateLimiter();
  const checks = { fine: 0, problem: 0, unknown: 0 };
  const { signal, abort } = stopper();
  /**
   * Links up to this row are monitored. Once a day, all links are scanned again, to find links that were committed late
   * or restored.
   */
  let monitoredTo = 0;
  let walkedAt = now();
  let beganAt = now();
  let failing: number | undefined;
  const isLate = (): boolean => now() - beganAt > runEveryMs / 2;

  const checkDue = async (due: DueDestination): Promise<DestinationCheckResult> => {
    const finding = await checkDestination(due.destination, fetchTitles && due.wantsTitle, signal);
    const at = now();
    checks[finding === undefined ? 'unknown' : finding.problem === null ? 'fine' : 'problem'] += 1;
    // If the check has no result, the destination's stored state stays unchanged.
    const check = finding && checkAfter(due.before, finding, at);
    const wasClicked = due.wasClicked && finding !== undefined;
    return { due, dueAt: dueAfter(check, wasClicked, at, chance()), check, title: finding?.title };
  };

  const checkHost = async (
    host: string,
    dues: readonly DueDestination[],
    addResult: (one: DestinationCheckResult) => void,
  ): Promise<void> => {
    for (const [at, due] of dues.entries()) {
      if (at >= maxTurnsPerHost || (at > 0 && isLate()))
        addResult({ due, dueAt: rateLimiter.reserveReturn(host, now()) });
      else {
        const waitMs = rateLimiter.reserveTurn(host, now()) - now();
        if (waitMs > 0) await pause(waitMs, signal).catch(() => {});
        if (signal.aborted) return;
        const settled = await checkDue(due);
        if (!signal.aborted) addResult(settled);
      }
    }
  };

  /** Adds new links to monitoring. @returns true if there may be more */
  const addNewLinks = async (): Promise<boolean> => {
    if (now() - walkedAt > dayMs) {
      monitoredTo = 0;
      walkedAt = now();
    }
    const reached = await storage.monitorDestinations(monitoredTo, maxNewPerSlice, now());
    monitoredTo = reached ?? monitoredTo;
    return reached !== undefined;
  };

  return {
    hasWork: async () => now() - walkedAt > dayMs || (await storage.hasDestinationWork(monitoredTo, now())),
    async slice(after) {
      if (after === 0) beganAt = now();
      const hasMore = await addNewLinks();
      const due = await storage.dueDestinations(now(), maxPerSlice);
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
          for (const [host, dues] of rest) await checkHost(host, dues, (one) => settled.push(one));
        }),
      );
      for (let at = 0; at < settled.length; at += maxPerWrite)
        await storage.saveDestinationChecks(settled.slice(at, at + maxPerWrite));
      if ((hasMore || due.length > 0) && !isLate() && !signal.aborted) return after + 1;
      failing = await storage.failingDestinations();
      return undefined;
    },
    stats: () => ({ checks: { ...checks }, failing }),
    stop: abort,
  };
}

function stopper(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
