import { writeOwner } from '../../../model/clicks/click-records.ts';
import {
  bytesPerClick,
  dayLimitReached,
  type ImportBatch,
  type ImportedClicks,
  type ImportedLine,
  maxClicksPerDay,
  numbersPerOwner,
} from '../../../model/imports/imports.ts';
import { findKnownRows, type ImportStep } from './known-links.ts';

interface ImportedClickCounts {
  readonly clicks: number;
  readonly clicksOfNoLink: number;
  readonly undatedOfNoLink: number;
  /** Lines that would exceed the daily click limit. */
  readonly refused: readonly ImportedLine[];
}

const bytesUsedOfDay =
  'SELECT so_far FROM import_clicks WHERE import_row = ? AND day = ? ORDER BY piece DESC LIMIT 1';
const insertClicks =
  'INSERT INTO import_clicks (import_row, day, layout, clicks, records, so_far) VALUES (?, ?, ?, ?, ?, ?)';

const counterColumns = {
  import_row: 'integer',
  link_row: 'integer',
  source_row: 'integer',
  counter: 'integer',
} as const;
const upsertCounters = `
  INSERT INTO import_counters (import_row, link_row, counter) SELECT import_row, link_row, counter FROM input WHERE true
  ON CONFLICT (import_row, link_row) DO UPDATE SET counter = excluded.counter`;
const setCounters = `
  UPDATE import_links AS m SET counter = g.counter FROM input g WHERE m.link_row = g.link_row AND m.source_row = g.source_row`;

/** Stores imported clicks temporarily, until the whole file has been read. */
export async function importClicks(step: ImportStep, batch: ImportBatch): Promise<ImportedClickCounts> {
  const { db, accountId, row } = step;
  const { keys, position } = batch;
  const known = await findKnownRows(step, keys);
  const links = keys.map((hash) => known.get(hash));
  // If the key now belongs to a different link in the source, its clicks are not counted for this link.
  const rowOf = links.map((link) => (link?.met === -row.import_row ? undefined : link?.link_row));
  const refused: ImportedLine[] = [];
  let clicks = 0;
  let clicksOfNoLink = 0;
  for (const given of batch.clicks) {
    const before = await db.get<{ so_far: number }>(bytesUsedOfDay, [row.import_row, given.day]);
    const taken = assignOwners(accountId, given, rowOf, before?.so_far ?? 0);
    clicks += taken.clicks;
    clicksOfNoLink += taken.lost;
    for (const line of taken.refused)
      refused.push(refusedLine(position + line + 1, dayLimitReached(given.day)));
    if (taken.clicks === 0) continue;
    const { day, layout } = given;
    await db.run(insertClicks, [row.import_row, day, layout, taken.clicks, taken.bytes, taken.soFar]);
  }
  const raised = new Map<number, number>();
  let undatedOfNoLink = 0;
  for (const [key, shown] of batch.counters) {
    const linkRow = rowOf[key];
    if (linkRow === undefined) undatedOfNoLink += shown;
    else if (shown > (raised.get(linkRow) ?? links[key]?.counter ?? 0)) raised.set(linkRow, shown);
  }
  await raiseCounters(step, raised);
  return { clicks, clicksOfNoLink, undatedOfNoLink, refused };
}

/** Raises counters, never lowers them: a source that reports fewer clicks than before does not remove clicks. */
async function raiseCounters({ db, row }: ImportStep, raised: ReadonlyMap<number, number>): Promise<void> {
  if (raised.size === 0) return;
  const rows = [...raised].flatMap(([linkRow, counter]) => [
    row.import_row,
    linkRow,
    row.source_row,
    counter,
  ]);
  const input = { columns: counterColumns, values: rows };
  for (const sql of [upsertCounters, setCounters]) await db.bulk<number>(input, undefined, sql);
}

function refusedLine(line: number, reason: string): ImportedLine {
  return { line, key: '', code: null, outcome: 'refused', reason, linkId: null };
}

interface OwnedRecords {
  readonly bytes: Uint8Array;
  readonly clicks: number;
  /** Number of clicks whose links do not exist in the database. */
  readonly lost: number;
  /** Lines that exceed the daily limit, in file order. */
  readonly refused: ReadonlySet<number>;
  readonly soFar: number;
}

/**
 * Writes each click's account and link into its record. Leaves out clicks on links that do not exist, and whole lines
 * that would exceed the daily limit.
 */
function assignOwners(
  accountId: number,
  { bytes, owners }: ImportedClicks,
  rowOf: readonly (number | undefined)[],
  before: number,
): OwnedRecords {
  const all = Buffer.from(bytes);
  const accepted: Uint8Array[] = [];
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
    // The records of a line are consecutive, so the loop ends with the line.
    for (; owners[at + 3] === line; at += numbersPerOwner) {
      const [begin = 0, , one = 0] = owners.subarray(at, at + numbersPerOwner);
      const end = owners[at + numbersPerOwner] ?? all.length;
      count += one;
      room += Math.max(one, Math.ceil((end - begin) / bytesPerClick));
      if (linkRow !== undefined) writeOwner(all, begin, accountId, linkRow);
    }
    if (linkRow === undefined) lost += count;
    else if (soFar + room > maxClicksPerDay) refused.add(line);
    else {
      clicks += count;
      soFar += room;
      accepted.push(all.subarray(owners[from], owners[at] ?? all.length));
    }
  }
  const isComplete = lost === 0 && refused.size === 0;
  return { bytes: isComplete ? all : Buffer.concat(accepted), clicks, lost, refused, soFar };
}
