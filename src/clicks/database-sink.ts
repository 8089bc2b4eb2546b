import { type ClickClass, hourOf, indexOfClass } from '../domain/clicks.ts';
import type { Target } from '../domain/link-records.ts';
import type { Storage } from '../domain/storage.ts';
import type { Report } from '../runtime/report.ts';
import type { Timers } from '../runtime/timers.ts';
import type { Applier } from './applier.ts';
import type { Journal } from './journal/journal.ts';
import { createJournalStats, markOf } from './journal/stats.ts';
import { createSums, flatten } from './journal/sums.ts';

export interface DatabaseSinkOptions {
  /** A UUID: under this name storage keeps which batch was committed last. */
  readonly id: string;
  readonly storage: Pick<Storage, 'appliedTo' | 'applyClicks' | 'forgetJournal'>;
  /** A fault that the operator must know of. */
  readonly onError: Report;
  readonly onInfo?: Report;
  /** How long a visitor waits for the commit, ms. */
  readonly patienceMs?: number;
  /** Most clicks that wait; more are refused as they come. */
  readonly maxWaiting?: number;
  readonly timers?: Timers;
}

/** Where clicks are recorded, whatever becomes of them there. */
export type ClickLog = Pick<Journal, 'append' | 'endTurn' | 'health' | 'stats' | 'progress'>;

/** In the place of a journal and its applier, where there is no disk to write to. */
export interface DatabaseSink {
  readonly log: ClickLog;
  readonly applier: Applier;
}

interface Click {
  readonly row: number;
  readonly hour: number;
  readonly classIndex: number;
  readonly came: number;
  answer: ((recorded: boolean) => void) | undefined;
}

/** A batch that was sent: the clicks that it adds, and those that it takes out again. */
interface Attempt {
  readonly clicks: readonly Click[];
  readonly corrections: readonly Click[];
}

const longestPauseMs = 500;
/** Attempts of which it is not known whether they were committed: each keeps its clicks. */
const maxAttempts = 8;

/**
 * Brings clicks to the database before their visitors are sent on (docs/decisions/0016): while one batch is being
 * committed, the next one gathers.
 *
 * Each attempt has a position of its own, and moves storage's position from the last known one to it. So the position
 * says which attempt was committed, also when no answer came; and once one is, none before it can be any more. A visitor
 * who was refused meanwhile, and whose click turns out to be committed, is taken out again.
 */
