export interface Unwritten {
  /**
   * Keeps frames for a retry. Beyond the limit only their clicks are counted, which are then only in the sums in
   * memory.
   */
  keep(frames: Uint8Array, clicks: number): void;
  bytes(): Uint8Array;
  /** Number of clicks that are in no file, and number of those whose frames are kept. */
  clicks(): number;
  retainedClicks(): number;
  clear(): void;
}

/** Stores frames that the disk rejected. @param maxBytes maximum size of frames to keep */
export function createUnwritten(maxBytes: number): Unwritten {
  let kept = Buffer.alloc(0);
  let length = 0;
  let clicks = 0;
  let retainedClicks = 0;
  return {
    keep(frames, count) {
      clicks += count;
      if (length + frames.length > maxBytes) return;
      if (length + frames.length > kept.length) {
        const larger = Buffer.alloc(
          Math.min(maxBytes, Math.max(65_536, kept.length * 2, length + frames.length)),
        );
        kept.copy(larger, 0, 0, length);
        kept = larger;
      }
      kept.set(frames, length);
      length += frames.length;
      retainedClicks += count;
    },
    bytes: () => kept.subarray(0, length),
    clicks: () => clicks,
    retainedClicks: () => retainedClicks,
    clear() {
      kept = Buffer.alloc(0);
      length = 0;
      clicks = 0;
      retainedClicks = 0;
    },
  };
}
