import {
  type ProfileDimension,
  profileDimensions,
  type RowDimension,
  rowDimensions,
  secondsPerQuarter,
} from './dimensions.ts';
import type { SegmentFile } from './encode.ts';
import { blockSection, section } from './layout.ts';
import { joinPlanes, type Numbers, unpackLists } from './planes.ts';
import { openSections, type ReadSection, readVarints } from './sections.ts';
import { orderByKey } from './sort.ts';
import { type Spans, unpackSpans } from './spans.ts';
import { unpackSeconds, unpackVisits, type Visits } from './visits.ts';
import { type Combinations, unpackCombinations, unpackTexts } from './words.ts';

/** The columns of a segment. Each column is unpacked on first use and cached for the lifetime of the segment object. */
export interface Segment {
  readonly rows: number;
  readonly runs: number;
  readonly blocks: readonly Block[];
  /** Returns the visitor hash of each run. Undefined for a sealed segment. */
  readonly hashes: (() => Uint32Array<ArrayBuffer>) | undefined;
  readonly profiles: () => Profiles;
  readonly spans: () => Spans;
  /** Returns the strings that the numbers in the column `referrer` refer to. */
  readonly referrers: () => readonly string[];
  /** Returns the strings that the numbers in the profile dimension `region` refer to. */
  readonly regions: () => readonly string[];
  /** Returns the combinations that the numbers in the column `combined` refer to. */
  readonly combined: () => Combinations;
  /** Returns the approximate memory use in bytes of the files and the columns unpacked so far. */
  readonly bytes: () => number;
}

/** The profiles of all blocks, one block after another. */
export interface Profiles {
  readonly codes: Readonly<Record<ProfileDimension, Numbers>>;
  readonly rows: Numbers;
  readonly runs: Numbers;
  /** For each profile, 1 if its last run contains the clicks without a visitor hash. */
  readonly isLastUnknown: Numbers;
}

/** The clicks on a range of links. Rows and runs are numbered from 0 in each block. */
export interface Block {
  /** True if the block was not read; its columns are unavailable. */
  readonly isAbsent: boolean;
  readonly rows: number;
  readonly runs: number;
  readonly profiles: number;
  /** Number of profiles and runs in the segment before this block. */
  readonly firstProfile: number;
  readonly firstRun: number;
  readonly leastLink: number;
  readonly largestLink: number;
  /** Returns the link rows that the numbers in the column `link` refer to. */
  readonly links: () => Uint32Array<ArrayBuffer>;
  /** Returns the packed column (see `layout.ts`), for callers that unpack it while scanning. */
  readonly visitBytes: () => Uint8Array<ArrayBuffer>;
  readonly visits: () => Visits;
  readonly link: () => Numbers;
  /** Second within the quarter of an hour for each row, 0 to 899. */
  readonly secondInQuarter: () => Uint16Array<ArrayBuffer>;
  readonly referrer: () => Numbers;
  readonly combined: () => Numbers;
  readonly codes: Readonly<Record<RowDimension, () => Numbers>>;
  /** Returns the rows in chronological order. */
  readonly rowsInTime: () => Uint32Array<ArrayBuffer>;
}

/** The files of a segment. Some blocks may not have been read. */
export interface ReadFile {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly blocks: readonly (Pick<SegmentFile['blocks'][number], 'bytes'> | undefined)[];
}

/**
 * Opens a segment.
 * @throws RangeError if the file is not a segment. If a column is damaged, its first use throws a RangeError.
 */
export function openSegment(file: ReadFile): Segment {
  const read = openSections(file.head);
  const numbers = readVarints(read(section.blocks));
  const keepsHashes = numbers.next() === 1;
  const count = numbers.next();
  const blocks: Block[] = [];
  const { once, bytes } = createMemory(sizeOf([file.head, file.blocks]));
  let rows = 0;
  let firstRun = 0;
  let firstProfile = 0;
  const lists = once(() => unpackLists(read(section.profiles)));
  const profiles = once(() => unpackProfiles(lists(), firstProfile));
  // The lists of spanning visitors follow the profiles in the same section.
  const spans = once(() => profiles() && unpackSpans(lists(), () => read(section.laterRanks)));
  for (let block = 0; block < count; block += 1) {
    const [ofRows, runs, ofProfiles, links] = [
      numbers.next(),
      numbers.next(),
      numbers.next(),
      numbers.next(),
    ];
    const [leastLink, largestLink] = [numbers.next(), numbers.next()];
    const size = { rows: ofRows, runs, profiles: ofProfiles, firstProfile, firstRun, leastLink, largestLink };
    blocks.push(openBlock(file.blocks[block]?.bytes, size, links, profiles, once));
    rows += ofRows;
    firstRun += runs;
    firstProfile += ofProfiles;
  }
  return {
    rows,
    runs: firstRun,
    blocks,
    hashes: keepsHashes ? once(() => unpackHashes(read(section.hashes), firstRun)) : undefined,
    profiles,
    spans,
    referrers: once(() => unpackTexts(read(section.referrers))),
    regions: once(() => unpackTexts(read(section.regions))),
    combined: once(() => unpackCombinations(read(section.combined))),
    bytes,
  };
}

