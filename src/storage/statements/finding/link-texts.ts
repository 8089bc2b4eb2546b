import { fold, isAscii } from '../../../model/links/link-search.ts';
import type { Db } from '../../db/db.ts';

/** Text columns of a link that searches cover. `code` must come first. */
const textColumns = ['code', 'destination', 'location', 'title', 'description'] as const;
export type LinkTexts = Readonly<Record<(typeof textColumns)[number], string | null>> & {
  /** Additional codes of the link; null or absent if the link has none. */
  readonly aliases?: string | null;
};

const optional: ReadonlySet<string> = new Set(['location', 'title', 'description']);

/**
 * Returns an SQL expression for the case-folded search columns of a link, as one string. PostgreSQL's index
 * `links_by_text` uses the same expression.
 * @param link a table alias
 */
export function textsOf(link: string): string {
  const parts = textColumns.map((name) =>
    optional.has(name) ? `COALESCE(${link}.${name}, '')` : `${link}.${name}`,
  );
  return `COALESCE(${link}.search_text, lower(${parts.join(" || '\n' || ")}))`;
}

/** Returns the case-folded search columns of a link. The value is the same as the one that {@link textsOf} selects. */
export function foldedTexts(texts: LinkTexts): string {
  const aliases = texts.aliases ? [texts.aliases] : [];
  return fold([...textColumns.map((name) => texts[name] ?? ''), ...aliases].join('\n'));
}

/**
 * Returns the value for column `search_text`: NULL when the database can fold the search columns itself and there are
 * no aliases.
 */
export function searchTextOf(texts: LinkTexts): string | null {
  if (texts.aliases) return foldedTexts(texts);
  return isAscii(textColumns.map((name) => texts[name] ?? '').join('')) ? null : foldedTexts(texts);
}

export const textList = `${textColumns.join(', ')}, (
  SELECT string_agg(c.alias, ' ') FROM codes c WHERE c.link_row = links.link_row AND c.alias IS NOT NULL) AS aliases`;

const readTexts = `SELECT ${textList}, search_text FROM links WHERE link_row = ?`;
const setSearchText = 'UPDATE links SET search_text = ? WHERE link_row = ?';

/** Returns true if a change to these columns may change search results. */
export function includesTextColumn(columns: readonly string[]): boolean {
  return columns.some((column) => (textColumns as readonly string[]).includes(column));
}

/** Updates `search_text` after a change to search columns, in the same transaction. */
export async function storeSearchText(db: Db, linkRow: number): Promise<void> {
  const row = await db.get<LinkTexts & { search_text: string | null }>(readTexts, [linkRow]);
  if (row === undefined) return;
  const wanted = searchTextOf(row);
  if (wanted !== row.search_text) await db.run(setSearchText, [wanted, linkRow]);
}

/** Returns the LIKE pattern that finds a string anywhere in a value, or only at its start. */
export function patternOf(part: string, where: 'anywhere' | 'start'): string {
  return `${where === 'anywhere' ? '%' : ''}${part.replace(/[\\%_]/g, '\\$&')}%`;
}
