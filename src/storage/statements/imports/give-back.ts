import { Failure } from '../../../model/failures.ts';
import { comparedFields } from '../../../model/links/link-field-values.ts';
import type { LinkChange } from '../../../model/links/link-records.ts';
import type { Db } from '../../db/db.ts';
import { revisionEvents } from '../events/read.ts';
import { findTags } from '../finding/link-tags.ts';
import { updateLink } from '../links/links.ts';

const keepTime = `
  UPDATE import_links SET imported_at = ? WHERE source_row = ? AND link_row = (SELECT link_row FROM links WHERE id = ?)`;

interface Changed {
  readonly accountId: number;
  readonly sourceRow: number;
  readonly id: string;
  readonly idBytes: Uint8Array;
  /** The one that the import made. */
  readonly revision: number;
}

/**
 * Gives a link what it had before an import changed it, if nobody changed it since. Tags that are gone stay so.
 * @returns whether it has it
 */
export async function giveBack(db: Db, changed: Changed, now: number): Promise<boolean> {
  const { accountId, id, revision } = changed;
  const [event] = await revisionEvents(db, accountId, id, revision);
  if (event?.revision !== revision || event.was === null) return false;
  const { was } = event;
  const fields = comparedFields.filter((name) => name in was).map((name) => [name, was[name]]);
  const names = (was['tags'] ?? []) as readonly string[];
  const choice = { tags: names.map((name) => ({ id: '', name })), at: now, limit: 0 };
  const there = 'tags' in was ? await findTags(db, accountId, choice) : undefined;
  const change: LinkChange = {
    ...Object.fromEntries(fields),
    // An import gives a password to links that have none, and changes no other.
    ...('password' in was && { password: null }),
    ...(there && { tags: { ...choice, tags: choice.tags.filter((_, at) => there[at] !== undefined) } }),
  };
  await db.run('SAVEPOINT give_back', []);
  try {
    const after = await updateLink(db, accountId, id, change, now, [revision]);
    // To the import that made the link it is as it was.
    if (after !== undefined) await db.run(keepTime, [after.updatedAt, changed.sourceRow, changed.idBytes]);
    return after !== undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'STORAGE_UNAVAILABLE') throw error;
    await db.run('ROLLBACK TO SAVEPOINT give_back', []);
    return false;
  } finally {
    await db.run('RELEASE SAVEPOINT give_back', []);
  }
}