export function createDatabaseSink(options: DatabaseSinkOptions): DatabaseSink {
  const { id, storage, onError, onInfo, patienceMs = 2_000, maxWaiting = 16_384 } = options;
  const { setTimeout, clearTimeout, setImmediate } = options.timers ?? globalThis;
  const stats = createJournalStats();
  let position = 0;
  let lastAttempt = 0;
  /** In the order in which they came; those that a batch under way holds too. */
  let waiting: Click[] = [];
  let corrections: Click[] = [];
  /** Sent since the position moved, by the position that each would reach. */
  const attempts = new Map<number, Attempt>();
  let fault: string | undefined;
  let running: Promise<void> | undefined;
  let closed = false;
  let patience: NodeJS.Timeout | undefined;

  const answerAll = (clicks: readonly Click[], recorded: boolean): void => {
    for (const click of clicks) {
      const { answer } = click;
      click.answer = undefined;
      stats.turnSeconds.observe((performance.now() - click.came) / 1_000);
      try {
        answer?.(recorded);
      } catch (error) {
        onError('An answer failed after its click was recorded.', { error });
      }
    }
  };

  /** Refuses who has waited for too long. Their clicks leave the batches to come. */
  const refuseLate = (): void => {
    const since = performance.now() - patienceMs;
    const firstInTime = waiting.findIndex(({ came }) => came > since);
    const late = waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime);
    if (late.length > 0) answerAll(late, false);
  };

  const watchPatience = (): void => {
    const [oldest] = waiting;
    if (patience !== undefined || oldest === undefined) return;
    const rest = Math.max(1, oldest.came + patienceMs - performance.now() + 1);
    patience = setTimeout(() => {
      patience = undefined;
      refuseLate();
      watchPatience();
    }, rest).unref();
  };

  const committed = (to: number): void => {
    const attempt = attempts.get(to) ?? { clicks: [], corrections: [] };
    position = to;
    attempts.clear();
    const corrected = new Set(attempt.corrections);
    corrections = corrections.filter((click) => !corrected.has(click));
    const inTime: Click[] = [];
    for (const click of attempt.clicks) {
      if (click.answer === undefined) {
        corrections.push(click);
        continue;
      }
      inTime.push(click);
      stats.clicks[click.classIndex] = (stats.clicks[click.classIndex] ?? 0) + 1;
    }
    const done = new Set(attempt.clicks);
    waiting = waiting.filter((click) => !done.has(click));
    if (inTime.length > 0) stats.clicksPerWrite.observe(inTime.length);
    if (fault !== undefined) onInfo?.('The database takes clicks again.');
    fault = undefined;
    answerAll(inTime, true);
  };

  /** The last attempt once more when there are many already, so that a long outage costs no memory; else a new one. */
  const nextAttempt = (): Attempt => {
    const last = attempts.get(lastAttempt);
    if (last !== undefined && attempts.size >= maxAttempts) return last;
    const batch: Attempt = { clicks: [...waiting], corrections: [...corrections] };
    lastAttempt += 1;
    attempts.set(lastAttempt, batch);
    return batch;
  };

  const attempt = async (): Promise<void> => {
    const batch = nextAttempt();
    const sums = createSums();
    for (const { row, hour, classIndex } of batch.clicks) sums.add(row, hour, classIndex);
    for (const { row, hour, classIndex } of batch.corrections) sums.add(row, hour, classIndex, -1);
    const to = lastAttempt;
    const began = performance.now();
    if (await storage.applyClicks({ journal: id, from: position, to, sums: flatten(sums) })) {
      stats.syncSeconds.observe((performance.now() - began) / 1_000);
      return committed(to);
    }
    // An earlier one was committed after all, or this one when it was sent.
    const reached = await storage.appliedTo(id);
    if (attempts.has(reached)) return committed(reached);
    // A standby that took over may lack what its primary had taken, and with it everything that was sent since.
    const lacks = reached < position;
    if (lacks && (await storage.applyClicks({ journal: id, from: reached, to, sums: flatten(sums) }))) {
      onError('The database lacks clicks that it had taken; it goes on from those that it has.', { id });
      return committed(to);
    }
    throw new Error(`Storage says ${reached} of clicks that end at ${to}.`);
  };

  /** Until nothing waits and nothing is in doubt. */
  const work = async (): Promise<void> => {
    for (let failures = 0; waiting.length + corrections.length + attempts.size > 0; ) {
      try {
        await attempt();
        failures = 0;
      } catch (error) {
        stats.writeFaults += 1;
        failures += 1;
        const message = error instanceof Error ? error.message : String(error);
        if (fault === undefined) onError('The database takes no clicks.', { error });
        fault = `The database takes no clicks: ${message}`;
        refuseLate();
        if (closed && waiting.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, Math.min(10 * 2 ** failures, longestPauseMs)));
      }
    }
  };

  const start = (): void => {
    running ??= work().finally(() => {
      running = undefined;
      // A click may have come between the loop's last look and here.
      if (waiting.length > 0 && !closed) start();
    });
  };

  let isScheduled = false;
  const append = (
    target: Target,
    at: number,
    clickClass: ClickClass,
    answer: (recorded: boolean) => void,
  ): void => {
    if (closed || waiting.length >= maxWaiting) return answer(false);
    const classIndex = indexOfClass[clickClass];
    waiting.push({ row: target.row, hour: hourOf(at), classIndex, came: performance.now(), answer });
    watchPatience();
    if (isScheduled || running !== undefined) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      start();
    });
  };

  const drain = async (): Promise<void> => {
    start();
    while (running !== undefined) await running;
  };

  return {
    log: {
      stats,
      append,
      // A batch begins with the turn's end, or when the one under way is committed.
      endTurn: () => {},
      health: () =>
        fault === undefined ? { ok: true, clicksAtRisk: 0 } : { ok: false, reason: fault, clicksAtRisk: 0 },
      progress: () => ({ mark: markOf(stats), since: undefined, unsyncedClicks: 0 }),
    },
    applier: {
      // What was answered is in the database, and what is in the database is in what it answers.
      unapplied: { of: () => 0 },
      start: () => {},
      drain,
      async close() {
        closed = true;
        await drain();
        clearTimeout(patience);
        const refused = [...attempts.values()].flatMap(({ clicks }) => clicks).length + corrections.length;
        if (refused > 0)
          return onError('The database did not say whether it took clicks that were refused.', { refused });
        await storage.forgetJournal(id).catch((error: unknown) => {
          onError('The name under which clicks came to the database could not be removed.', { error, id });
        });
      },
      stats: () => ({
        runSeconds: stats.syncSeconds,
        failures: stats.writeFaults,
        unapplied: { clicks: 0, bytes: 0 },
        lagSeconds: waiting[0] === undefined ? 0 : (performance.now() - waiting[0].came) / 1_000,
      }),
    },
  };
}
