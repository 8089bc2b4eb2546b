import { join } from 'node:path';
import { type BlockLists, createBlockLists } from '../../block-lists/block-lists.ts';
import { createWalk, type Listed, listedAmong, type TargetReads } from '../../block-lists/listed-links.ts';
import type { Config } from '../../config.ts';
import type { Storage } from '../../model/storage.ts';
import type { Report } from '../../runtime/report.ts';
import { type BackgroundTask, createRounds } from '../../runtime/rounds.ts';

interface BlockListParts {
  readonly now: () => number;
  readonly onError: Report;
  readonly onInfo: Report;
}

export function openBlockLists(
  config: Pick<Config, 'BLOCK_LISTS' | 'BLOCK_LISTS_HOURS' | 'DATA_DIR'>,
  parts: BlockListParts,
): BlockLists {
  return createBlockLists({
    sources: config.BLOCK_LISTS,
    folder: join(config.DATA_DIR, 'block-lists'),
    everyMs: config.BLOCK_LISTS_HOURS * 3_600_000,
    ...parts,
  });
}

/** Links, or brandings, or folders, that a slice of the check looks at: a few milliseconds. */
const linksPerSlice = 250;
/** How soon after a load the links are checked, ms. */
const checkEveryMs = 5_000;
/** Links that a line of the log names; `linkfold block-lists check` shows all. */
const mostNamed = 20;

export interface ListedLinks {
  readonly rounds: BackgroundTask;
  /** How many links, brandings and folders the last check of this process found; undefined before it. */
  count(): number | undefined;
}

/**
 * Checks every live link again, as lists change after links were made, and every branding and folder: one process does so after
 * each load. Links that are found are reported and continue working, until the operator decides.
 */
export function createListedLinkRounds(
  lists: BlockLists,
  {
    storage,
    now,
    onError,
    intervalMs = checkEveryMs,
  }: Omit<BlockListParts, 'onInfo'> & {
    readonly storage: TargetReads & Pick<Storage, 'acquireLease'>;
    /** In tests: from one look for changed lists to the next, ms. */
    readonly intervalMs?: number;
  },
): ListedLinks {
  let found: Listed[] = [];
  let next = createWalk(storage, linksPerSlice);
  let count: number | undefined;
  /** The version of the lists that links were checked against. */
  let checked = 0;
  let checking = 0;
  const slice = async (after: number): Promise<number | undefined> => {
    if (after === 0) {
      found = [];
      next = createWalk(storage, linksPerSlice);
    }
    const some = await next();
    if (some !== undefined) {
      found.push(...listedAmong(some, lists));
      return after + 1;
    }
    checked = checking;
    count = found.length;
    if (count > 0)
      onError('Links lead to hosts of a block list; see linkfold block-lists check.', {
        found: count,
        first: found.slice(0, mostNamed),
      });
    return undefined;
  };
  const rounds = createRounds({
    hasWork: () => lists.version() !== checked,
    acquireLease: async (everyMs) => {
      checking = lists.version();
      const isOurs = await storage.acquireLease('checkBlockLists', now(), everyMs);
      // Another process checks them.
      if (!isOurs) checked = checking;
      return isOurs;
    },
    slice,
    fault: 'Links cannot be checked against the block lists yet.',
    intervalMs,
    onError,
  });
  return { rounds, count: () => count };
}
