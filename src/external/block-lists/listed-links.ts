import type { Targets } from '../../model/links/destinations/host-lists.ts';
import type { LinkReads } from '../../model/links/link-storage.ts';
import type { BlockLists } from './block-lists.ts';

/**
 * A destination whose host is on a block list. The destination belongs to a live link (`code`), a folder (`folder`) or,
 * if both are missing, a branding.
 */
export type Listed = Pick<Targets, 'code' | 'folder' | 'account'> & {
  readonly host: string;
  /** Name of the block list. */
  readonly list: string;
};

/** Returns the targets with a URL whose host is on a block list. */
export function findListed(targets: readonly Targets[], { listOf }: Pick<BlockLists, 'listOf'>): Listed[] {
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
 * Creates an iterator over all records with destinations, for a check.
 * @returns a function that returns the next few records, or undefined after the last one. The function can be called
 * again after it fails.
 */
export function createTargetIterator(
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
