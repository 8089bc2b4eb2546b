import { batch, type Signal, signal } from '@preact/signals';
import { api } from '../client.ts';
import { t } from '../texts.ts';
import { notify, showProgress } from '../undo.ts';
import { type Link, listed } from './links.ts';
import { type LinkQuery, toInput } from './query.ts';

/** Links that match a query, with the rows loaded so far. */
export interface LinkList {
  readonly query: LinkQuery;
  readonly rows: Signal<readonly Link[]>;
  /** Number of matching links, loaded or not. */
  readonly total: Signal<number | undefined>;
  /** `failed` only if there are no loaded rows to show. */
  readonly state: Signal<'loading' | 'ready' | 'failed'>;
  readonly error: Signal<unknown>;
  /** Cursor for the next rows. Null if all rows are loaded. */
  next: Continuation | null;
  loading: AbortController | undefined;
  readAt: number;
  /** Number of rows from the first row to the bottom of the window. */
  inSight: number;
  /** Ids of all rows, kept up to date as pages are added. */
  known: { readonly rows: readonly Link[]; readonly ids: Set<string> };
}

type Continuation = { readonly cursor: string };

const pageSize = 100;
const most = 6;
const lists = new Map<string, LinkList>();

/** Returns the list for a query, with previously loaded rows. Does not reload rows. */
export function listFor(query: LinkQuery): LinkList {
  const key = JSON.stringify(query);
  const found = lists.get(key);
  const list = found ?? newList(query);
  lists.delete(key);
  lists.set(key, list);
  for (const old of [...lists.keys()].slice(0, -most)) lists.delete(old);
  return list;
}

function newList(query: LinkQuery): LinkList {
  return {
    query,
    rows: signal([]),
    total: signal(undefined),
    state: signal('loading'),
    error: signal(undefined),
    next: null,
    loading: undefined,
    readAt: 0,
    inSight: 0,
    known: { rows: [], ids: new Set() },
  };
}

/**
 * Reloads the rows down to the bottom of the window, to keep the scroll position. Later rows are reloaded when the user
 * scrolls to them.
 * @param needed minimum number of rows to keep
 */
export async function reload(list: LinkList, needed = 0): Promise<void> {
  list.loading?.abort();
  const controller = new AbortController();
  list.loading = controller;
  const ofChange = changes.peek();
  if (list.state.peek() === 'failed') list.state.value = 'loading';
  try {
    const rows: Link[] = [];
    let next: Continuation | null = begin;
    let total: number | undefined;
    do {
      const read: Page = await readPage(list.query, next, controller.signal);
      rows.push(...read.rows);
      next = read.next;
      total ??= read.total;
      // Read `inSight` after each request, because the user may scroll during the request.
    } while (next !== null && rows.length < Math.max(needed, list.inSight));
    batch(() => {
      list.rows.value = withoutRepeats(rows);
      list.total.value = total ?? (next === null ? rows.length : undefined);
      list.state.value = 'ready';
      list.error.value = undefined;
    });
    list.next = next;
    // If the count request fails, the total stays unknown.
    if (list.total.peek() === undefined) countLater(list).catch(() => {});
    // If links changed during the request, the response may be outdated.
    list.readAt = changes.peek() === ofChange ? Date.now() : 0;
  } catch (error) {
    if (controller.signal.aborted) return;
    batch(() => {
      list.error.value = error;
      // Rows that are already loaded stay visible.
      list.state.value = list.rows.peek().length > 0 ? 'ready' : 'failed';
    });
  } finally {
    if (list.loading === controller) list.loading = undefined;
  }
}

/** Loads the next rows. */
export async function loadMore(list: LinkList): Promise<void> {
  if (list.next === null || list.loading !== undefined) return;
  const controller = new AbortController();
  list.loading = controller;
  try {
    const { rows, next } = await readPage(list.query, list.next, controller.signal);
    list.next = next;
    list.rows.value = withMore(list, rows);
  } catch (error) {
    if (!controller.signal.aborted) list.error.value = error;
  } finally {
    if (list.loading === controller) list.loading = undefined;
  }
}

interface Page {
  readonly rows: readonly Link[];
  readonly next: Continuation | null;
  readonly total: number | undefined;
}

/** An empty cursor requests cursor-based pagination, whose cost does not grow with the offset. */
const begin: Continuation = { cursor: '' };

async function readPage(query: LinkQuery, at: Continuation, signal: AbortSignal): Promise<Page> {
  const input = { ...toInput(query), ...at, limit: pageSize, ...listed() };
  const { data, pagination } = await api.listLinks(input, { signal });
  const { total, nextCursor } = pagination as unknown as Pagination;
  const next = nextCursor === null ? null : { cursor: nextCursor };
  const rows = data.filter(({ id }) => !leaving.has(id));
  return { rows, next, total: total ?? undefined };
}

