import { closeSync, existsSync, fstatSync, openSync, read } from 'node:fs';
import { join } from 'node:path';
import { createYield } from '../runtime/yield.ts';
import { ifThere, journalsIn, segmentsIn } from './journal/files/directory.ts';
import { fileOfSegment, segmentOf } from './journal/files/segment.ts';
import { type ApplyOptions, applySegment } from './journal-reader.ts';

/** What the journals of a directory held at one moment, whatever their owners do to them afterwards. */
export interface HeldJournals {
  /**
   * Whether a snapshot that was taken since can be completed from here. It cannot when a journal was applied to its end, removed
   * and forgotten in between: the snapshot may have its clicks without an offset that says so. Hold the journals again then, and
   * take another snapshot.
   * @param appliedTo the snapshot's offset in a journal; 0 for one that it does not know
   */
  fits(appliedTo: (journal: string) => Promise<number>): Promise<boolean>;
  /**
   * Adds what lies beyond the offsets that a copy of the database has.
   * @returns the directories of journals of which only a newer program can read all clicks
   */
  addTo(copy: ApplyOptions['storage']): Promise<readonly string[]>;
  close(): void;
}

interface OpenSegment {
  readonly segment: number;
  readonly fd: number;
  /** Bytes at that moment. */
  readonly length: number;
}

/**
 * Holds all journals of a directory and changes nothing; safe while other processes append, apply and remove. For a
 * backup: hold first, copy the database then, and add what lies beyond the offsets in the copy. In the other order
 * a journal that is applied and removed in between would be in neither. Files that are open stay readable when they are
 * removed, so nothing of them is in memory.
 */
export function holdJournals(dir: string): HeldJournals {
  const journals = journalsIn(dir).map((journal) => ({
    journal,
    segments: openSegments(join(dir, journal)),
  }));
  return {
    async fits(appliedTo) {
      for (const { journal, segments } of journals) {
        const [first] = segments;
        if (first === undefined || (await appliedTo(journal)) > 0) continue;
        // A journal's files are removed before storage forgets it.
        if (!existsSync(join(dir, journal, fileOfSegment(first.segment)))) return false;
      }
      return true;
    },
    async addTo(storage) {
      const newer: string[] = [];
      const options = { storage, yieldTurn: createYield() };
      for (const { journal, segments } of journals) {
        let from = segments.length === 0 ? 0 : await storage.appliedTo(journal);
        for (const [index, { segment, fd, length }] of segments.entries()) {
          if (segment < segmentOf(from)) continue;
          const bytes = await readOpen(fd, length);
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
      for (const { segments } of journals) for (const { fd } of segments.splice(0)) closeSync(fd);
    },
  };
}

/** Opens the segments that are there. One that is missing by now was applied and removed by its owner. */
function openSegments(directory: string): OpenSegment[] {
  return (ifThere(() => segmentsIn(directory)) ?? []).flatMap((segment) => {
    const fd = ifThere(() => openSync(join(directory, fileOfSegment(segment)), 'r'));
    return fd === undefined ? [] : [{ segment, fd, length: fstatSync(fd).size }];
  });
}

async function readOpen(fd: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const some = await new Promise<number>((resolve, reject) => {
      read(fd, bytes, done, length - done, done, (error, count) => {
        if (error === null) resolve(count);
        else reject(error);
      });
    });
    // Its owner took back bytes that could not be synced; no visitor was answered for them.
    if (some === 0) return bytes.subarray(0, done);
    done += some;
  }
  return bytes;
}
