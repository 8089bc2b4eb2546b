import { type ImportCounts, importCounts } from '../../../model/imports/imports.ts';
import { type Db, one } from '../../db/db.ts';

/** An import's counts, stored as JSON. */
interface CountsRow {
  readonly counts: string;
}

export function countsIn(row: CountsRow): ImportCounts {
  const known = JSON.parse(row.counts) as Partial<ImportCounts>;
  return Object.fromEntries(importCounts.map((name) => [name, known[name] ?? 0])) as ImportCounts;
}

/** Adds `added` to an import's counts, and returns the new counts as JSON for storage. */
export function sumOf(row: CountsRow, added: Partial<ImportCounts>): string {
  const counts: Record<string, number> = { ...countsIn(row) };
  for (const [name, more] of Object.entries(added)) counts[name] = (counts[name] ?? 0) + more;
  return JSON.stringify(counts);
}

/** Adds numbers to an import's counts. */
export async function addCounts(db: Db, importRow: number, added: Partial<ImportCounts>): Promise<void> {
  await db.lockRows('no key update', 'SELECT import_row FROM imports WHERE import_row = ?', [importRow]);
  const row = await one<CountsRow>(db, 'SELECT counts FROM imports WHERE import_row = ?', [importRow]);
  await db.run('UPDATE imports SET counts = ? WHERE import_row = ?', [sumOf(row, added), importRow]);
}
