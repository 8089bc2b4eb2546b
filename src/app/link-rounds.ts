import { folderComesBackMs } from '../model/links/folders.ts';
import type { Storage } from '../model/storage.ts';
import type { Report } from '../runtime/report.ts';
import { createRounds, type Rounds } from '../runtime/rounds.ts';

const emptyingMs = 2_000;
const indexingMs = 2_000;
/** While other writes wait, so many links may wait too: a search reads their rows, which takes some ms. */
const unindexedWhileBusy = 10_000;
/** Other writes wait some milliseconds for a slice. */
const rowsPerSlice = 250;

interface LinkRoundOptions {
  readonly storage: Storage;
  readonly now: () => number;
  readonly onError: Report;
  /** In tests: from one round to the next, ms. */
  readonly intervalMs?: number;
}

/** The background work on rows of links, of which visitors and clients notice nothing. */
export function createLinkRounds({
  storage,
  now,
  onError,
  ...interval
}: LinkRoundOptions): Readonly<Record<'folding' | 'emptying' | 'emptyingTags' | 'indexing', Rounds>> {
  const folding = createRounds({
    hasWork: () => storage.hasWork('rollUpClicks'),
    acquireLease: (everyMs) => storage.acquireLease('fold', now(), everyMs),
    slice: (afterRow) => storage.rollUpClicks(afterRow, rowsPerSlice),
    fault: 'Recent clicks, which count already, cannot be moved to the figures of their links yet.',
    onError,
    ...interval,
  });
  const emptying = createRounds({
    hasWork: () => storage.hasWork('emptyFolders', now() - folderComesBackMs),
    slice: async () =>
      (await storage.emptyFolders(now() - folderComesBackMs, rowsPerSlice)) ? 1 : undefined,
    fault: 'Links of deleted folders, which are in none already, cannot be tidied up yet.',
    intervalMs: emptyingMs,
    onError,
    ...interval,
  });
  const emptyingTags = createRounds({
    hasWork: () => storage.hasWork('emptyTags'),
    slice: async () => ((await storage.emptyTags(rowsPerSlice)) ? 1 : undefined),
    fault: 'Links of tags that were deleted or merged, which show it already, cannot be tidied up yet.',
    intervalMs: emptyingMs,
    onError,
    ...interval,
  });
  const lacksLinks = async () =>
    storage.hasWork('indexLinks', storage.waitingWrites() > 0 ? unindexedWhileBusy : 0);
  const indexing = createRounds({
    hasWork: lacksLinks,
    acquireLease: (everyMs) => storage.acquireLease('index', now(), everyMs),
    slice: async () => ((await storage.indexLinks(rowsPerSlice)) && (await lacksLinks()) ? 1 : undefined),
    fault: 'New links, which searches find already, cannot be taken into what finds them quickly yet.',
    intervalMs: indexingMs,
    onError,
    ...interval,
  });
  return { folding, emptying, emptyingTags, indexing };
}
