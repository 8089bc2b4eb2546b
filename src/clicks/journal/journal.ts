import * as nodeFs from 'node:fs';
import { createClickCollector } from '../../domain/clicks/click-collector.ts';
import type { ClickFacts } from '../../domain/clicks/click-facts.ts';
import { hourOf } from '../../domain/clicks/clicks.ts';
import type { Target } from '../../domain/links/link-records.ts';
import { timed } from '../../runtime/histogram.ts';
import { createAtRisk } from './at-risk.ts';
import { claimDirectory, discardJournal } from './directory.ts';
import type { Journal, JournalOptions } from './interface.ts';
import { isFull } from './io.ts';
import { watchPresence } from './presence.ts';
import { createRetry } from './retry.ts';
import { createEncoder } from './segment.ts';
import { createSegmentWriter } from './segment-writer.ts';
import { createJournalStats, markOf } from './stats.ts';
import { createSums } from './sums.ts';

export type { Durability, Journal, JournalHealth, JournalOptions } from './interface.ts';

interface Click {
  readonly target: Target;
  readonly at: number;
  readonly facts: ClickFacts;
  readonly answer: ((recorded: boolean) => void) | undefined;
  /** Where it stands in the bytes that its tick is written as. */
  from: number;
  to: number;
}

/** With the time a sync itself takes, this keeps the disk at most some 50 ms behind. */
const syncEveryMs = 40;
const retryEveryMs = 100;
const mebibyte = 1_048_576;

/**
 * Opens this process's own click journal, always a new one: nothing is ever appended to a file that another process
 * wrote. `drainOrphans` applies what other processes left behind.
 *
 * All clicks of one tick of the event loop are written with one write, then their answers leave (ARCHITECTURE §5).
 * @throws when the directory cannot be made or written, unless the disk is just full: `health` tells
 */
