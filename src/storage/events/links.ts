import type { LinkEvent } from '../../model/clicks/events.ts';
import { idText } from '../../model/ids.ts';
import type { Db } from '../db/db.ts';
import { idTextOrNull } from '../db/ids.ts';
import { queryInGroups } from '../db/in-groups.ts';
import { folderIdOf } from '../statements/groups/deleted-folders.ts';
import type { EventReference } from './read-events.ts';

interface LinkRow {
  readonly link_row: number;
  readonly id: Uint8Array;
  readonly account_id: number;
  readonly code: string;
  readonly space: string;
  readonly folder_id: Uint8Array | null;
}

const linksByRow = (rows: string): string => `
  SELECT link_row, id, account_id, code, space, ${folderIdOf('links')} AS folder_id
  FROM links WHERE link_row IN (${rows})`;

/** Returns a map from link rows to links, including deleted links. */
export async function linksOfRows(db: Db, rows: readonly number[]): Promise<ReadonlyMap<number, LinkRow>> {
  const links = await queryInGroups<LinkRow>(db, linksByRow, [], [...new Set(rows)]);
  return new Map(links.map((link) => [link.link_row, link]));
}

/**
 * Returns the event for a reference, as a list with one element. The list is empty if the account does not have the
 * link, which can happen after a restore.
 */
export function eventOf(
  { kind, row, at, click, position }: EventReference,
  accountId: number,
  links: ReadonlyMap<number, LinkRow>,
): readonly LinkEvent[] {
  const link = links.get(row);
  if (link?.account_id !== accountId) return [];
  return [
    {
      type: kind === 'click' ? kind : `link.${kind}`,
      linkId: idText(link.id),
      code: link.code,
      space: link.space,
      folderId: idTextOrNull(link.folder_id),
      at,
      ...(click !== undefined && { click }),
      position,
    },
  ];
}
