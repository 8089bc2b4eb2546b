import type { LinkEvent } from '../../model/clicks/events.ts';
import { idText } from '../../model/ids.ts';
import type { Db } from '../db/db.ts';
import { idTextOrNull } from '../db/ids.ts';
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

// One prepared statement for any number of rows: the last group is padded with its first row.
const rowsPerStatement = 64;
const linksByRow = `
  SELECT link_row, id, account_id, code, space, ${folderIdOf('links')} AS folder_id
  FROM links WHERE link_row IN (${Array(rowsPerStatement).fill('?').join(', ')})`;

/** Returns links by row, including deleted links. */
export async function linksOfRows(db: Db, rows: readonly number[]): Promise<ReadonlyMap<number, LinkRow>> {
  const wanted = [...new Set(rows)];
  const links = new Map<number, LinkRow>();
  for (let at = 0; at < wanted.length; at += rowsPerStatement) {
    const group = wanted.slice(at, at + rowsPerStatement);
    const [filler = 0] = group;
    while (group.length < rowsPerStatement) group.push(filler);
    for (const link of await db.all<LinkRow>(linksByRow, group)) links.set(link.link_row, link);
  }
  return links;
}

/**
 * Creates the event of a reference.
 * @returns an empty list when the account lacks the link, as may occur after a restore
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