type BlockSize = Pick<
  Block,
  'rows' | 'runs' | 'profiles' | 'firstProfile' | 'firstRun' | 'leastLink' | 'largestLink'
>;

function openBlock(
  file: Uint8Array<ArrayBuffer> | undefined,
  size: BlockSize,
  links: number,
  profiles: () => Profiles,
  once: Once,
): Block {
  const open = once((): ReadSection => {
    if (file === undefined) throw new RangeError('Cannot decode a block that was not read.');
    return openSections(file);
  });
  const read = (place: number): Uint8Array<ArrayBuffer> => open()(place);
  const visitBytes = once(() => read(blockSection.visits));
  const visits = once(() =>
    unpackVisits(
      visitBytes(),
      size.runs,
      profiles().rows.subarray(size.firstProfile, size.firstProfile + size.profiles),
    ),
  );
  const secondInQuarter = once(() => unpackSeconds(read(blockSection.seconds), size.rows));
  return {
    ...size,
    isAbsent: file === undefined,
    visitBytes,
    links: once(() => unpackLinks(read(blockSection.links), links, size.leastLink)),
    visits,
    link: once(() => joinTwoPlanes(read(blockSection.link))),
    secondInQuarter,
    referrer: once(() => joinTwoPlanes(read(blockSection.referrer))),
    combined: once(() => joinTwoPlanes(read(blockSection.combined))),
    codes: {
      trigger: once(() => read(blockSection.codes + rowDimensions.indexOf('trigger'))),
    },
    rowsInTime: once(() => {
      const { quarter } = visits();
      return orderByKey(
        Uint32Array.from(
          secondInQuarter(),
          (second, row) => (quarter[row] as number) * secondsPerQuarter + second,
        ),
      );
    }),
  };
}

function joinTwoPlanes(planes: Uint8Array<ArrayBuffer>): Numbers {
  const rows = planes.length / 2;
  return joinPlanes([planes.subarray(0, rows), planes.subarray(rows)]);
}

/** Returns a function that creates a value on its first call and returns the same value on later calls. */
type Once = <T>(make: () => T) => () => T;

/** Creates a cache that adds up the memory of its values. @param bytes memory in use before any column is unpacked */
function createMemory(bytes: number): { readonly once: Once; readonly bytes: () => number } {
  const once: Once = (make) => {
    let made: ReturnType<typeof make> | undefined;
    return () => {
      if (made === undefined) {
        made = make();
        bytes += sizeOf(made);
      }
      return made;
    };
  };
  return { once, bytes: () => bytes };
}

/** Approximate memory use of a string in bytes, in addition to its characters. */
const bytesOfString = 24;

/** Returns an unpacked column's approximate memory use in bytes. */
function sizeOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value === 'string') return bytesOfString + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 0);
}

function unpackProfiles(next: (length: number) => Numbers, count: number): Profiles {
  const codes = Object.fromEntries(profileDimensions.map((dimension) => [dimension, next(count)]));
  return {
    codes: codes as Record<ProfileDimension, Numbers>,
    rows: next(count),
    runs: next(count),
    isLastUnknown: next(count),
  };
}

function unpackHashes(bytes: Uint8Array<ArrayBuffer>, runs: number): Uint32Array<ArrayBuffer> {
  const planes = [0, 1, 2, 3].map((place) => bytes.subarray(place * runs, (place + 1) * runs));
  return Uint32Array.from(joinPlanes(planes));
}

function unpackLinks(bytes: Uint8Array<ArrayBuffer>, count: number, least: number): Uint32Array<ArrayBuffer> {
  const links = new Uint32Array(count);
  let row = least;
  let at = 0;
  for (let number = 0; number < count; number += 1) {
    let step = 0;
    let scale = 1;
    for (; (bytes[at] as number) >= 128; at += 1) {
      step += ((bytes[at] as number) - 128) * scale;
      scale *= 128;
    }
    step += (bytes[at++] as number) * scale;
    row += step % 2 === 0 ? step / 2 : -(step + 1) / 2;
    links[number] = row;
  }
  if (at !== bytes.length) throw new RangeError('A segment contains an unexpected number of links.');
  return links;
}
