import {
  type Import,
  type ImportCounts,
  type ImportedLine,
  type ImportState,
  importNotFound,
  wrongImportState,
} from '../../../model/imports/imports.ts';
import { type Db, one } from '../../db/db.ts';
import { idBytes, idTextOrNull } from '../../db/ids.ts';
import type { Read, Write } from '../../db/statements.ts';
import { countsIn, sumOf } from '../clicks/import-counts.ts';
import { appendEvent, sparseFields } from '../events/append.ts';

/** A row of `imports`, with the name of its source. */
export interface ImportRow {
  readonly import_row: number;
  readonly source_row: number;
  readonly account_id: number;
  readonly id: Uint8Array;
  readonly name: string;
  readonly instance: string | null;
  readonly installation: string | null;
  readonly read_at: number;
  readonly on_conflict: Import['onConflict'];
  readonly domain: string | null;
  readonly state: ImportState;
  readonly position: number;
  /** Progress of the background work after all lines were read: a line or a day. */
  readonly progress: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly counts: string;
}

const columns = `i.import_row, i.source_row, i.account_id, i.id, s.name, i.instance, i.installation, i.read_at, i.on_conflict, i.domain,
  i.state, i.position, i.progress, i.created_at, i.updated_at, i.counts`;
const from = `SELECT ${columns} FROM imports i JOIN import_sources s ON s.source_row = i.source_row`;

function importOf(row: ImportRow): Import {
  return {
    id: idTextOrNull(row.id) ?? '',
    source: row.name,
    instance: row.instance,
    installation: row.installation,
    readAt: row.read_at,
    onConflict: row.on_conflict,
    domain: row.domain,
    state: row.state,
    position: row.position,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    counts: countsIn(row),
  };
}

export const imports: Read<'imports'> = async (db, accountId, limit) => {
  const sql = `${from} WHERE i.account_id = ? ORDER BY i.import_row DESC LIMIT ?`;
  return (await db.all<ImportRow>(sql, [accountId, limit])).map(importOf);
};

export const readImport: Read<'import'> = async (db, accountId, id) => {
  const row = await db.get<ImportRow>(`${from} WHERE i.id = ? AND i.account_id = ?`, [
    idBytes(id),
    accountId,
  ]);
  return row && importOf(row);
};

/** Locks an import until the transaction ends. @throws Failure IMPORT_NOT_FOUND, IMPORT_STATE */
export async function lockImport(
  db: Db,
  accountId: number,
  id: string,
  states: readonly ImportState[],
): Promise<ImportRow> {
  const named = [idBytes(id), accountId];
  await db.lockRows('no key update', 'SELECT import_row FROM imports WHERE id = ? AND account_id = ?', named);
  const row = await db.get<ImportRow>(`${from} WHERE i.id = ? AND i.account_id = ?`, named);
  if (row === undefined) throw importNotFound();
  if (!states.includes(row.state)) throw wrongImportState(row.state);
  return row;
}

type ImportChange = Partial<Pick<ImportRow, 'state' | 'position' | 'progress'>> & {
  /** Numbers to add to the import's current counts. */
  readonly counts?: Partial<ImportCounts>;
};

/** Changes an import. Its row must be locked. */
export async function changeImport(
  db: Db,
  before: ImportRow,
  change: ImportChange,
  now: number,
): Promise<Import> {
  const after: ImportRow = {
    ...before,
    ...change,
    counts: sumOf(before, change.counts ?? {}),
    updated_at: Math.max(before.updated_at, now),
  };
  await db.run(
    'UPDATE imports SET state = ?, position = ?, progress = ?, counts = ?, updated_at = ? WHERE import_row = ?',
    [after.state, after.position, after.progress, after.counts, after.updated_at, after.import_row],
  );
  return importOf(after);
}

export const createImport: Write<'createImport'> = async (
  db,
  accountId,
  { id, source, instance, installation, readAt, onConflict, domain, createdAt },
) => {
  const sourceByName = 'SELECT source_row FROM import_sources WHERE account_id = ? AND name = ?';
  await db.run('INSERT INTO import_sources (account_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING', [
    accountId,
    source,
  ]);
  // Makes concurrent calls for the same source wait for each other.
  await db.lockRows('no key update', sourceByName, [accountId, source]);
  const { source_row } = await one<{ source_row: number }>(db, sourceByName, [accountId, source]);
  const open = await db.get<ImportRow>(
    `${from} WHERE i.account_id = ? AND i.source_row = ? AND i.state IN ('open', 'paused') AND i.read_at = ?
       AND i.instance IS NOT DISTINCT FROM ? AND i.installation IS NOT DISTINCT FROM ? ORDER BY i.import_row DESC LIMIT 1`,
    [accountId, source_row, readAt, instance, installation],
  );
  if (open !== undefined) return { found: importOf(open), isNew: false };
  await db.run(
    `INSERT INTO imports (id, account_id, source_row, instance, installation, read_at, on_conflict, domain, state, position,
       progress, created_at, updated_at, counts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'open', 0, 0, ?, ?, '{}')`,
    [
      ...[idBytes(id), accountId, source_row, instance, installation],
      ...[readAt, onConflict, domain, createdAt, createdAt],
    ],
  );
  const body = sparseFields({ source, instance, domain, onConflict });
  await appendEvent(db, { accountId, name: 'import.created', at: createdAt, targetId: id, body });
  return { found: importOf(await lockImport(db, accountId, id, ['open'])), isNew: true };
};

export const pauseImport: Write<'pauseImport'> = async (db, accountId, id, isPaused, now) => {
  const row = await lockImport(db, accountId, id, ['open', 'paused']);
  const state = isPaused ? 'paused' : 'open';
  return state === row.state ? importOf(row) : changeImport(db, row, { state }, now);
};

const linesOfImport = `
  SELECT t.line, t.link_key, t.code, t.outcome, t.reason, t.link_id
  FROM imports i JOIN import_items t ON t.import_row = i.import_row
  WHERE i.id = ? AND i.account_id = ? AND t.line > ? ORDER BY t.line LIMIT ?`;

interface ItemRow extends Pick<ImportedLine, 'line' | 'code' | 'outcome' | 'reason'> {
  readonly link_key: string;
  readonly link_id: Uint8Array | null;
}

export const importedLines: Read<'importedLines'> = async (db, accountId, id, after, limit) => {
  const rows = await db.all<ItemRow>(linesOfImport, [idBytes(id), accountId, after, limit]);
  return rows.map(({ link_key: key, link_id, reason: reasons, ...row }) => {
    const [reason = '', ...mended] = reasons?.split('\n') ?? [];
    return { ...row, key, reason: reason === '' ? null : reason, mended, linkId: idTextOrNull(link_id) };
  });
};

export const importReads = { imports, import: readImport, importedLines };

export const importWrites = { createImport, pauseImport };
