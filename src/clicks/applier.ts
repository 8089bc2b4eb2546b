import type { UnappliedClicks } from '../domain/clicks.ts';
import { createHistogram, secondsBounds } from '../runtime/histogram.ts';
import type { Report } from '../runtime/report.ts';
import type { Timers } from '../runtime/timers.ts';
import { followed, type Tracing } from '../runtime/tracing.ts';
import type { JournalFs } from './journal/io.ts';
import type { Journal } from './journal/journal.ts';
import type { ApplierStats, Cut, JournalMark } from './journal/stats.ts';
import { flatten } from './journal/sums.ts';
import { applyAgain, type ClickStorage } from './recovery.ts';

export interface ApplierOptions {
  readonly storage: ClickStorage;
  readonly journal: Journal;
  /** A fault that the operator must know of. */
  readonly onError: Report;
  /** What is worth a line in the log. */
  readonly onInfo?: Report;
  /** How often clicks go to storage, in ms: within the second after which other processes must see them (CONTRACT §6). */
  readonly intervalMs?: number;
  /** Where the journals are; the one of the journal itself. */
  readonly fs?: JournalFs;
  readonly timers?: Timers;
  readonly tracing?: Tracing | undefined;
}

export interface Applier {
  /** Clicks counted by this process that a storage answer does not hold yet; exact at every moment. */
  readonly unapplied: UnappliedClicks;
  /** Begins to apply at every interval. */
  start(): void;
  /**
   * Applies everything counted so far.
   * @throws what storage throws; nothing is lost by it
   */
  drain(): Promise<void>;
  /** Stops, applies what it can, and closes the journal. What storage does not take now stays there. Never rejects. */
  close(): Promise<void>;
  stats(): ApplierStats;
}

/** An answer of storage may be this many batches old when it is completed with the clicks it lacks. */
const rememberedBatches = 8;
// Storage that works again has the clicks within five seconds.
const longestPauseTicks = 3;

/**
 * Brings the clicks of this process's journal to storage, each exactly once (ARCHITECTURE §5.3). In normal running
 * nothing is read back from disk: the sums come from memory, the position they reach from the journal.
 *
 * A batch is frozen until storage has taken it: were clicks merged into it after a commit whose answer was lost, nobody
 * could tell how much of it arrived.
 */
export function createApplier(options: ApplierOptions): Applier {
  const { storage, journal, onError, onInfo, intervalMs = 800, fs } = options;
  const { setTimeout, clearTimeout } = options.timers ?? globalThis;
  let appliedTo = 0;
  let frozen: Cut | undefined;
  let applied: Cut[] = [];
  /** How far the journal had come at the cut that was applied last. */
  let appliedMark: JournalMark = { clicks: 0, bytes: 0 };
  const runSeconds = createHistogram(secondsBounds);
  let failed = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = 0;
  let failures = 0;

  const settle = (batch: Cut, position: number): void => {
    appliedTo = position;
    appliedMark = batch.mark;
    frozen = undefined;
    applied = [...applied, batch].slice(-rememberedBatches);
    journal.release(position);
  };

  /** Storage's position is not where this process left it. */
  const reconcile = async (batch: Cut): Promise<void> => {
    const position = await storage.appliedTo(journal.id);
    // The answer to the commit was lost.
    if (position === batch.to) return settle(batch, position);
    if (position > appliedTo)
      throw new Error(
        'Another process applied clicks of this journal. The next start applies what is left of it.',
      );
    if (position === appliedTo) throw new Error('Storage refuses clicks although its position did not move.');
    // A standby that was promoted, or a backup, lacks clicks that storage had taken.
    onError('Storage lacks clicks that it had taken; those that the journal still holds are applied again.', {
      journal: journal.id,
    });
    applied = applied.filter(({ to }) => to <= position);
    const reading = { dir: journal.dir, storage, fs, timers: options.timers };
    appliedTo = await applyAgain(reading, journal.id, position, appliedTo);
  };

  const pass = async (): Promise<void> => {
    if (frozen === undefined && !journal.hasUncut()) return;
    await followed(options.tracing, 'apply clicks', apply);
  };

  const apply = async (): Promise<void> => {
    const began = performance.now();
    frozen ??= journal.cut();
    const batch = frozen;
    const sums = flatten(batch.sums);
    if (await storage.applyClicks({ journal: journal.id, from: appliedTo, to: batch.to, sums })) {
      settle(batch, batch.to);
    } else {
      await reconcile(batch);
    }
    runSeconds.observe((performance.now() - began) / 1_000);
  };

  /** One pass at a time. */
  const run = (): Promise<void> => {
    running ??= pass()
      .catch((error) => {
        failed += 1;
        throw error;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  const stats = (): ApplierStats => {
    const { mark, since } = journal.progress();
    const oldest = frozen?.since ?? since;
    return {
      runSeconds,
      failures: failed,
      unapplied: { clicks: mark.clicks - appliedMark.clicks, bytes: mark.bytes - appliedMark.bytes },
      lagSeconds: oldest === undefined ? 0 : (performance.now() - oldest) / 1_000,
    };
  };

  const tick = async (): Promise<void> => {
    if (pause > 0) {
      pause -= 1;
      return;
    }
    try {
      await run();
      if (failures > 0) onInfo?.('Clicks are applied to storage again.', {});
      failures = 0;
    } catch (error) {
      if (failures === 0)
        onError('Clicks cannot be applied to storage; they stay in the journal.', { error });
      failures += 1;
      pause = Math.min(2 ** failures - 1, longestPauseTicks);
    }
  };

  const again = (): void => {
    timer = setTimeout(() => {
      void tick().finally(() => {
        if (timer !== undefined) again();
      });
    }, intervalMs).unref();
  };

  const drain = async (): Promise<void> => {
    await journal.flush();
    while (running !== undefined || frozen !== undefined || journal.hasUncut()) await run();
  };

  return {
    unapplied: {
      of(row, includedTo) {
        let clicks = journal.uncut(row);
        // Storage may have committed the batch in flight already: its answer's position tells.
        if (frozen !== undefined && includedTo < frozen.to) clicks += frozen.sums.total(row);
        for (const batch of applied) if (includedTo < batch.to) clicks += batch.sums.total(row);
        return clicks;
      },
    },
    stats,
    start() {
      if (timer === undefined) again();
    },
    drain,
    async close() {
      clearTimeout(timer);
      timer = undefined;
      try {
        await drain();
      } catch (error) {
        const { clicksAtRisk } = journal.health();
        const sentence =
          'Not all clicks could be applied; what the journal holds is applied at the next start.';
        onError(sentence, { error, clicksLost: clicksAtRisk });
        await journal.close();
        return;
      }
      try {
        await journal.close(() => storage.forgetJournal(journal.id));
      } catch (error) {
        onError('An applied click journal could not be removed; the next start does it.', { error });
      }
    },
  };
}
