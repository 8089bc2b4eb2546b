import { writeOwner } from '../../../model/clicks/click-records.ts';
import {
  bytesPerClick,
  dayIsFull,
  type ImportBatch,
  type ImportedClicks,
  type ImportedLine,
  mostClicksOfDay,
  numbersPerOwner,
} from '../../../model/imports/imports.ts';
import { knownOf, type Taking } from './known-links.ts';

interface TakenClicks {
  readonly clicks: number;
  readonly clicksOfNoLink: number;
  /** Lines that would fill a day beyond what it may have. */
  readonly refused: readonly ImportedLine[];
}

const roomTaken =
  'SELECT so_far FROM import_clicks WHERE import_row = ? AND day = ? ORDER BY piece DESC LIMIT 1';
const keepClicks =
  'INSERT INTO import_clicks (import_row, day, layout, clicks, records, so_far) VALUES (?, ?, ?, ?, ?, ?)';
const setCounter = 'UPDATE import_links SET counter = ? WHERE source_row = ? AND key_hash = ?';

/** Keeps clicks until the file has come to its end. */
export async function takeClicks(taking: Taking, batch: ImportBatch): Promise<TakenClicks> {
  const { db, accountId, row } = taking;
  const { keys, position } = batch;
  const known = await knownOf(taking, keys);
  const rowOf = keys.map((hash) => known.get(hash.toHex())?.link_row);
  const refused: ImportedLine[] = [];
  let clicks = 0;
  let clicksOfNoLink = 0;
  for (const given of batch.clicks) {
    const before = await db.get<{ so_far: number }>(roomTaken, [row.import_row, given.day]);
    const taken = owned(accountId, given, rowOf, before?.so_far ?? 0);
    clicks += taken.clicks;
    clicksOfNoLink += taken.lost;
    for (const line of taken.refused) refused.push(refusedLine(position + line + 1, dayIsFull(given.day)));
    if (taken.clicks === 0) continue;
    const { day, layout } = given;
    await db.run(keepClicks, [row.import_row, day, layout, taken.clicks, taken.bytes, taken.soFar]);
  }
  for (const [key, shown] of batch.counters) {
    const hash = keys[key];
    if (hash !== undefined && rowOf[key] !== undefined)
      await db.run(setCounter, [shown, row.source_row, hash]);
  }
  return { clicks, clicksOfNoLink, refused };
}

function refusedLine(line: number, reason: string): ImportedLine {
  return { line, key: '', code: null, outcome: 'refused', reason, linkId: null };
}

interface Owned {
  readonly bytes: Uint8Array;
  readonly clicks: number;
  /** Clicks of links that are not there. */
  readonly lost: number;
  /** Lines for which there is no room, in the order of the file. */
  readonly refused: ReadonlySet<number>;
  readonly soFar: number;
}

/** Records with their owners. Those of links that are not there are left out, and lines that do not fit as a whole. */
function owned(
  accountId: number,
  { bytes, owners }: ImportedClicks,
  rowOf: readonly (number | undefined)[],
  before: number,
): Owned {
  const all = Buffer.from(bytes);
  const kept: Uint8Array[] = [];
  const refused = new Set<number>();
  let clicks = 0;
  let lost = 0;
  let soFar = before;
  for (let at = 0; at < owners.length; ) {
    const line = owners[at + 3] as number;
    const linkRow = rowOf[owners[at + 1] as number];
    const from = at;
    let count = 0;
    let room = 0;
    // A line's records stand behind each other.
    for (; owners[at + 3] === line; at += numbersPerOwner) {
      const [begin = 0, , one = 0] = owners.subarray(at, at + numbersPerOwner);
      const end = owners[at + numbersPerOwner] ?? all.length;
      count += one;
      room += Math.max(one, Math.ceil((end - begin) / bytesPerClick));
      if (linkRow !== undefined) writeOwner(all, begin, accountId, linkRow);
    }
    if (linkRow === undefined) lost += count;
    else if (soFar + room > mostClicksOfDay) refused.add(line);
    else {
      clicks += count;
      soFar += room;
      kept.push(all.subarray(owners[from], owners[at] ?? all.length));
    }
  }
  const isWhole = lost === 0 && refused.size === 0;
  return { bytes: isWhole ? all : Buffer.concat(kept), clicks, lost, refused, soFar };
}
