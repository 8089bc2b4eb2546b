import { fold, isAscii } from '../../../model/links/link-search.ts';
import type { Db } from '../../db/db.ts';

/** The texts of a link in which searches look for words; the code stands first. */
const textColumns = ['code', 'destination', 'location', 'title', 'description'] as const;
export type LinkTexts = Readonly<Record<(typeof textColumns)[number], string | null>> & {
  /** Further codes of the link; null or absent for none. */
  readonly aliases?: string | null;
};

const optional: ReadonlySet<string> = new Set(['location', 'title', 'description']);

/** An expression: the folded texts of a link, given as an alias. PostgreSQL's index `links_by_text` is on the same one. */
export function textsOf(link: string): string {
  const parts = textColumns.map((name) =>
    optional.has(name) ? `COALESCE(${link}.${name}, '')` : `${link}.${name}`,
  );
  return `COALESCE(${link}.search_text, lower(${parts.join(" || '\n' || ")}))`;
}

/** The same as text, as the row has it or is to have it. */
export function foldedTexts(texts: LinkTexts): string {
  const aliases = texts.aliases ? [texts.aliases] : [];
  return fold([...textColumns.map((name) => texts[name] ?? ''), ...aliases].join('\n'));
}

/** What the column `search_text` holds: nothing for texts that the database can fold and that stand in the row alone. */
export function searchTextOf(texts: LinkTexts): string | null {
  if (texts.aliases) return foldedTexts(texts);
  return isAscii(textColumns.map((name) => texts[name] ?? '').join('')) ? null : foldedTexts(texts);
}

export const textList = `${textColumns.join(', ')}, (
  SELECT string_agg(c.alias, ' ') FROM codes c WHERE c.link_row = links.link_row AND c.alias IS NOT NULL) AS aliases`;

const readTexts = `SELECT ${textList}, search_text FROM links WHERE link_row = ?`;
const setSearchText = 'UPDATE links SET search_text = ? WHERE link_row = ?';

/** Whether a change of these columns may change what a search finds. */
export function changesTexts(columns: readonly string[]): boolean {
  return columns.some((column) => (textColumns as readonly string[]).includes(column));
}

/** Brings `search_text` up to date after a change of texts, in the same transaction. */
export async function storeSearchText(db: Db, linkRow: number): Promise<void> {
  const row = await db.get<LinkTexts & { search_text: string | null }>(readTexts, [linkRow]);
  if (row === undefined) return;
  const wanted = searchTextOf(row);
  if (wanted !== row.search_text) await db.run(setSearchText, [wanted, linkRow]);
}

/** The pattern for LIKE that finds a text with the part anywhere, or only at its start. */
export function patternOf(part: string, where: 'anywhere' | 'start'): string {
  return `${where === 'anywhere' ? '%' : ''}${part.replace(/[\\%_]/g, '\\$&')}%`;
}
