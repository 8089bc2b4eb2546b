import type { UnappliedClicks } from '../model/clicks/clicks.ts';
import { hasFaults, isFaulty, lateMs } from '../runtime/fault-points.ts';
import { createHistogram, type Histogram, secondsBounds } from '../runtime/histogram.ts';
import type { Report } from '../runtime/report.ts';
import type { Timers } from '../runtime/timers.ts';
import { followed, type Tracing } from '../runtime/tracing.ts';
import type { JournalFs } from './journal/files/io.ts';
import type { Journal } from './journal/journal.ts';
import type { ApplierStats, Batch, JournalMark } from './journal/stats.ts';
import { flatten } from './journal/sums.ts';
import { type ClickStorage, reapply } from './recovery.ts';

export interface ApplierOptions {
  readonly storage: ClickStorage;
  readonly journal: Journal;
  /** Reports an error for the operator. */
  readonly onError: Report;
  /** Reports an event for the log. */
  readonly onInfo?: Report;
  /** Interval between batches in ms. Other processes must see clicks within a second (CONTRACT §6). */
  readonly intervalMs?: number;
  /** The file system that the journal uses. */
  readonly fs?: JournalFs;
  readonly timers?: Timers;
  readonly tracing?: Tracing | undefined;
}

export interface Applier {
  /** Exact numbers of clicks that this process has counted but a storage query does not include yet. */
  readonly unapplied: UnappliedClicks;
  /** Starts applying clicks periodically. */
  start(): void;
  /**
   * Applies all clicks counted so far.
   * @throws storage errors; no clicks are lost
   */
  drain(): Promise<void>;
  /**
   * Stops, applies as many clicks as possible, and closes the journal. Clicks that storage does not accept stay in the
   * journal. Never rejects.
   */
  close(): Promise<void>;
  stats(): ApplierStats;
}

/**
 * Number of applied batches to retain, because a storage query's result does not include the clicks in batches that
 * were applied after the query started.
 */
const retainedBatches = 8;
// Maximum pause after failures, in ticks. It is short, so that clicks are applied within five seconds of the end of an
// outage.
const maxPauseTicks = 3;

interface Context {
  readonly options: ApplierOptions;
  appliedTo: number;
  /** The batch being applied. Storage has not confirmed it yet. */
  current: Batch | undefined;
  /** The last batches that storage has applied. */
  applied: Batch[];
  /** The journal's progress when the last applied batch was taken from it. */
  appliedMark: JournalMark;
  readonly runSeconds: Histogram;
}

/**
 * Creates an applier. It applies the clicks in this process's journal to storage, each exactly once (docs/clicks.md).
 * Normally it reads nothing back from disk: the sums come from memory. Each batch of sums has a journal offset, and the
 * sums include all clicks up to that offset. A batch does not change until storage has applied it. If the response to a
 * commit is lost, storage's offset shows whether the batch was committed.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one pass runs at a time; its timer, failures and shutdown share one state
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

  /** Starts a pass, or returns the running pass. */
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
      if (failures > 0) onInfo?.('Linkfold can apply clicks to storage again.', {});
      failures = 0;
    } catch (error) {
      if (failures === 0)
        onError('Could not apply clicks to storage. They stay in the journal, and Linkfold will retry.', {
          error,
        });
      failures += 1;
      pause = Math.min(2 ** failures - 1, maxPauseTicks);
    }
  };

  const scheduleTick = (): void => {
    const dueMs = hasFaults && isFaulty('lateTimer') ? intervalMs + lateMs : intervalMs;
    timer = setTimeout(() => {
      void tick().finally(() => {
        if (timer !== undefined) scheduleTick();
      });
    }, dueMs).unref();
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
        // Storage may already have committed the current batch; the offset in the query result shows this.
        if (current !== undefined && includedTo < current.to) clicks += current.sums.total(row);
        for (const batch of applied) if (includedTo < batch.to) clicks += batch.sums.total(row);
        return clicks;
      },
    },
    stats,
    start() {
      if (timer === undefined) scheduleTick();
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
          'Could not apply all clicks before the shutdown. The rest stay in the journal and will be applied at the next start.';
        onError(sentence, { error, clicksLost: clicksAtRisk });
        await journal.close();
        return;
      }
      try {
        await journal.close(() => storage.deleteJournal(journal.id));
      } catch (error) {
        onError('Could not delete an applied click journal. It will be deleted at the next start.', {
          error,
        });
      }
    },
  };
}

function recordApplied(context: Context, batch: Batch, offset: number): void {
  context.appliedTo = offset;
  context.appliedMark = batch.mark;
  context.current = undefined;
  context.applied = [...context.applied, { ...batch, records: [] }].slice(-retainedBatches);
  context.options.journal.release(offset);
}

/** Handles a storage offset that differs from the expected offset. */
async function reconcile(context: Context, batch: Batch): Promise<void> {
  const { storage, journal, onError, fs, timers } = context.options;
  const offset = await storage.appliedTo(journal.id);
  // The response to the commit was lost.
  if (offset === batch.to) return recordApplied(context, batch, offset);
  if (offset > context.appliedTo)
    throw new Error(
      'Another process applied clicks from this journal. The rest will be applied at the next start.',
    );
  if (offset === context.appliedTo)
    throw new Error('Storage rejected the clicks, but its stored journal offset has not changed.');
  // The database is a promoted standby or a restored backup that lacks some applied clicks.
  onError(
    'Storage lost clicks that it had acknowledged. Linkfold applies the clicks that are still in the journal again.',
    { journal: journal.id },
  );
  context.applied = context.applied.filter(({ to }) => to <= offset);
  const reading = { dir: journal.dir, storage, fs, timers };
  context.appliedTo = await reapply(reading, journal.id, offset, context.appliedTo);
}

/** Applies the current batch if storage has not confirmed it yet, otherwise the next batch. */
async function apply(context: Context): Promise<void> {
  const { storage, journal } = context.options;
  const began = performance.now();
  context.current ??= journal.takeBatch();
  const batch = context.current;
  const { to, records } = batch;
  const sums = flatten(batch.sums);
  if (await storage.applyClicks({ journal: journal.id, from: context.appliedTo, to, sums, records })) {
    recordApplied(context, batch, batch.to);
  } else {
    await reconcile(context, batch);
  }
  context.runSeconds.observe((performance.now() - began) / 1_000);
}
