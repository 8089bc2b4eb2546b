import { codeKey, spaceOf } from '../../model/links/codes/codes.ts';
import type { Db } from '../db/db.ts';

// For ASCII codes, the databases fold case as this program does. Codes with other characters are compared in
// JavaScript, one page of rows at a time.
const pageSize = 500;

/** Returns an SQL condition that matches ASCII codes, which both engines fold with `lower`. */
export function isPlain(code: string): string {
  return `octet_length(${code}) = length(${code})`;
}

interface LinkRow {
  readonly link_row: number;
  readonly account_id: number;
  readonly code: string;
  readonly space: string;
  readonly deleted_at: number | null;
}
interface CodeRow {
  readonly key: string;
  readonly account_id: number;
  readonly link_row: number;
  readonly live: number;
}

const links = `
  SELECT link_row, account_id, code, space, deleted_at FROM links
  WHERE link_row > ? AND NOT (${isPlain('code')}) ORDER BY link_row LIMIT ${pageSize}`;
const live = `
  SELECT c.key, COALESCE(c.alias, l.code) AS code FROM codes c JOIN links l ON l.link_row = c.link_row
  WHERE c.key > ? AND c.live = 1 AND l.deleted_at IS NULL AND NOT (${isPlain('COALESCE(c.alias, l.code)')})
  ORDER BY c.key LIMIT ${pageSize}`;

/** Finds inconsistent codes with non-ASCII characters. @returns up to `most` problems, one sentence each */
export async function unicodeFindings(db: Db, most: number): Promise<string[]> {
  const found: string[] = [];
  for (let behind = 0; found.length < most; ) {
    const page = await db.all<LinkRow>(links, [behind]);
    const last = page.at(-1);
    if (last === undefined) break;
    behind = last.link_row;
    const keys = page.map(({ space, code }) => codeKey(space, code));
    const rows = await db.all<CodeRow>(
      `SELECT key, account_id, link_row, live FROM codes WHERE key IN (${keys.map(() => '?').join(', ')})`,
      keys,
    );
    const byKey = new Map(rows.map((row) => [row.key, row]));
    found.push(...page.flatMap((link) => faultOf(link, byKey.get(codeKey(link.space, link.code))) ?? []));
  }
  for (let behind = ''; found.length < most; ) {
    const page = await db.all<{ key: string; code: string }>(live, [behind]);
    const last = page.at(-1);
    if (last === undefined) break;
    behind = last.key;
    for (const { key, code } of page)
      if (codeKey(spaceOf(key), code) !== key)
        found.push(`The code "${key}" resolves to a link with another code.`);
  }
  return found.slice(0, most);
}

function faultOf(link: LinkRow, row: CodeRow | undefined): string | undefined {
  if (link.deleted_at === null)
    return row?.live === 1 && row.link_row === link.link_row
      ? undefined
      : `The code "${link.code}" does not resolve to the live link that has it.`;
  return row?.account_id === link.account_id
    ? undefined
    : `The code "${link.code}" of a deleted link is not reserved for its account.`;
}
