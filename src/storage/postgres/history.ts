import type { Db } from '../db/db.ts';

/** The row of `meta` that names the history of this database. */
export const historyKey = 'history';

/** Which copy of files a server has, and which database of it: the same on a primary and its standbys. */
export const identity = `
  SELECT CAST(system_identifier AS TEXT) || '.' || CAST(oid AS TEXT) AS identity
  FROM pg_control_system(), pg_database WHERE datname = current_database()`;

const nameIt = `
  INSERT INTO meta (key, value)
  SELECT '${historyKey}', left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || '/' || here.identity || '/' ||
    CAST(gen_random_uuid() AS TEXT)
  FROM (${identity}) AS here
  ON CONFLICT (key) DO UPDATE SET value = excluded.value
  WHERE left(meta.value, -36) <> left(excluded.value, -36)`;

/**
 * Gives the history of a primary a name, unless it has one. A promoted standby begins a new history: what its old
 * primary wrote last may not be part of it. A standby that has the name has replayed the log of the primary that
 * gave it, and of no other; positions in the log alone do not tell, as both go on from the same one.
 */
export async function nameHistory(primary: Db): Promise<void> {
  await primary.run(nameIt, []);
}

/** Whether a name is that of the timeline on which the primary is. */
export function isOfTimeline(history: string | null, timeline: string): history is string {
  return history?.startsWith(`${timeline}/`) ?? false;
}

/** Whether a name was given in this database. @param here as `identity` finds it */
export function isOfDatabase(history: string, here: string): boolean {
  return history.split('/')[1] === here;
}
