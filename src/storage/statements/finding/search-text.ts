import { fold, isAscii } from '../../../model/links/link-search.ts';
import type { Db } from '../../db/db.ts';

/** A link's searchable text columns. `code` must come first. */
const searchColumns = ['code', 'destination', 'location', 'title', 'description'] as const;
export type SearchColumns = Readonly<Record<(typeof searchColumns)[number], string | null>> & {
  /** The link's additional codes; null or absent if it has none. */
  readonly aliases?: string | null;
};

const optional: ReadonlySet<string> = new Set(['location', 'title', 'description']);

/**
 * Returns an SQL expression for a link's case-folded search columns, as one string. PostgreSQL's index `links_by_text`
 * uses the same expression.
 * @param link a table alias
 */
export function searchColumnsOf(link: string): string {
  const parts = searchColumns.map((name) =>
    optional.has(name) ? `COALESCE(${link}.${name}, '')` : `${link}.${name}`,
  );
  return `COALESCE(${link}.search_text, lower(${parts.join(" || '\n' || ")}))`;
}

/** Returns a link's case-folded search columns: the value that {@link searchColumnsOf} selects. */
export function foldColumns(columns: SearchColumns): string {
  const aliases = columns.aliases ? [columns.aliases] : [];
  return fold([...searchColumns.map((name) => columns[name] ?? ''), ...aliases].join('\n'));
}

/**
 * Returns the value for column `search_text`: NULL when the database can fold the search columns itself and there are
 * no aliases.
 */
export function searchTextOf(columns: SearchColumns): string | null {
  if (columns.aliases) return foldColumns(columns);
  return isAscii(searchColumns.map((name) => columns[name] ?? '').join('')) ? null : foldColumns(columns);
}

export const columnList = `${searchColumns.join(', ')}, (
  SELECT string_agg(c.alias, ' ') FROM codes c WHERE c.link_row = links.link_row AND c.alias IS NOT NULL) AS aliases`;

const readColumns = `SELECT ${columnList}, search_text FROM links WHERE link_row = ?`;
const setSearchText = 'UPDATE links SET search_text = ? WHERE link_row = ?';

/** Returns true if a change to these columns may change search results. */
export function includesSearchColumn(columns: readonly string[]): boolean {
  return columns.some((column) => (searchColumns as readonly string[]).includes(column));
}

/** Updates `search_text` after a change to search columns, in the same transaction. */
export async function storeSearchText(db: Db, linkRow: number): Promise<void> {
  const row = await db.get<SearchColumns & { search_text: string | null }>(readColumns, [linkRow]);
  if (row === undefined) return;
  const wanted = searchTextOf(row);
  if (wanted !== row.search_text) await db.run(setSearchText, [wanted, linkRow]);
}

/** Returns the LIKE pattern that finds a string anywhere in a value, or only at its start. */
export function patternOf(part: string, where: 'anywhere' | 'start'): string {
  return `${where === 'anywhere' ? '%' : ''}${part.replace(/[\\%_]/g, '\\$&')}%`;
}