export function openJournal(options: JournalOptions): Journal {
  const { dir, durability, onError, onInfo, fs = nodeFs, newId = () => crypto.randomUUID() } = options;
  const { segmentBytes = 16 * mebibyte, retryBytes = 4 * mebibyte, lookEveryMs = 1_000 } = options;
  const { timers = globalThis } = options;
  const { setTimeout, clearTimeout, setImmediate } = timers;
  const strict = durability === 'strict';
  const { id, directory, lock } = claimDirectory(dir, newId, fs);
  const files = createSegmentWriter({ directory, journal: id, fs, segmentBytes, cutUnsynced: strict });

  const encoder = createEncoder();
  const stats = createJournalStats();
  let tick: Click[] = [];
  /** When the first click of the tick came. */
  let tickBegan = 0;
  /** When the oldest pending click was counted. */
  let pendingSince: number | undefined;
  let isScheduled = false;
  let closed = false;

  let sums = createSums();
  /** The clicks of the sums. */
  const records = createClickCollector();
  /** Up to here the files hold exactly the clicks that are counted; in strict mode what is synced, else what is written. */
  let countedTo = files.offset();

  const retry = createRetry(retryBytes);
  let retryTimer: NodeJS.Timeout | undefined;
  const atRisk = createAtRisk();
  let releasedTo = 0;
  /** All clicks counted up to each batch that storage has not applied yet, and up to the last one that it has. */
  let batches: { readonly to: number; readonly clicks: number }[] = [];
  let releasedClicks = 0;
  let writeFault: string | undefined;
  let syncFault: string | undefined;

  let syncTimer: NodeJS.Timeout | undefined;
  let syncing: Promise<void> | undefined;
  let unsyncedClicks = 0;
  /** Those of them that wait longer than the mode promises, because the disk refused their first write. */
  let lateClicks = 0;

  const encode = (clicks: readonly Click[]): Buffer => {
    for (const click of clicks) {
      click.from = encoder.add(click.target.id, click.at, click.facts);
      click.to = encoder.length();
    }
    return encoder.take();
  };

  /** Counts before it answers: a client that asks after its visit sees the click. */
  const finish = (clicks: readonly Click[], frames: Buffer, recorded: boolean, began: number): void => {
    if (recorded) {
      pendingSince ??= began;
      for (const { target, at, facts, from, to } of clicks) {
        sums.add(target.row, hourOf(at), facts.class);
        records.addWritten(target.account, target.row, frames, from, to);
        stats.clicks[facts.class] = (stats.clicks[facts.class] ?? 0) + 1;
      }
    }
    for (const { answer } of clicks) {
      try {
        answer?.(recorded);
      } catch (error) {
        onError('An answer failed after its click was recorded.', { error });
      }
    }
    stats.tickSeconds.observe((performance.now() - began) / 1_000, clicks.length);
  };

  const write = (frames: Uint8Array, clicks: number): void => {
    files.write(frames);
    stats.bytesWritten += frames.length;
    if (clicks > 0) stats.clicksPerWrite.observe(clicks);
  };

  const writeFailed = (error: unknown): void => {
    stats.writeFaults += 1;
    if (writeFault === undefined) onError('The click journal cannot be written.', { error, directory });
    writeFault = `The click journal cannot be written: ${messageOf(error)}.`;
  };

  const writeWorks = (): void => {
    if (writeFault !== undefined) onInfo?.('The click journal can be written again.', { directory });
    writeFault = undefined;
  };

  /** Clicks whose file may be lost are at risk, unless storage has applied them. */
  const distrust = (clicks: number): void => {
    if (clicks > 0 && countedTo > releasedTo) atRisk.add(countedTo, clicks);
  };

  const endRetry = (clicksWithoutFile: number): void => {
    distrust(clicksWithoutFile);
    retry.clear();
  };

  /** Writes what the disk refused before. @returns whether nothing waits for another try any more */
  const retryNow = (): boolean => {
    if (strict || writeFault === undefined) return true;
    try {
      write(retry.bytes(), retry.keptClicks());
    } catch (error) {
      writeFailed(error);
      return false;
    }
    // Clicks whose frames were not kept must lie below the new offset too, or no batch could cover them.
    if (retry.clicks() > 0 && retry.keptClicks() === 0) files.advance();
    countedTo = files.offset();
    unsyncedClicks += retry.keptClicks();
    lateClicks += retry.keptClicks();
    endRetry(retry.clicks() - retry.keptClicks());
    writeWorks();
    syncSoon();
    return true;
  };

  /**
   * Strict mode keeps nothing to try again, so it begins a new segment to see whether the disk takes clicks. It cannot wait
   * for the next click: while the service is not ready, balancers send no visitors.
   */
  const probe = (): boolean => {
    if (writeFault === undefined) return true;
    if (syncing !== undefined) return false;
    files.advance();
    try {
      files.write(new Uint8Array(0));
    } catch {
      return false;
    }
    writeWorks();
    return true;
  };

  const retrySoon = (): void => {
    retryTimer ??= setTimeout(() => {
      retryTimer = undefined;
      if (!(strict ? probe() : retryNow())) retrySoon();
    }, retryEveryMs).unref();
  };

  const writeTick = (): void => {
    const clicks = tick;
    const began = tickBegan;
    if (clicks.length === 0) return;
    tick = [];
    const frames = encode(clicks);
    try {
      // Frames that wait for another try go first. To try them at every tick would hammer a full disk.
      if (retry.clicks() > 0) throw new Error('earlier clicks still wait');
      write(frames, clicks.length);
      unsyncedClicks += clicks.length;
      countedTo = files.offset();
      if (writeFault !== undefined) writeWorks();
      syncSoon();
    } catch (error) {
      if (retry.clicks() === 0) writeFailed(error);
      retry.keep(frames, clicks.length);
      retrySoon();
    }
    finish(clicks, frames, true, began);
  };

  const sync = async (): Promise<void> => {
    const clicks = unsyncedClicks;
    const late = lateClicks;
    unsyncedClicks = 0;
    try {
      await timed(stats.syncSeconds, files.sync);
      lateClicks -= late;
    } catch (error) {
      stats.syncFaults += 1;
      onError('The click journal cannot be synced to the disk; a new segment is begun.', {
        error,
        directory,
      });
      // What was written while the sync failed went to the same file.
      distrust(clicks + unsyncedClicks);
      unsyncedClicks = 0;
      lateClicks = 0;
      if (atRisk.clicks() > 0) syncFault = `The click journal could not be synced: ${messageOf(error)}.`;
    }
  };

  const syncSoon = (): void => {
    if (syncTimer !== undefined || syncing !== undefined || closed) return;
    syncTimer = setTimeout(() => {
      syncTimer = undefined;
      syncing = sync().finally(() => {
        syncing = undefined;
        if (unsyncedClicks > 0) syncSoon();
      });
    }, syncEveryMs).unref();
  };

  /** Group commit: while one batch is being synced, the next one gathers. */
  const commitTicks = async (): Promise<void> => {
    while (tick.length > 0) {
      const clicks = tick;
      const began = tickBegan;
      tick = [];
      let recorded = false;
      const frames = encode(clicks);
      try {
        write(frames, clicks.length);
        const end = files.offset();
        await timed(stats.syncSeconds, files.sync);
        countedTo = end;
        recorded = true;
        writeWorks();
      } catch (error) {
        writeFailed(error);
        retrySoon();
      }
      finish(clicks, frames, recorded, began);
    }
  };

  const writeNow = (): void => {
    isScheduled = false;
    if (!strict) return writeTick();
    syncing ??= commitTicks().finally(() => {
      syncing = undefined;
      // A click may have come after the loop ended.
      if (tick.length > 0) writeNow();
    });
  };

  const flush = async (): Promise<void> => {
    writeNow();
    while (syncing !== undefined) await syncing;
    if (strict) return;
    retryNow();
    clearTimeout(syncTimer);
    syncTimer = undefined;
    syncing = sync().finally(() => {
      syncing = undefined;
    });
    await syncing;
  };

  try {
    files.write(new Uint8Array(0));
    countedTo = files.offset();
  } catch (error) {
    // With a full disk the service starts all the same: links lead on, and there may be space soon.
    if (!isFull(error)) {
      lock.release();
      throw error;
    }
    writeFailed(error);
    retrySoon();
  }

  const presence = watchPresence({
    ...{ directory, lock, newId, files, fs, timers, onError },
    everyMs: lookEveryMs,
    onLost() {
      distrust(markOf(stats).clicks - releasedClicks);
      if (atRisk.clicks() > 0) syncFault = 'The click journal was deleted.';
    },
    onReclaimed() {
      files.advance();
      files.write(new Uint8Array(0));
    },
    onFault(error) {
      writeFailed(error);
      retrySoon();
    },
  });

  return {
    id,
    dir,
    stats,
    progress: () => ({ mark: markOf(stats), since: pendingSince, unsyncedClicks }),
    append(target, at, facts, answer) {
      if (closed) return answer(false);
      const now = durability === 'relaxed';
      if (tick.length === 0) tickBegan = performance.now();
      tick.push({ target, at, facts, answer: now ? undefined : answer, from: 0, to: 0 });
      if (!isScheduled) {
        isScheduled = true;
        setImmediate(writeNow);
      }
      if (now) answer(true);
    },
    writeNow,
    pending: (row) => sums.total(row),
    hasPending: () => !sums.isEmpty(),
    takeBatch() {
      if (!retryNow() && retry.clicks() > 0) {
        // The disk does not take them. They go to storage from memory, and the files go on behind the batch.
        files.advance();
        countedTo = files.offset();
        endRetry(retry.clicks());
      }
      const mark = markOf(stats);
      const since = pendingSince ?? performance.now();
      const batch = { to: countedTo, sums, records: records.take(), mark, since };
      batches.push({ to: countedTo, clicks: mark.clicks });
      sums = createSums();
      pendingSince = undefined;
      return batch;
    },
    release(offset) {
      files.release(offset);
      releasedTo = offset;
      releasedClicks = batches.findLast(({ to }) => to <= offset)?.clicks ?? releasedClicks;
      batches = batches.filter(({ to }) => to > offset);
      atRisk.release(offset);
      if (atRisk.clicks() === 0) syncFault = undefined;
    },
    health() {
      const clicksAtRisk = atRisk.clicks() + retry.clicks() + lateClicks;
      const reason = writeFault ?? syncFault;
      if (reason !== undefined) return { ok: false, reason, clicksAtRisk };
      return { ok: clicksAtRisk === 0, clicksAtRisk };
    },
    flush,
    async close(forget) {
      if (closed) return;
      closed = true;
      await presence.close();
      await flush();
      clearTimeout(retryTimer);
      files.close();
      if (forget === undefined) presence.lock().release();
      else await discardJournal(directory, presence.lock(), forget, fs);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
