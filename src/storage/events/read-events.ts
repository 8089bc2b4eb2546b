import { dimensions } from '../../clicks/dimensions/dimensions.ts';
import type { DimensionValues } from '../../model/clicks/click-facts.ts';
import { type AppliedClick, clickLayout, readClicks } from '../../model/clicks/click-records.ts';
import type {
  EventPage,
  EventPages,
  EventPosition,
  EventRequest,
  LinkAction,
} from '../../model/clicks/events.ts';
import type { Db } from '../db/db.ts';
import {
  changesAtOnce,
  type EventEnds,
  eventEnds,
  layoutOf,
  linkChanges,
  retainedBatches,
} from '../statements/clicks/event-window.ts';
import { newestEvent } from '../statements/events/read.ts';
import { eventOf, linksOfRows } from './links.ts';

/** The range of positions that contains every event: above `floor`, up to `head`. */
export interface EventBounds {
  readonly floor: EventPlace;
  readonly head: EventPlace;
}

type EventPlace = Omit<EventPosition, 'clicks'>;

/**
 * Determines how far readers may read. Each engine has its own implementation. The result is undefined until the engine
 * knows which lower sequence numbers may still be uncommitted.
 */
export interface EventOrder {
  findBounds(db: Db, ends: EventEnds): Promise<EventBounds | undefined>;
  /** Returns the highest number up to which the event log is complete: no lower number can still be added. */
  findHead(db: Db): Promise<number | undefined>;
}

/** With a single writer, events appear in order, so everything up to the newest number is complete. */
export const singleWriterOrder: EventOrder = {
  findBounds: async (_, ends) => ({
    floor: { change: ends.changes_after, batch: ends.clicks_after },
    head: { change: ends.newest_change, batch: ends.newest_click },
  }),
  findHead: newestEvent,
};

/**
 * Maximum number of changes and batches that one read scans for readers at the same position. The next read continues
 * where this read stopped.
 */
const maxChangesScanned = 5 * changesAtOnce;
const maxBatchesScanned = 32;

/**
 * The action that the event stream reports for an event name. Event names that are not listed are reported as
 * `updated`.
 */
const linkActions: Readonly<Record<string, LinkAction>> = {
  'link.created': 'created',
  'link.imported': 'created',
  'link.moved': 'moved',
  'link.deleted': 'deleted',
  'link.restored': 'restored',
};

/** An event on a page of events. Its link has not been looked up yet. */
export interface EventReference {
  readonly kind: LinkAction | 'click';
  readonly row: number;
  readonly at: number;
  readonly click?: DimensionValues;
  readonly position: EventPosition;
}

/** A reader while its page is being built. */
interface Reader {
  readonly ask: EventRequest;
  readonly found: EventReference[];
  at: EventPosition;
  hasMore: boolean;
}

/**
 * Reads new events for several readers, in one snapshot. Readers at the same position share the work.
 * @param max maximum number of events for all readers together, divided equally
 * @returns undefined while no reader is registered (`renewEventReader`)
 */
export async function readEvents(
  db: Db,
  { findBounds }: EventOrder,
  asks: readonly EventRequest[],
  max: number,
): Promise<EventPages | undefined> {
  const ends = await eventEnds(db);
  if (ends === undefined) return undefined;
  const bounds = await findBounds(db, ends);
  const emptyPage: EventPage = { events: [], end: undefined, hasMore: false, isLost: false };
  if (bounds === undefined) return { secret: ends.secret, pages: asks.map(() => emptyPage) };
  const most = Math.max(1, Math.floor(max / asks.length));
  const readers = asks.map((ask): Reader | undefined =>
    ask.after !== undefined && isRetained(ask.after, bounds.floor, ends)
      ? { ask, found: [], at: ask.after, hasMore: false }
      : undefined,
  );
  const byPosition = Map.groupBy(
    readers.filter((reader) => reader !== undefined),
    ({ at: { change, batch, clicks } }) => `${change} ${batch} ${clicks}`,
  );
  for (const group of byPosition.values()) {
    await scanChanges(db, group, bounds.head.change, most);
    await scanBatches(
      db,
      group.filter(({ hasMore }) => !hasMore),
      bounds.head.batch,
      most,
    );
  }
  const links = await linksOfRows(
    db,
    readers.flatMap((reader) => reader?.found.map(({ row }) => row) ?? []),
  );
  const pages = asks.map((ask, place): EventPage => {
    const reader = readers[place];
    if (reader === undefined)
      return { ...emptyPage, end: { ...bounds.head, clicks: 0 }, isLost: ask.after !== undefined };
    const events = reader.found.flatMap((found) => eventOf(found, ask.accountId, links));
    return { events, end: reader.at, hasMore: reader.hasMore, isLost: false };
  });
  return { secret: ends.secret, pages };
}

