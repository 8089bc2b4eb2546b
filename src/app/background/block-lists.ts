import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { type BlockLists, createBlockLists } from '../../external/block-lists/block-lists.ts';
import {
  createTargetIterator,
  findListed,
  type Listed,
  type TargetReads,
} from '../../external/block-lists/listed-links.ts';
import type { Storage } from '../../model/storage.ts';
import { type BackgroundTask, createBackgroundTask } from '../../runtime/background-task.ts';
import type { Report } from '../../runtime/report.ts';
import type { TaskOptions } from './storage-tasks.ts';

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

/** Number of links, brandings or folders checked per slice. A slice takes a few milliseconds. */
const linksPerSlice = 250;
/** Milliseconds between checks for changed block lists. If a list has changed, all links are checked again. */
const checkEveryMs = 5_000;
/** Maximum number of links named in a log line; `linkfold block-lists check` lists all of them. */
const maxNamed = 20;

export interface ListedLinks {
  readonly task: BackgroundTask;
  /**
   * Returns how many links, brandings and folders had a destination on a block list when this process last checked.
   * Returns undefined before the first check.
   */
  count(): number | undefined;
}

/**
 * Creates the task that rechecks every live link, branding and folder whenever a list has changed. Only one process
 * runs it at a time. Matches are reported to the operator, but stay active until the operator acts.
 */
export function createListedLinkTask(
  lists: BlockLists,
  {
    storage,
    now,
    onError,
    intervalMs = checkEveryMs,
  }: Omit<TaskOptions, 'storage'> & { readonly storage: TargetReads & Pick<Storage, 'acquireLease'> },
): ListedLinks {
  let found: Listed[] = [];
  let next = createTargetIterator(storage, linksPerSlice);
  let count: number | undefined;
  /** Version of the block lists that the links were last checked against. */
  let checked = 0;
  let checking = 0;
  const slice = async (after: number): Promise<number | undefined> => {
    if (after === 0) {
      found = [];
      next = createTargetIterator(storage, linksPerSlice);
    }
    const some = await next();
    if (some !== undefined) {
      found.push(...findListed(some, lists));
      return after + 1;
    }
    checked = checking;
    count = found.length;
    if (count > 0)
      onError(
        'Links, folders or brandings redirect to hosts on a block list. They keep working. To list them: linkfold block-lists check',
        {
          found: count,
          first: found.slice(0, maxNamed),
        },
      );
    return undefined;
  };
  const task = createBackgroundTask({
    hasWork: () => lists.version() !== checked,
    acquireLease: async (everyMs) => {
      checking = lists.version();
      const isOurs = await storage.acquireLease('checkBlockLists', now(), everyMs);
      // Another process is checking the links against this version of the lists, so this process need not.
      if (!isOurs) checked = checking;
      return isOurs;
    },
    slice,
    fault: 'Could not check links against the block lists. Linkfold will retry.',
    intervalMs,
    onError,
  });
  return { task, count: () => count };
}
