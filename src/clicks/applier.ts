import type { UnappliedClicks } from '../model/clicks/clicks.ts';
import { createHistogram, type Histogram, secondsBounds } from '../runtime/histogram.ts';
import type { Report } from '../runtime/report.ts';
import type { Timers } from '../runtime/timers.ts';
import { followed, type Tracing } from '../runtime/tracing.ts';
import type { JournalFs } from './journal/files/io.ts';
import type { Journal } from './journal/journal.ts';
import type { ApplierStats, Batch, JournalMark } from './journal/stats.ts';
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
  /** The file system of the journal. */
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

/** An answer of storage may be so many batches old when the clicks that it lacks are added to it. */
const rememberedBatches = 8;
// Storage that works again has the clicks within five seconds.
const longestPauseTicks = 3;

interface Context {
  readonly options: ApplierOptions;
  appliedTo: number;
  /** Taken from the journal, and not known to be in storage. */
  current: Batch | undefined;
  /** The last ones that storage has taken. */
  applied: Batch[];
  /** How far the journal had come when the batch was taken that was applied last. */
  appliedMark: JournalMark;
  readonly runSeconds: Histogram;
}

/**
 * Brings the clicks of this process's journal to storage, each exactly once (docs/clicks.md). In normal running it reads nothing
 * back from disk: the sums come from memory, the offset that they reach from the journal.
 *
 * A batch stays as it is until storage has taken it. When the answer to a commit is lost, storage's offset then reports whether
 * all of the batch was committed or nothing.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one pass runs at a time, whoever asks for it: its timer, its failures and the end are one state
export function createApplier(options: ApplierOptions): Applier {
  const { storage, journal, onError, onInfo, intervalMs = 800 } = options;
  const { setTimeout, clearTimeout } = options.timers ?? globalThis;
  const context: Context = {
    options,
    appliedTo: 0,
    current: undefined,
    applied: [],
    appliedMark: { clicks: 0, bytes: 0 },
    runSeconds: createHistogram(secondsBounds),
  };
  let failed = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = 0;
  let failures = 0;

  const pass = async (): Promise<void> => {
    if (context.current === undefined && !journal.hasPending()) return;
    await followed(options.tracing, 'apply clicks', () => apply(context));
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
    const { appliedMark, runSeconds } = context;
    const oldest = context.current?.since ?? since;
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
    while (running !== undefined || context.current !== undefined || journal.hasPending()) await run();
  };

  return {
    unapplied: {
      of(row, includedTo) {
        const { current, applied } = context;
        let clicks = journal.pending(row);
        // Storage may have committed the current batch already: the offset of its answer says so.
        if (current !== undefined && includedTo < current.to) clicks += current.sums.total(row);
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
        await journal.close(() => storage.deleteJournal(journal.id));
      } catch (error) {
        onError('An applied click journal could not be removed; the next start does it.', { error });
      }
    },
  };
}

function settle(context: Context, batch: Batch, offset: number): void {
  context.appliedTo = offset;
  context.appliedMark = batch.mark;
  context.current = undefined;
  context.applied = [...context.applied, { ...batch, records: [] }].slice(-rememberedBatches);
  context.options.journal.release(offset);
}

/** Storage's offset is not where this process left it. */
async function reconcile(context: Context, batch: Batch): Promise<void> {
  const { storage, journal, onError, fs, timers } = context.options;
  const offset = await storage.appliedTo(journal.id);
  // The answer to the commit was lost.
  if (offset === batch.to) return settle(context, batch, offset);
  if (offset > context.appliedTo)
    throw new Error(
      'Another process applied clicks of this journal. The next start applies what is left of it.',
    );
  if (offset === context.appliedTo)
    throw new Error('Storage refuses clicks although its offset did not move.');
  // A standby that was promoted, or a backup, lacks clicks that storage had taken.
  onError('Storage lacks clicks that it had taken; those that the journal still holds are applied again.', {
    journal: journal.id,
  });
  context.applied = context.applied.filter(({ to }) => to <= offset);
  const reading = { dir: journal.dir, storage, fs, timers };
  context.appliedTo = await applyAgain(reading, journal.id, offset, context.appliedTo);
}

/** Brings a batch to storage: the one from before, until storage has taken it. */
async function apply(context: Context): Promise<void> {
  const { storage, journal } = context.options;
  const began = performance.now();
  context.current ??= journal.takeBatch();
  const batch = context.current;
  const { to, records } = batch;
  const sums = flatten(batch.sums);
  if (await storage.applyClicks({ journal: journal.id, from: context.appliedTo, to, sums, records })) {
    settle(context, batch, batch.to);
  } else {
    await reconcile(context, batch);
  }
  context.runSeconds.observe((performance.now() - began) / 1_000);
}
