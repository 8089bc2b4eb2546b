import type { LinkTargets } from '../domain/links/host-lists.ts';
import type { BlockLists } from './block-lists.ts';

/** A live link that leads to a host of a block list. */
export interface ListedLink {
  readonly code: string;
  /** The account's name. */
  readonly account: string;
  readonly host: string;
  /** The list's name. */
  readonly list: string;
}

/** The links, of some, that lead to a listed host: by their destination, a rule or what they lead to when they have ended. */
export function listedAmong(
  links: readonly LinkTargets[],
  { listOf }: Pick<BlockLists, 'listOf'>,
): ListedLink[] {
  return links.flatMap(({ code, account, urls }) => {
    for (const url of urls) {
      const host = URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
      const list = listOf(host);
      if (list !== undefined) return [{ code, account, host, list }];
    }
    return [];
  });
}
