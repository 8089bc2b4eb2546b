import type { Db } from '../../db/db.ts';
import type { ImportRow } from './imports.ts';

/** A batch of lines that is taken. */
export interface Taking {
  readonly db: Db;
  readonly accountId: number;
  readonly row: ImportRow;
  readonly now: number;
}

/** A link of the source that is there already. */
export interface Known {
  readonly key_hash: Uint8Array;
  readonly link_row: number;
  readonly imported_at: number;
  readonly id: Uint8Array;
  readonly updated_at: number;
  readonly deleted_at: number | null;
  readonly code: string;
  readonly space: string;
  readonly destination: string;
  readonly has_password: number;
  /** Domain and code at the source; null for links that older versions imported. */
  readonly recorded: string | null;
  /** The last import whose file has a line for it; negative if that import refused the line. */
  readonly met: number;
  /** The largest counter that the source showed of it. */
  readonly counter: number | null;
}

const hashesAtOnce = 64;
const knownLinks = `
  SELECT m.key_hash, m.link_row, m.imported_at, m.recorded, m.met, m.counter, l.id, l.updated_at, l.deleted_at, l.code,
    l.space, l.destination, CASE WHEN l.password_hash IS NULL THEN 0 ELSE 1 END AS has_password
  FROM import_links m JOIN links l ON l.link_row = m.link_row
  WHERE m.source_row = ? AND m.key_hash IN (${Array(hashesAtOnce).fill('?').join(', ')})`;

/** By their hashes as hex. */
export async function knownOf(
  { db, row }: Taking,
  hashes: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Known>> {
  const known = new Map<string, Known>();
  for (let at = 0; at < hashes.length; at += hashesAtOnce) {
    const group = hashes.slice(at, at + hashesAtOnce);
    const [filler = new Uint8Array(1)] = group;
    while (group.length < hashesAtOnce) group.push(filler);
    for (const one of await db.all<Known>(knownLinks, [row.source_row, ...group]))
      known.set(one.key_hash.toHex(), one);
  }
  return known;
}
