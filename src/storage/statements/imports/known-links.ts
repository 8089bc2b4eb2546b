import type { Db } from '../../db/db.ts';
import { queryInGroups } from '../../db/in-groups.ts';
import type { ImportRow } from './imports.ts';

/** Context for importing a batch of lines. */
export interface ImportStep {
  readonly db: Db;
  readonly accountId: number;
  readonly row: ImportRow;
  readonly now: number;
}

/** A link that was previously imported from this source. */
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

/** The columns of a known link that are needed to import clicks. */
export type KnownLinkRow = Pick<KnownLink, 'key_hash' | 'link_row' | 'met' | 'counter'>;

const knownRows = (hashes: string): string => `
  SELECT m.key_hash, m.link_row, m.met, m.counter FROM import_links m WHERE m.source_row = ? AND m.key_hash IN (${hashes})`;
const knownLinks = (hashes: string): string => `
  SELECT m.key_hash, m.link_row, m.imported_at, m.recorded, m.met, m.counter, l.id, l.updated_at, l.deleted_at,
    l.destination, CASE WHEN l.password_hash IS NULL THEN 0 ELSE 1 END AS has_password
  FROM import_links m JOIN links l ON l.link_row = m.link_row WHERE m.source_row = ? AND m.key_hash IN (${hashes})`;

/** Finds previously imported links by the hashes of their keys (hex). */
export function findKnownLinks(step: ImportStep, hashes: readonly string[]) {
  return findByHash<KnownLink>(step, hashes, knownLinks);
}
export function findKnownRows(step: ImportStep, hashes: readonly string[]) {
  return findByHash<KnownLinkRow>(step, hashes, knownRows);
}

async function findByHash<K extends KnownLinkRow>(
  { db, row }: ImportStep,
  hashes: readonly string[],
  sql: (hashes: string) => string,
): Promise<ReadonlyMap<string, K>> {
  const bytes = hashes.map((hash) => Uint8Array.fromHex(hash));
  const rows = await queryInGroups<K>(db, sql, [row.source_row], bytes);
  return new Map(rows.map((known) => [known.key_hash.toHex(), known]));
}
