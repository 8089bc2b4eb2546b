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
  if (state.writeFault === undefined)
    onError('Could not write to the click journal. Linkfold will retry.', { error, directory });
  state.writeFault = `Could not write to the click journal: ${messageOf(error)}.`;
}

export function onWriteWorks(state: JournalState): void {
  const { directory, onInfo } = state;
  if (state.writeFault !== undefined)
    onInfo?.('Linkfold can write to the click journal again.', { directory });
  state.writeFault = undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
