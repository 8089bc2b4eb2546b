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
  readonly undatedOfNoLink: number;
  /** Lines that would fill a day beyond what it may have. */
  readonly refused: readonly ImportedLine[];
}

const roomTaken =
  'SELECT so_far FROM import_clicks WHERE import_row = ? AND day = ? ORDER BY piece DESC LIMIT 1';
const keepClicks =
  'INSERT INTO import_clicks (import_row, day, layout, clicks, records, so_far) VALUES (?, ?, ?, ?, ?, ?)';

const counterColumns = {
  import_row: 'integer',
  link_row: 'integer',
  source_row: 'integer',
  counter: 'integer',
} as const;
// The counter that the import of the link brought before counters were kept for each import.
const keepFirst = (given: string, named: string) => `
  INSERT INTO import_counters (import_row, link_row, counter)
  SELECT m.import_row, m.link_row, m.counter FROM import_links m${given}
  WHERE ${named} AND m.counter IS NOT NULL ON CONFLICT DO NOTHING`;
const keepFirstOne = keepFirst('', 'm.link_row = ? AND m.source_row = ?');
const keepFirstOfAll = keepFirst(' JOIN input g ON m.link_row = g.link_row', 'm.source_row = g.source_row');
const onCounter = 'ON CONFLICT (import_row, link_row) DO UPDATE SET counter = excluded.counter';
const keepCounter = `INSERT INTO import_counters (import_row, link_row, counter) VALUES (?, ?, ?) ${onCounter}`;
const keepCounters = `
  INSERT INTO import_counters (import_row, link_row, counter) SELECT import_row, link_row, counter FROM input ${onCounter}`;
const setCounter = 'UPDATE import_links SET counter = ? WHERE link_row = ? AND source_row = ?';
const setCounters = `
  UPDATE import_links m SET counter = g.counter FROM input g WHERE m.link_row = g.link_row AND m.source_row = g.source_row`;

/** Keeps clicks until the file has come to its end. */
export async function takeClicks(taking: Taking, batch: ImportBatch): Promise<TakenClicks> {
  const { db, accountId, row } = taking;
  const { keys, position } = batch;
  const known = await knownOf(taking, keys);
  const links = keys.map((hash) => known.get(hash.toHex()));
  // Clicks of another link that has the key too are of no link here.
  const rowOf = links.map((link) => (link?.met === -row.import_row ? undefined : link?.link_row));
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
  const raised = new Map<number, number>();
  let undatedOfNoLink = 0;
  for (const [key, shown] of batch.counters) {
    const linkRow = rowOf[key];
    if (linkRow === undefined) undatedOfNoLink += shown;
    else if (shown > (raised.get(linkRow) ?? links[key]?.counter ?? 0)) raised.set(linkRow, shown);
  }
  await raiseCounters(taking, raised);
  return { clicks, clicksOfNoLink, undatedOfNoLink, refused };
}

/** Counters only rise: a source that shows fewer clicks than before takes none away. */
async function raiseCounters({ db, row }: Taking, raised: ReadonlyMap<number, number>): Promise<void> {
  if (raised.size === 0) return;
  const rows = [...raised].flatMap(([linkRow, counter]) => [
    row.import_row,
    linkRow,
    row.source_row,
    counter,
  ]);
  const input = { columns: counterColumns, values: rows };
  const one =
    (sql: string) =>
    (_import = 0, link = 0, source = 0) =>
      db.run(sql, [link, source]);
  await db.bulk<number>(input, one(keepFirstOne), keepFirstOfAll);
  await db.bulk<number>(
    input,
    (of = 0, link = 0, _source = 0, counter = 0) => db.run(keepCounter, [of, link, counter]),
    keepCounters,
  );
  await db.bulk<number>(
    input,
    (_import = 0, link = 0, source = 0, counter = 0) => db.run(setCounter, [counter, link, source]),
    setCounters,
  );
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
