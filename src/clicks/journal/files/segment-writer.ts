import { join } from 'node:path';
import { hasFaults, isFaulty } from '../../../runtime/fault-points.ts';
import { awaitCallback, syncDirectory } from './directory.ts';
import type { JournalFs } from './io.ts';
import { encodeHeader, fileOfSegment, offsetOf, segmentHeaderBytes, segmentOf } from './segment.ts';

export interface SegmentWriter {
  /** Writes complete frames. @throws if a write fails, after removing partial frames from the file */
  write(frames: Uint8Array): void;
  /** Returns the end of the journal. The next frame is written at this offset or a later one. */
  offset(): number;
  /** Ends the current segment. The next write starts a new segment. */
  advance(): void;
  /** Makes all writes so far durable. Must not be called concurrently. */
  sync(): Promise<void>;
  /** Removes the segments that end before the offset. */
  release(offset: number): void;
  /** Closes all files, whether they are synced or not. */
  close(): void;
}

interface OpenSegment {
  readonly fd: number;
  readonly segment: number;
  /** Number of bytes written. `synced` is the number of bytes known to be synced. */
  length: number;
  synced: number;
  current: boolean;
}

export interface SegmentWriterOptions {
  readonly directory: string;
  readonly journal: string;
  readonly fs: JournalFs;
  /** Segment size in bytes at which the next segment starts. */
  readonly segmentBytes: number;
  /**
   * True in strict mode. Bytes that could not be synced are then truncated, because no visitor received a response for
   * the clicks in these bytes.
   */
  readonly cutUnsynced: boolean;
}

/**
 * Creates a writer for the segment files of one journal. The first write creates the first file, even if the write is
 * empty.
 */
export function createSegmentWriter(options: SegmentWriterOptions): SegmentWriter {
  const { directory, fs, segmentBytes, cutUnsynced } = options;
  const open = new Set<OpenSegment>();
  /** Numbers of the segment files that exist. */
  const onDisk = new Set<number>();
  let current: OpenSegment | undefined;
  let segment = 0;
  const entries = createEntrySync(directory, fs);

  const createSegment = (): OpenSegment => {
    const fd = createSegmentFile(options, segment);
    const created = { fd, segment, length: segmentHeaderBytes, synced: 0, current: true };
    current = created;
    open.add(created);
    onDisk.add(segment);
    entries.created += 1;
    return created;
  };

  const advance = (): void => {
    if (current !== undefined) current.current = false;
    current = undefined;
    segment += 1;
  };

  /**
   * Abandons a file whose sync has failed. The kernel may have dropped the pages that it could not write, and may still
   * report the next sync as successful.
   */
  const abandon = (one: OpenSegment): void => {
    if (cutUnsynced) ignoreErrors(() => fs.ftruncateSync(one.fd, Math.max(one.synced, segmentHeaderBytes)));
    one.synced = one.length;
    if (one.current) advance();
  };

  const syncSegment = async (one: OpenSegment): Promise<void> => {
    const { length } = one;
    try {
      if (one.synced < length) await awaitCallback((done) => fs.fdatasync(one.fd, done));
      one.synced = length;
    } catch (error) {
      abandon(one);
      throw error;
    } finally {
      if (!one.current && one.synced === one.length) {
        open.delete(one);
        ignoreErrors(() => fs.closeSync(one.fd));
      }
    }
  };

  return {
    write(frames) {
      if (current !== undefined && current.length + frames.length > segmentBytes) advance();
      const target = current ?? createSegment();
      try {
        writeAll(fs, target.fd, frames, target.length);
      } catch (error) {
        ignoreErrors(() => fs.ftruncateSync(target.fd, target.length));
        throw error;
      }
      target.length += frames.length;
    },
    offset: () => offsetOf(segment, current?.length ?? 0),
    advance,
    async sync() {
      const created = [...open];
      try {
        await entries.sync().catch((error) => {
          if (current !== undefined) abandon(current);
          throw error;
        });
        for (const one of created) await syncSegment(one);
      } catch (error) {
        // In strict mode, unsynced clicks do not count as recorded, so their bytes in the other files are truncated
        // too.
        if (cutUnsynced) for (const one of open) if (one.synced < one.length) abandon(one);
        throw error;
      }
    },
    release(offset) {
      for (const one of onDisk) {
        if (one >= segmentOf(offset) || one === current?.segment) continue;
        ignoreErrors(() => fs.unlinkSync(join(directory, fileOfSegment(one))));
        onDisk.delete(one);
      }
    },
    close() {
      for (const one of open) ignoreErrors(() => fs.closeSync(one.fd));
      open.clear();
      if (current !== undefined) advance();
    },
  };
}

/** Creates a segment file and writes its header. @returns the file descriptor */
function createSegmentFile({ directory, journal, fs }: SegmentWriterOptions, segment: number): number {
  const path = join(directory, fileOfSegment(segment));
  const fd = fs.openSync(path, 'w', 0o600);
  try {
    writeAll(fs, fd, encodeHeader(journal, segment), 0);
  } catch (error) {
    ignoreErrors(() => fs.closeSync(fd));
    // Removes the file, because an incomplete header would look like damage once another segment follows.
    ignoreErrors(() => fs.unlinkSync(path));
    throw error;
  }
  return fd;
}

function writeAll(fs: JournalFs, fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    const size = hasFaults && isFaulty('shortWrite') ? 1 : bytes.length - done;
    done += fs.writeSync(fd, bytes, done, size, at + done);
  }
}

/** Creates a function that syncs the directory if segments were created since its last sync. */
function createEntrySync(directory: string, fs: JournalFs) {
  const entries = {
    created: 0,
    synced: 0,
    async sync(): Promise<void> {
      // Windows cannot open a directory, and does not need this sync.
      if (entries.synced === entries.created || process.platform === 'win32') return;
      // Reads the counter before the sync, because the sync may miss a segment that is created while it runs.
      const { created } = entries;
      await syncDirectory(directory, fs);
      entries.synced = created;
    },
  };
  return entries;
}

/** Runs a cleanup after a failure and ignores its errors, because leftover files are harmless and are removed later. */
function ignoreErrors(tidy: () => void): void {
  try {
    tidy();
  } catch {}
}
