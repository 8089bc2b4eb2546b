import { shortestPart } from '../../../model/links/link-search.ts';
import { type Db, one } from '../../db/db.ts';
import { linkCount } from '../groups/link-counts.ts';
import { searchColumnsOf } from './search-text.ts';

/**
 * Returns three characters that identify an account in `link_texts`. The characters may also occur in another account's
 * rows, so the account of each row is checked as well.
 */
export function accountMark(accountId: number): string {
  const letters = [Math.floor(accountId / 0x1000 ** 2), Math.floor(accountId / 0x1000), accountId];
  return letters.map((part) => String.fromCodePoint(0xe000 + (part % 0x1000))).join('');
}

/**
 * To estimate how frequent a trigram is, this many of an account's newest links and as many of its oldest are sampled.
 */
const sampleSize = 128;
const sampleQueries = ['ASC', 'DESC'].map(
  (direction) =>
    `SELECT ${searchColumnsOf('l')} AS texts FROM links l WHERE l.account_id = ? AND l.deleted_at IS NULL ORDER BY l.id ${direction} LIMIT ${sampleSize}`,
);
const newestRow = 'SELECT COALESCE(MAX(link_row), 0) AS row FROM links';

/** With this many candidates or fewer, reading their rows is faster than matching another trigram. */
const fewCandidates = 500;

/**
 * Returns a full-text query on `link_texts` for the account's links that contain the rarest trigrams of `parts`. Each
 * part must have at least three characters. Each trigram in the query costs a scan of all links that contain it, so
 * trigrams are added only as long as each one saves more reads than it costs.
 */
export async function trigramQuery(db: Db, accountId: number, parts: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const end of sampleQueries)
    texts.push(...(await db.all<{ texts: string }>(end, [accountId])).map((row) => row.texts));
  // The share is never 0, because a trigram that no sampled link contains may still occur in other links.
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
