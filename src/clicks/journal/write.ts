import type { JournalState } from './state.ts';

/** Writes complete frames. @throws if the disk rejects them */
export function writeFrames({ files, stats }: JournalState, frames: Uint8Array, clicks: number): void {
  files.write(frames);
  stats.bytesWritten += frames.length;
  if (clicks > 0) stats.clicksPerWrite.observe(clicks);
}

/** Records a failed write. Logs only the first failure until writes succeed again. */
export function onWriteFailed(state: JournalState, error: unknown): void {
  const { stats, directory, onError } = state;
  stats.writeFaults += 1;
  if (state.writeFault === undefined) onError('The click journal cannot be written.', { error, directory });
  state.writeFault = `The click journal cannot be written: ${messageOf(error)}.`;
}

export function onWriteWorks(state: JournalState): void {
  const { directory, onInfo } = state;
  if (state.writeFault !== undefined) onInfo?.('The click journal can be written again.', { directory });
  state.writeFault = undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
