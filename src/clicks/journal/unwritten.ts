export interface Unwritten {
  /** Keeps frames for another try. Beyond the bound it keeps only their number: the clicks are in the sums of memory alone. */
  keep(frames: Uint8Array, clicks: number): void;
  bytes(): Uint8Array;
  /** Clicks that no file holds, and those of them whose frames are kept. */
  clicks(): number;
  keptClicks(): number;
  clear(): void;
}

/** What the disk refused. @param maxBytes of frames to keep */
export function createUnwritten(maxBytes: number): Unwritten {
  let kept = Buffer.alloc(0);
  let length = 0;
  let clicks = 0;
  let keptClicks = 0;
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
      keptClicks += count;
    },
    bytes: () => kept.subarray(0, length),
    clicks: () => clicks,
    keptClicks: () => keptClicks,
    clear() {
      kept = Buffer.alloc(0);
      length = 0;
      clicks = 0;
      keptClicks = 0;
    },
  };
}
