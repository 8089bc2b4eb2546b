import { shortestPart } from '../../../model/links/link-search.ts';
import { type Db, one } from '../../db/db.ts';
import { linkCount } from '../groups/link-counts.ts';
import { textsOf } from './link-texts.ts';

/** Three letters that stand for an account in `link_texts`; a text that has them too is sorted out by its row. */
export function accountMark(accountId: number): string {
  const letters = [Math.floor(accountId / 0x1000 ** 2), Math.floor(accountId / 0x1000), accountId];
  return letters.map((part) => String.fromCodePoint(0xe000 + (part % 0x1000))).join('');
}

/** So many of an account's newest links, and of its oldest, tell how often a trigram is likely to be met. */
const sampled = 128;
const ends = ['ASC', 'DESC'].map(
  (direction) =>
    `SELECT ${textsOf('l')} AS texts FROM links l WHERE l.account_id = ? AND l.deleted_at IS NULL ORDER BY l.id ${direction} LIMIT ${sampled}`,
);
const newestRow = 'SELECT COALESCE(MAX(link_row), 0) AS row FROM links';

/** With so many candidates or fewer it takes longer to ask for another trigram than to read their rows. */
const fewCandidates = 500;

/**
 * A query of `link_texts` for the account's links that have the rarest trigrams of the parts, of three characters or more. Each
 * further trigram costs a walk through all links that have it, and is asked for as long as it spares reading more.
 */
export async function trigramQuery(db: Db, accountId: number, parts: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const end of ends)
    texts.push(...(await db.all<{ texts: string }>(end, [accountId])).map((row) => row.texts));
  // One that no sampled link has may still be in one of the next.
  const shareOf = (trigram: string): number =>
    (texts.filter((text) => text.includes(trigram)).length + 0.5) / (texts.length + 1);
  const links = (await one<{ row: number }>(db, newestRow, [])).row;
  const own = await linkCount(db, accountId, { kind: 'all' });
  const choices = [...new Set(parts.flatMap(trigramsOf))].map((text) => ({ text, share: shareOf(text) }));
  choices.push({ text: accountMark(accountId), share: own / Math.max(1, links) });
  choices.sort((a, b) => a.share - b.share);
  const chosen: string[] = [];
  let candidates = links;
  for (const { text, share } of choices) {
    if (chosen.length > 0 && (candidates <= fewCandidates || share > 0.5)) break;
    chosen.push(text);
    candidates *= share;
  }
  return chosen.map((text) => `"${text.replaceAll('"', '""')}"`).join(' AND ');
}

function trigramsOf(part: string): string[] {
  const letters = [...part];
  return letters.slice(shortestPart - 1).map((_, at) => letters.slice(at, at + shortestPart).join(''));
}
