import { readClicks } from '../../model/clicks/click-records.ts';
import { idText } from '../../model/ids.ts';
import type { ClickCursor, PendingClicks, WebhookClick } from '../../model/webhooks/clicks.ts';
import type { Db } from '../db/db.ts';
import { idTextOrNull } from '../db/ids.ts';
import { webhookClickRows } from '../statements/clicks/webhook-clicks.ts';
import { tagNamesIn, tagsOf } from '../statements/finding/link-tags.ts';
import { linksOfRows } from './links.ts';
import { valuesOf } from './read-events.ts';

const tagsByRow = `SELECT ${tagsOf('l')} AS tags FROM links l WHERE l.link_row = ?`;

/** Returns the next clicks to send to a webhook, with the current state of their links, including deleted links. */
export async function pendingClicks(
  db: Db,
  accountId: number,
  from: ClickCursor,
  max: number,
  withTags: boolean,
): Promise<PendingClicks> {
  const found: Pick<WebhookClick, 'at' | 'click' | 'upTo'>[] = [];
  const rowOf: number[] = [];
  let upTo = from;
  for (let isAll = false; !isAll && found.length < max; ) {
    const rows = await webhookClickRows(db, accountId, upTo.after);
    for (const { seq, layout, clicks, records } of rows) {
      if (found.length >= max) break;
      let nth = 0;
      let { had } = upTo;
      readClicks({ layout, clicks, bytes: records }, (click) => {
        nth += 1;
        if (nth <= had || found.length >= max) return;
        had = nth;
        const reached = nth === clicks ? { after: seq, had: 0 } : { after: upTo.after, had: nth };
        found.push({ at: click.at, click: valuesOf(click), upTo: reached });
        rowOf.push(click.row);
      });
      upTo = found.at(-1)?.upTo ?? upTo;
    }
    isAll = rows.length === 0;
  }
  const links = await linksOfRows(db, rowOf);
  const tags = new Map<number, readonly string[]>();
  for (const row of withTags ? links.keys() : [])
    tags.set(row, tagNamesIn((await db.get<{ tags: string | null }>(tagsByRow, [row]))?.tags ?? null));
  const clicks = found.flatMap((click, place): WebhookClick[] => {
    const link = links.get(rowOf[place] ?? 0);
    // The link may be missing if a backup was restored.
    if (link?.account_id !== accountId) return [];
    const { code, space, link_row: row } = link;
    const folderId = idTextOrNull(link.folder_id);
    return [{ ...click, linkId: idText(link.id), code, space, folderId, tags: tags.get(row) ?? [] }];
  });
  return { clicks, upTo };
}
