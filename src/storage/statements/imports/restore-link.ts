import { Failure } from '../../../model/failures.ts';
import { comparedFields } from '../../../model/links/link-field-values.ts';
import type { LinkChange } from '../../../model/links/link-records.ts';
import type { Db } from '../../db/db.ts';
import { revisionEvents } from '../events/read.ts';
import { findTags } from '../finding/link-tags.ts';
import { updateLink } from '../links/links.ts';

const setImportedAt = `
  UPDATE import_links SET imported_at = ? WHERE source_row = ? AND link_row = (SELECT link_row FROM links WHERE id = ?)`;

interface ChangedLink {
  readonly accountId: number;
  readonly sourceRow: number;
  readonly id: string;
  readonly idBytes: Uint8Array;
  /** The revision that the import created. */
  readonly revision: number;
}

/**
 * Restores the values that a link had before an import changed it, if nobody has changed it since. Deleted tags are
 * not created again.
 * @returns true if the link was restored
 */
export async function restoreImportedLink(db: Db, changed: ChangedLink, now: number): Promise<boolean> {
  const { accountId, id, revision } = changed;
  const [event] = await revisionEvents(db, accountId, id, revision);
  if (event?.revision !== revision || event.was === null) return false;
  const { was } = event;
  const fields = comparedFields.filter((name) => name in was).map((name) => [name, was[name]]);
  const names = (was['tags'] ?? []) as readonly string[];
  const choice = { tags: names.map((name) => ({ id: '', name })), at: now, limit: 0 };
  const existingTags = 'tags' in was ? await findTags(db, accountId, choice) : undefined;
  const change: LinkChange = {
    ...Object.fromEntries(fields),
    // An import sets a password only on links without one, so the previous value is always null.
    ...('password' in was && { password: null }),
    ...(existingTags && {
      tags: { ...choice, tags: choice.tags.filter((_, at) => existingTags[at] !== undefined) },
    }),
  };
  await db.run('SAVEPOINT give_back', []);
  try {
    const after = await updateLink(db, accountId, id, change, now, [revision]);
    // Marks the link as unchanged for the import that created it.
    if (after !== undefined)
      await db.run(setImportedAt, [after.updatedAt, changed.sourceRow, changed.idBytes]);
    return after !== undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'STORAGE_UNAVAILABLE') throw error;
    await db.run('ROLLBACK TO SAVEPOINT give_back', []);
    return false;
  } finally {
    await db.run('RELEASE SAVEPOINT give_back', []);
  }
}
