import { batch, type Signal, signal } from '@preact/signals';
import { api } from '../client.ts';
import { t } from '../texts.ts';
import { showProgress, tell } from '../undo.ts';
import { type Link, listed } from './links.ts';
import { type LinkQuery, toInput } from './query.ts';

/** The links that match a query, as far as they are loaded. */
export interface LinkList {
  readonly query: LinkQuery;
  readonly rows: Signal<readonly Link[]>;
  /** How many match, loaded or not. */
  readonly total: Signal<number | undefined>;
  /** `stale`: the rows may be of before, and are asked for again. */
  readonly state: Signal<'loading' | 'ready' | 'failed'>;
  readonly error: Signal<unknown>;
  /** Leads to the next rows; null after the last. */
  next: Continuation | null;
  loading: AbortController | undefined;
  readAt: number;
  /** So many rows, from the first, reach the end of the window. */
  inSight: number;
  /** The ids of rows: they are gathered once, while page after page is added. */
  known: { readonly rows: readonly Link[]; readonly ids: Set<string> };
}

type Continuation = { readonly cursor: string };

const pageSize = 100;
const most = 6;
const lists = new Map<string, LinkList>();

/** The list of a query: what was loaded before is there at once, and asked for again when it is older than a moment. */
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
 * Loads the first rows anew: those down to the end of the window, so that the reader stays where they are. The rows behind them are
 * loaded again when they are scrolled to.
 * @param needed so many of the rows that are there are kept at least
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
      // The reader may have scrolled on meanwhile.
    } while (next !== null && rows.length < Math.max(needed, list.inSight));
    batch(() => {
      list.rows.value = withoutRepeats(rows);
      list.total.value = total ?? (next === null ? rows.length : undefined);
      list.state.value = 'ready';
      list.error.value = undefined;
    });
    list.next = next;
    // Without it the rows say how many there are at least.
    if (list.total.peek() === undefined) countLater(list).catch(() => {});
    // What was changed while it was read may be missing.
    list.readAt = changes.peek() === ofChange ? Date.now() : 0;
  } catch (error) {
    if (controller.signal.aborted) return;
    batch(() => {
      list.error.value = error;
      // Rows that are there stay in sight.
      list.state.value = list.rows.peek().length > 0 ? 'ready' : 'failed';
    });
  } finally {
    if (list.loading === controller) list.loading = undefined;
  }
}

/** Loads the rows after those that are there. */
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

/** An empty cursor asks for pages that cost the same however far they are. */
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
  /** Null where it would take long to count them. */
  readonly total: number | null;
  readonly nextCursor: string | null;
}

/** A link that moves while pages are read can come twice. */
function withoutRepeats(rows: readonly Link[]): readonly Link[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** The rows of a list, and those of a further page that are not among them. */
function withMore(list: LinkList, page: readonly Link[]): readonly Link[] {
  const before = list.rows.peek();
  const ids = list.known.rows === before ? list.known.ids : new Set(before.map(({ id }) => id));
  const rows = [...before, ...page.filter(({ id }) => !ids.has(id) && ids.add(id))];
  list.known = { rows, ids };
  return rows;
}

/**
 * Every link that a query finds now, loaded or not.
 * @param total how many they are, about
 * @returns none when the reader cancels
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
      tell(t.did.cancelled);
      return [];
    }
  }
  return found;
}

const progressEvery = 500;
const settledMs = 300;

/**
 * Counts what a search finds, where the list was not told: it takes the server a while, so it is asked once the reader has
 * stopped typing.
 */
async function countLater(list: LinkList): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, settledMs));
  const isInSight = [...lists.values()].at(-1) === list;
  if (!isInSight || list.total.peek() !== undefined) return;
  const { pagination } = await api.listLinks({ ...toInput(list.query), page: 1, limit: 1 });
  list.total.value ??= pagination.total ?? undefined;
}

/** Most rows that are changed in one task. */
const mostAtOnce = 2_000;

/** Shows a change at once in every list, from its first rows on; the server's word comes with the next read. */
export function changeRows(ids: ReadonlySet<string>, change: (link: Link) => Link, from = 0): void {
  const to = from + mostAtOnce;
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

/** The ids of links on their way out: what is read until they are gone may still have them. */
const leaving = new Set<string>();

/** Takes rows out of every list, and of what is read until {@link linksChanged}. @returns puts them back where they were */
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

/** The id of the link that was made last: its row is tinted for a moment. */
export const freshId = signal<string | undefined>(undefined);

/** Every list is of before: the one in sight loads anew, the others when they are looked at. */
export function linksChanged(): void {
  leaving.clear();
  for (const list of lists.values()) list.readAt = 0;
  changes.value += 1;
}

/** Grows whenever links were changed. */
export const changes = signal(0);

export function forgetLists(): void {
  lists.clear();
}

const mostKnown = 500;

/** Links that are loaded, the first of every list: enough for what is suggested from them. */
export function rowsNow(): readonly Link[] {
  return withoutRepeats([...lists.values()].flatMap((list) => list.rows.peek().slice(0, mostKnown)));
}

/** A link that is loaded. */
export function rowOf(id: string): Link | undefined {
  for (const list of lists.values()) {
    const row = list.rows.peek().find((one) => one.id === id);
    if (row !== undefined) return row;
  }
  return undefined;
}