interface Pagination {
  /** Null if counting takes too long. */
  readonly total: number | null;
  readonly nextCursor: string | null;
}

/** Removes duplicate links. A link that moves between two pages during loading can appear on both. */
function withoutRepeats(rows: readonly Link[]): readonly Link[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Appends a page to a list's rows, without duplicates. */
function withMore(list: LinkList, page: readonly Link[]): readonly Link[] {
  const before = list.rows.peek();
  const ids = list.known.rows === before ? list.known.ids : new Set(before.map(({ id }) => id));
  const rows = [...before, ...page.filter(({ id }) => !ids.has(id) && ids.add(id))];
  list.known = { rows, ids };
  return rows;
}

/**
 * Loads every link that matches a query.
 * @param total approximate number of matches, for the progress indicator
 * @returns an empty array if the user cancels
 */
export async function everyLink(query: LinkQuery, total: number): Promise<readonly Link[]> {
  const found: Link[] = [];
  let isCancelled = false;
  for await (const link of api.allLinks(toInput(query))) {
    found.push(link);
    if (found.length % progressEvery === 0)
      showProgress(t.did.reading(found.length, total), () => {
        isCancelled = true;
      });
    if (isCancelled) {
      notify(t.did.cancelled);
      return [];
    }
  }
  return found;
}

const progressEvery = 500;
const settledMs = 300;

/**
 * Requests the number of matches if the list response lacks it. Waits until the user has stopped typing, because
 * counting is slow on the server.
 */
async function countLater(list: LinkList): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, settledMs));
  const isInSight = [...lists.values()].at(-1) === list;
  if (!isInSight || list.total.peek() !== undefined) return;
  const { pagination } = await api.listLinks({ ...toInput(list.query), page: 1, limit: 1 });
  list.total.value ??= pagination.total ?? undefined;
}

/** Maximum number of rows changed per task. */
const maxRowsPerTask = 2_000;

/**
 * Immediately applies a change to the loaded rows in every list. The next response replaces the rows.
 * @param from index of the first row to change
 */
export function changeRows(ids: ReadonlySet<string>, change: (link: Link) => Link, from = 0): void {
  const to = from + maxRowsPerTask;
  let isMore = false;
  batch(() => {
    for (const list of lists.values()) {
      const rows = list.rows.peek();
      const changed = rows.slice(from, to).map((row) => (ids.has(row.id) ? change(row) : row));
      list.rows.value = rows.toSpliced(from, changed.length, ...changed);
      isMore ||= rows.length > to;
    }
  });
  if (isMore) setTimeout(() => changeRows(ids, change, to));
}

/** Ids of links being removed. API responses may contain these links until the removal is done. */
const leaving = new Set<string>();

/**
 * Removes rows from every list, and from API responses until {@link linksChanged} is called.
 * @returns a function that puts the rows back
 */
export function takeRows(ids: ReadonlySet<string>): () => void {
  for (const id of ids) leaving.add(id);
  const before = [...lists.values()].map((list) => ({
    list,
    rows: list.rows.peek(),
    total: list.total.peek(),
  }));
  batch(() => {
    for (const { list, rows, total } of before) {
      const left = rows.filter((row) => !ids.has(row.id));
      list.rows.value = left;
      if (total !== undefined) list.total.value = total - (rows.length - left.length);
    }
  });
  return () => {
    batch(() => {
      for (const { list, rows, total } of before) {
        list.rows.value = rows;
        list.total.value = total;
      }
    });
  };
}

/** Id of the last link created, whose row is briefly highlighted. */
export const freshId = signal<string | undefined>(undefined);

/** Marks every list as outdated. The visible list reloads immediately, all others when they are shown. */
export function linksChanged(): void {
  leaving.clear();
  for (const list of lists.values()) list.readAt = 0;
  changes.value += 1;
}

/** Counter that increases whenever links change. */
export const changes = signal(0);

export function forgetLists(): void {
  lists.clear();
}

const maxKnownLinks = 500;

/** Returns the first loaded links in every list, for suggestions. */
export function rowsNow(): readonly Link[] {
  return withoutRepeats([...lists.values()].flatMap((list) => list.rows.peek().slice(0, maxKnownLinks)));
}

/** Returns a link from the loaded lists, if any list contains it. */
export function rowOf(id: string): Link | undefined {
  for (const list of lists.values()) {
    const row = list.rows.peek().find((one) => one.id === id);
    if (row !== undefined) return row;
  }
  return undefined;
}
