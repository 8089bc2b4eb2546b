import type { ClickFacts } from '../../model/clicks/click-facts.ts';
import { hourOf } from '../../model/clicks/clicks.ts';
import type { Target } from '../../model/links/link-records.ts';
import { timed } from '../../runtime/histogram.ts';
import { scheduleRetry } from './retry.ts';
import type { Click, JournalState } from './state.ts';
import { scheduleSync } from './sync.ts';
import { onWriteFailed, onWriteWorks, writeFrames } from './write.ts';

/** Adds a click to the current tick of the event loop. At the end of the tick, one write stores all its clicks. */
export function append(
  state: JournalState,
  target: Target,
  at: number,
  facts: ClickFacts,
  answer: (recorded: boolean) => void,
): void {
  if (state.closed) return answer(false);
  const now = state.durability === 'relaxed';
  if (state.tick.length === 0) state.tickBegan = performance.now();
  state.tick.push({ target, at, facts, answer: now ? undefined : answer, from: 0, to: 0 });
  if (!state.isScheduled) {
    state.isScheduled = true;
    state.timers.setImmediate(state.endTick);
  }
  if (now) answer(true);
}

/** Writes the tick's clicks and sends their responses. In strict mode, responses are sent after the sync. */
export function writeNow(state: JournalState): void {
  state.isScheduled = false;
  if (state.durability !== 'strict') return writeTick(state);
  state.syncing ??= commitTicks(state).finally(() => {
    state.syncing = undefined;
    // A click may have been added after `commitTicks` left its loop.
    if (state.tick.length > 0) writeNow(state);
  });
}

function writeTick(state: JournalState): void {
  const { tick: clicks, tickBegan: began, unwritten } = state;
  if (clicks.length === 0) return;
  state.tick = [];
  const frames = encode(state, clicks);
  try {
    // Frames queued for a retry must be written first, and retrying them on every tick would put load on a full disk.
    if (unwritten.clicks() > 0) throw new Error('earlier clicks are still pending');
    writeFrames(state, frames, clicks.length);
    state.unsyncedClicks += clicks.length;
    state.countedTo = state.files.offset();
    if (state.writeFault !== undefined) onWriteWorks(state);
    scheduleSync(state);
  } catch (error) {
    if (unwritten.clicks() === 0) onWriteFailed(state, error);
    unwritten.keep(frames, clicks.length);
    scheduleRetry(state);
  }
  finish(state, clicks, frames, true, began);
}

/** Group commit for strict mode: while one tick is being synced, the next tick's clicks are collected. */
async function commitTicks(state: JournalState): Promise<void> {
  while (state.tick.length > 0) {
    const { tick: clicks, tickBegan: began, files, stats } = state;
    state.tick = [];
    let recorded = false;
    const frames = encode(state, clicks);
    try {
      writeFrames(state, frames, clicks.length);
      const end = files.offset();
      await timed(stats.syncSeconds, files.sync);
      state.countedTo = end;
      recorded = true;
      onWriteWorks(state);
    } catch (error) {
      onWriteFailed(state, error);
      scheduleRetry(state);
    }
    finish(state, clicks, frames, recorded, began);
  }
}

function encode({ encoder }: JournalState, clicks: readonly Click[]): Buffer {
  for (const click of clicks) {
    click.from = encoder.add(click.target.id, click.at, click.facts);
    click.to = encoder.length();
  }
  return encoder.take();
}

/**
 * Counts the clicks before sending responses, so that a client that reads statistics after its visit sees the click.
 */
function finish(
  state: JournalState,
  clicks: readonly Click[],
  frames: Buffer,
  recorded: boolean,
  began: number,
): void {
  const { sums, records, stats, onError } = state;
  if (recorded) {
    state.pendingSince ??= began;
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
      onError('A response failed after its click was recorded.', { error });
    }
  }
  stats.tickSeconds.observe((performance.now() - began) / 1_000, clicks.length);
}
