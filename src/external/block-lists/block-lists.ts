import { Worker } from 'node:worker_threads';
import { coversHost, type HostDigests } from '../../model/links/destinations/host-lists.ts';
import { createLoop } from '../../runtime/loop.ts';
import type { Report } from '../../runtime/report.ts';
import type { LoadOutcome, LoadRequest } from './loader.ts';

export interface BlockListOptions {
  /** Absolute paths or http(s) URLs. */
  readonly sources: readonly string[];
  /** Folder for copies of downloaded lists. */
  readonly folder: string;
  /** Milliseconds between two loads. */
  readonly everyMs: number;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: Report;
  readonly onInfo: Report;
}

/** Current state of a list. */
export interface BlockListState {
  /** Source of the list, without parts that may be secret. */
  readonly name: string;
  readonly hosts: number;
  /** Time of the last successful load in ms since the epoch; undefined before the first load. */
  readonly loadedAt: number | undefined;
}

/**
 * Lists of hosts that are not allowed as destinations. The lists are read from files and URLs that the operator
 * configured.
 */
export interface BlockLists {
  /** Returns the name of a list that contains the host or a parent domain, or undefined if there is none. */
  listOf(host: string): string | undefined;
  /**
   * Loads every list. Never rejects: if a list cannot be loaded, reports the error and keeps the previous list. If
   * there is none, uses the copy from an earlier download.
   * @param prefersCopy true to use the copy from an earlier download if there is one
   */
  load(prefersCopy: boolean): Promise<void>;
  /** Starts loading every list at regular intervals. */
  start(): void;
  /** Stops loading, and aborts a load in progress. Never rejects. */
  close(): Promise<void>;
  states(): readonly BlockListState[];
  /** Returns a number that changes whenever a list changes. */
  version(): number;
}

interface Entry {
  readonly source: string;
  readonly name: string;
  digests: HostDigests;
  loadedAt: number | undefined;
}

/**
 * Milliseconds between `start` and the first download. The delay is short, because startup may have loaded only copies.
 */
const firstMs = 1_000;

export function createBlockLists(options: BlockListOptions): BlockLists {
  const { sources, folder, everyMs, now, onError, onInfo } = options;
  const entries: Entry[] = sources.map((source) => ({
    source,
    name: nameOf(source),
    digests: new BigUint64Array(),
    loadedAt: undefined,
  }));

  const closing = new AbortController();
  let version = 0;
  const change = (entry: Entry, digests: HostDigests): void => {
    if (isSame(entry.digests, digests)) return;
    entry.digests = digests;
    version += 1;
  };

  async function loadOne(entry: Entry, prefersCopy: boolean): Promise<void> {
    const { list, isCopy, failure, copyFailure } = await loadInThread(
      { source: entry.source, folder, prefersCopy },
      closing.signal,
    );
    if (closing.signal.aborted) return;
    if (failure === undefined && list !== undefined) {
      change(entry, list.digests);
      if (!isCopy) entry.loadedAt = now();
      const facts = { list: entry.name, hosts: list.digests.length, unreadLines: list.unread };
      onInfo('A block list was loaded.', facts);
      if (copyFailure !== undefined)
        onError(
          'Could not cache a loaded block list for the next start. Links are checked against the list.',
          { list: entry.name, reason: copyFailure },
        );
      return;
    }
    if (entry.digests.length === 0 && list !== undefined) change(entry, list.digests);
    const hosts = entry.digests.length;
    const sentence =
      hosts > 0
        ? 'Could not load a block list. Links are checked against its cached copy.'
        : 'Could not load a block list, and no cached copy exists. Links are not checked against the list.';
    onError(sentence, { list: entry.name, reason: failure, hosts });
  }

  async function load(prefersCopy: boolean): Promise<void> {
    // The lists are loaded one after the other, because loading a list keeps a CPU busy for a while.
    for (const entry of entries) {
      if (!closing.signal.aborted) await loadOne(entry, prefersCopy);
    }
  }

  const loop = createLoop(firstMs, async () => {
    await load(false);
    return everyMs;
  });

  return {
    listOf: (host) => entries.find(({ digests }) => coversHost(digests, host))?.name,
    load,
    start() {
      if (entries.length > 0) loop.start();
    },
    close() {
      closing.abort();
      return loop.close();
    },
    states: () => entries.map(({ name, digests, loadedAt }) => ({ name, hosts: digests.length, loadedAt })),
    version: () => version,
  };
}

function isSame(one: HostDigests, other: HostDigests): boolean {
  return Buffer.from(one.buffer).equals(Buffer.from(other.buffer));
}

/** Returns a source without its user name, query and fragment. */
function nameOf(source: string): string {
  const { protocol, host, pathname } = URL.parse(source) ?? {};
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${host}${pathname}` : source;
}

const extension = import.meta.filename.endsWith('.ts') ? '.ts' : '.js';

/**
 * Loads a list in a separate thread.
 * @param signal terminates the thread, so that the load fails
 */
function loadInThread(request: LoadRequest, signal: AbortSignal): Promise<LoadOutcome> {
  const { promise, resolve } = Promise.withResolvers<LoadOutcome>();
  const script = new URL(`./loader${extension}`, import.meta.url);
  const worker = new Worker(script, { workerData: request, name: 'linkfold-lists', execArgv: [] });
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end);
  worker.once('message', resolve);
  worker.once('error', (error: Error) => resolve({ failure: error.message }));
  worker.once('exit', () => {
    signal.removeEventListener('abort', end);
    resolve({ failure: 'the loader thread exited' });
  });
  return promise;
}
