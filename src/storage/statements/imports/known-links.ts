import type { Db } from '../../db/db.ts';
import type { ImportRow } from './imports.ts';

/** A batch of lines being imported. */
export interface ImportStep {
  readonly db: Db;
  readonly accountId: number;
  readonly row: ImportRow;
  readonly now: number;
}

/** A link that was imported from this source before. */
export interface KnownLink {
  readonly key_hash: Uint8Array;
  readonly link_row: number;
  readonly imported_at: number;
  readonly id: Uint8Array;
  readonly updated_at: number;
  readonly deleted_at: number | null;
  readonly destination: string;
  readonly has_password: number;
  /** Domain and code in the source. */
  readonly recorded: string;
  /** The last import whose file includes the link; negative if that import rejected the line. */
  readonly met: number;
  /** The highest click count that the source reported. */
  readonly counter: number | null;
}

/** The columns that imported clicks need. */
export type KnownLinkRow = Pick<KnownLink, 'key_hash' | 'link_row' | 'met' | 'counter'>;

const hashesPerQuery = 64;
const byHashes = `m.source_row = ? AND m.key_hash IN (${Array(hashesPerQuery).fill('?').join(', ')})`;
const knownRows = `SELECT m.key_hash, m.link_row, m.met, m.counter FROM import_links m WHERE ${byHashes}`;
const knownLinks = `
  SELECT m.key_hash, m.link_row, m.imported_at, m.recorded, m.met, m.counter, l.id, l.updated_at, l.deleted_at,
    l.destination, CASE WHEN l.password_hash IS NULL THEN 0 ELSE 1 END AS has_password
  FROM import_links m JOIN links l ON l.link_row = m.link_row WHERE ${byHashes}`;

/** Finds links that were imported before, by the hashes of their keys (hex). */
export function findKnownLinks(
  taking: ImportStep,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, KnownLink>> {
  return found<KnownLink>(taking, hashes, knownLinks);
}
export function findKnownRows(
  taking: ImportStep,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, KnownLinkRow>> {
  return found<KnownLinkRow>(taking, hashes, knownRows);
}

async function found<K extends KnownLinkRow>(
  { db, row }: ImportStep,
  hashes: readonly string[],
  sql: string,
) {
  const known = new Map<string, K>();
  for (let at = 0; at < hashes.length; at += hashesPerQuery) {
    const group = hashes.slice(at, at + hashesPerQuery).map((hash) => Uint8Array.fromHex(hash));
    const [filler = new Uint8Array(1)] = group;
    while (group.length < hashesPerQuery) group.push(filler);
    for (const one of await db.all<K>(sql, [row.source_row, ...group])) known.set(one.key_hash.toHex(), one);
  }
  return known;
}
