import { closeSync, existsSync, fstatSync, openSync, read } from 'node:fs';
import { join } from 'node:path';
import { createYield } from '../runtime/yield.ts';
import { ifExists, journalsIn, segmentsIn } from './journal/files/directory.ts';
import { fileOfSegment, segmentOf } from './journal/files/segment.ts';
import { type ApplyOptions, applySegment } from './journal-reader.ts';

/** A snapshot of the journals in a directory. Later changes to the journals do not affect the snapshot. */
export interface JournalSnapshot {
  /**
   * Returns true if these journals can complete a database snapshot that was taken after this journal snapshot. Returns
   * false if a journal was fully applied, removed and forgotten between the two snapshots, because the database
   * snapshot may then include the journal's clicks without its offset. In that case, open the journals again and take
   * another database snapshot.
   * @param appliedTo returns the database snapshot's offset in a journal, or 0 if the journal is unknown
   */
  fits(appliedTo: (journal: string) => Promise<number>): Promise<boolean>;
  /**
   * Adds clicks to a copy of the database, starting at the journal offsets stored in the copy.
   * @returns directories of journals with clicks that only a newer version can read
   */
  addTo(copy: ApplyOptions['storage']): Promise<readonly string[]>;
  close(): void;
}

interface OpenSegment {
  readonly segment: number;
  readonly fd: number;
  /** Length in bytes when the file was opened. */
  readonly length: number;
}

/**
 * Opens all journals in a directory read-only. This is safe while other processes append to, apply and remove journals.
 * For a backup, open the journals first, then copy the database, then call `addTo`. In the opposite order, a journal
 * that is applied and removed between the two steps would be in neither copy. Open files stay readable after they are
 * removed, so their content need not be held in memory.
 */
export function openJournalSnapshot(dir: string): JournalSnapshot {
  const snapshots = journalsIn(dir).map((journal) => ({
    journal,
    segments: openSegments(join(dir, journal)),
  }));
  return {
    async fits(appliedTo) {
      for (const { journal, segments } of snapshots) {
        const [first] = segments;
        if (first === undefined || (await appliedTo(journal)) > 0) continue;
        // Offset 0 can also mean that storage has forgotten the journal. But a journal's files are removed before
        // storage forgets it, so a file that still exists rules this out.
        if (!existsSync(join(dir, journal, fileOfSegment(first.segment)))) return false;
      }
      return true;
    },
    async addTo(storage) {
      const newer: string[] = [];
      const options = { storage, yieldTurn: createYield() };
      for (const { journal, segments } of snapshots) {
        let from = segments.length === 0 ? 0 : await storage.appliedTo(journal);
        for (const [index, { segment, fd, length }] of segments.entries()) {
          if (segment < segmentOf(from)) continue;
          const bytes = await readSegmentBytes(fd, length);
          const held = { journal, segment, last: index === segments.length - 1, bytes };
          const { to, left } = await applySegment(held, from, options);
          if (left !== undefined) {
            newer.push(join(dir, journal));
            break;
          }
          from = to;
        }
      }
      return newer;
    },
    close() {
      for (const { segments } of snapshots) for (const { fd } of segments.splice(0)) closeSync(fd);
    },
  };
}

/** Opens the existing segments. If a listed segment is missing, its owner has applied and removed it. */
function openSegments(directory: string): OpenSegment[] {
  return (ifExists(() => segmentsIn(directory)) ?? []).flatMap((segment) => {
    const fd = ifExists(() => openSync(join(directory, fileOfSegment(segment)), 'r'));
    return fd === undefined ? [] : [{ segment, fd, length: fstatSync(fd).size }];
  });
}

async function readSegmentBytes(fd: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const some = await new Promise<number>((resolve, reject) => {
      read(fd, bytes, done, length - done, done, (error, count) => {
        if (error === null) resolve(count);
        else reject(error);
      });
    });
    // The file is shorter than when it was opened: its owner truncated bytes that could not be synced. No visitor
    // received a response for the clicks in these bytes.
    if (some === 0) return bytes.subarray(0, done);
    done += some;
  }
  return bytes;
}
