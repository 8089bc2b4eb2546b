import type { Targets } from '../model/links/destinations/host-lists.ts';
import type { LinkReads } from '../model/links/link-storage.ts';
import type { BlockLists } from './block-lists.ts';

/** What leads to a host of a block list: a live link, a folder or, when it has neither code nor folder, a branding. */
export type Listed = Pick<Targets, 'code' | 'folder' | 'account'> & {
  readonly host: string;
  /** The list's name. */
  readonly list: string;
};

/** Those, of some, that lead to a listed host: by any of their addresses. */
export function listedAmong(targets: readonly Targets[], { listOf }: Pick<BlockLists, 'listOf'>): Listed[] {
  return targets.flatMap(({ code, folder, account, urls }) => {
    for (const url of urls) {
      const host = URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
      const list = listOf(host);
      if (list !== undefined) return [{ code, folder, account, host, list }];
    }
    return [];
  });
}

export type TargetReads = Pick<LinkReads, 'linkTargets' | 'brandingTargets' | 'folderTargets'>;

/**
 * Goes through all that leads somewhere, for a check.
 * @returns what gives the next few at most, and undefined after the last; one that failed can be asked for again
 */
export function createWalk(
  storage: TargetReads,
  limit: number,
): () => Promise<readonly Targets[] | undefined> {
  const reads = [
    (after?: string) => storage.linkTargets(Number(after ?? 0), limit),
    (after?: string) => storage.brandingTargets(Number(after ?? 0), limit),
    (after?: string) => storage.folderTargets(after, limit),
  ];
  let kind = 0;
  let after: string | undefined;
  return async () => {
    for (; ; kind += 1) {
      const some = await reads[kind]?.(after);
      after = some?.at(-1)?.place;
      if (some === undefined || after !== undefined) return some;
    }
  };
}