/** Returns true if all events after a position are retained, and the position is not ahead of this database. */
function isRetained({ change, batch, clicks }: EventPosition, floor: EventPlace, ends: EventEnds): boolean {
  return (
    change >= floor.change &&
    change <= ends.newest_change &&
    (clicks === 0 ? batch >= floor.batch : batch > floor.batch) &&
    batch <= ends.newest_click
  );
}

function byAccount(readers: readonly Reader[], wants: 'clicks' | 'changes'): Map<number, Reader[]> {
  return Map.groupBy(
    readers.filter(({ ask }) => ask[wants]),
    ({ ask }) => ask.accountId,
  );
}

async function scanChanges(db: Db, readers: readonly Reader[], head: number, most: number): Promise<void> {
  const wanted = byAccount(readers, 'changes');
  let position = readers[0]?.at.change ?? head;
  let isAll = wanted.size === 0 || position >= head;
  if (isAll) position = Math.max(position, head);
  for (let scanned = 0; !isAll && scanned < maxChangesScanned; ) {
    const changes = await linkChanges(db, position, head);
    for (const { seq, account_id: accountId, link_row: row, name, at } of changes) {
      const kind = linkActions[name] ?? 'updated';
      for (const reader of wanted.get(accountId) ?? []) {
        if (reader.hasMore) continue;
        reader.at = { ...reader.at, change: seq };
        reader.found.push({ kind, row, at, position: reader.at });
        reader.hasMore = reader.found.length >= most;
      }
    }
    scanned += changes.length;
    isAll = changes.length < changesAtOnce;
    position = isAll ? head : (changes.at(-1)?.seq ?? head);
  }
  for (const reader of readers) {
    if (reader.hasMore) continue;
    reader.at = { ...reader.at, change: position };
    reader.hasMore = !isAll;
  }
}

async function scanBatches(db: Db, readers: readonly Reader[], head: number, most: number): Promise<void> {
  const from = readers[0]?.at;
  if (from === undefined) return;
  let next = from.clicks === 0 ? from.batch + 1 : from.batch;
  // The reader's position may be ahead if it comes from another node that already knew of more complete batches.
  if (next > head) return;
  const wanted = byAccount(readers, 'clicks');
  let isAll = wanted.size === 0;
  for (let scanned = 0; !isAll && scanned < maxBatchesScanned; ) {
    const batches = await retainedBatches(db, next, head);
    for (const batch of batches) {
      const layout = layoutOf(batch.layout);
      // Ignores batches written by a newer version of the program.
      if (layout <= clickLayout)
        scanBatch({ id: batch.id, layout, clicks: batch.clicks, bytes: batch.records }, from, wanted, most);
      for (const reader of readers)
        if (!reader.hasMore) reader.at = { ...reader.at, batch: batch.id, clicks: 0 };
      next = batch.id + 1;
    }
    scanned += batches.length;
    isAll = batches.length === 0;
  }
  for (const reader of readers) {
    if (reader.hasMore) continue;
    if (isAll) reader.at = { ...reader.at, batch: head, clicks: 0 };
    else reader.hasMore = true;
  }
}

function scanBatch(
  batch: Parameters<typeof readClicks>[0] & { readonly id: number },
  from: EventPosition,
  wanted: ReadonlyMap<number, readonly Reader[]>,
  most: number,
): void {
  const had = batch.id === from.batch ? from.clicks : 0;
  const counts = new Map<number, number>();
  readClicks(batch, (click) => {
    const readers = wanted.get(click.account);
    if (readers === undefined) return;
    const clicks = (counts.get(click.account) ?? 0) + 1;
    counts.set(click.account, clicks);
    if (clicks <= had) return;
    for (const reader of readers) {
      if (reader.hasMore) continue;
      reader.at = { ...reader.at, batch: batch.id, clicks };
      const { row, at } = click;
      reader.found.push({ kind: 'click', row, at, click: valuesOf(click), position: reader.at });
      reader.hasMore = reader.found.length >= most;
    }
  });
}

/** Returns the values of a click's dimensions as strings. */
export function valuesOf(click: AppliedClick): DimensionValues {
  const values = dimensions.map((dimension) => [
    dimension.name,
    dimension.kind === 'number' ? dimension.decode(click[dimension.name]) : click[dimension.name],
  ]);
  return Object.fromEntries(values) as DimensionValues;
}
