import { join } from 'node:path';
import { awaitCallback, syncNames } from './directory.ts';
import type { JournalFs } from './io.ts';
import { encodeHeader, fileOfSegment, offsetOf, segmentHeaderBytes, segmentOf } from './segment.ts';

export interface SegmentWriter {
  /** Writes whole frames. @throws when it could not; then nothing of them remains in the file */
  write(frames: Uint8Array): void;
  /** Where the next frame will stand, or later. */
  offset(): number;
  /** Leaves the current segment: whatever is written from now on stands behind this offset. */
  advance(): void;
  /** Makes everything written so far survive a power cut. Never to be called twice at once. */
  sync(): Promise<void>;
  /** Removes the segments that lie wholly below the offset. */
  release(offset: number): void;
  /** Closes every file, synced or not. */
  close(): void;
}

interface OpenSegment {
  readonly fd: number;
  readonly segment: number;
  /** Bytes written, and those known to be on the disk. */
  length: number;
  synced: number;
  current: boolean;
}

export interface SegmentWriterOptions {
  readonly directory: string;
  readonly journal: string;
  readonly fs: JournalFs;
  /** Size at which the next segment begins. */
  readonly segmentBytes: number;
  /** Whether bytes that could not be synced are taken back. In strict mode no visitor was answered for them. */
  readonly cutUnsynced: boolean;
}

/** Writes one journal's segment files. The first one begins with the first write, if of nothing. */
export function createSegmentWriter(options: SegmentWriterOptions): SegmentWriter {
  const { directory, fs, segmentBytes, cutUnsynced } = options;
  const open = new Set<OpenSegment>();
  /** The segments that are there. */
  const onDisk = new Set<number>();
  let current: OpenSegment | undefined;
  let segment = 0;
  const names = createNames(directory, fs);

  const begin = (): OpenSegment => {
    const fd = makeSegment(options, segment);
    const begun = { fd, segment, length: segmentHeaderBytes, synced: 0, current: true };
    current = begun;
    open.add(begun);
    onDisk.add(segment);
    names.begun += 1;
    return begun;
  };

  const advance = (): void => {
    if (current !== undefined) current.current = false;
    current = undefined;
    segment += 1;
  };

  /**
   * The kernel may have dropped the pages that it could not write, and report the next sync as a success. So a file is left
   * permanently once its sync has failed.
   */
  const distrust = (one: OpenSegment): void => {
    if (cutUnsynced) attempt(() => fs.ftruncateSync(one.fd, Math.max(one.synced, segmentHeaderBytes)));
    one.synced = one.length;
    if (one.current) advance();
  };

  const syncSegment = async (one: OpenSegment): Promise<void> => {
    const { length } = one;
    try {
      if (one.synced < length) await awaitCallback((done) => fs.fdatasync(one.fd, done));
      one.synced = length;
    } catch (error) {
      distrust(one);
      throw error;
    } finally {
      if (!one.current && one.synced === one.length) {
        open.delete(one);
        attempt(() => fs.closeSync(one.fd));
      }
    }
  };

  return {
    write(frames) {
      if (current !== undefined && current.length + frames.length > segmentBytes) advance();
      const target = current ?? begin();
      try {
        writeAll(fs, target.fd, frames, target.length);
      } catch (error) {
        attempt(() => fs.ftruncateSync(target.fd, target.length));
        throw error;
      }
      target.length += frames.length;
    },
    offset: () => offsetOf(segment, current?.length ?? 0),
    advance,
    async sync() {
      const begun = [...open];
      try {
        await names.sync().catch((error) => {
          if (current !== undefined) distrust(current);
          throw error;
        });
        for (const one of begun) await syncSegment(one);
      } catch (error) {
        // The whole sync failed, for the other files too.
        if (cutUnsynced) for (const one of open) if (one.synced < one.length) distrust(one);
        throw error;
      }
    },
    release(offset) {
      for (const one of onDisk) {
        if (one >= segmentOf(offset) || one === current?.segment) continue;
        attempt(() => fs.unlinkSync(join(directory, fileOfSegment(one))));
        onDisk.delete(one);
      }
    },
    close() {
      for (const one of open) attempt(() => fs.closeSync(one.fd));
      open.clear();
      if (current !== undefined) advance();
    },
  };
}

/** Creates the file of a segment, with its header. @returns its descriptor */
function makeSegment({ directory, journal, fs }: SegmentWriterOptions, segment: number): number {
  const path = join(directory, fileOfSegment(segment));
  const fd = fs.openSync(path, 'w', 0o600);
  try {
    writeAll(fs, fd, encodeHeader(journal, segment), 0);
  } catch (error) {
    attempt(() => fs.closeSync(fd));
    // Half a header would be taken for damage once another segment stands behind it.
    attempt(() => fs.unlinkSync(path));
    throw error;
  }
  return fd;
}

function writeAll(fs: JournalFs, fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += fs.writeSync(fd, bytes, done, bytes.length - done, at + done);
  }
}

/** How many segments were begun, and how many of their names are known to be on the disk. */
function createNames(directory: string, fs: JournalFs) {
  const names = {
    begun: 0,
    synced: 0,
    async sync(): Promise<void> {
      // Windows can neither open a directory nor needs to.
      if (names.synced === names.begun || process.platform === 'win32') return;
      // A segment begun while this sync runs may have missed it.
      const { begun } = names;
      await syncNames(directory, fs);
      names.synced = begun;
    },
  };
  return names;
}

/** For cleaning up after a fault, which may fault too: what is left undone is harmless, and the next start finds it. */
function attempt(tidy: () => void): void {
  try {
    tidy();
  } catch {}
}
