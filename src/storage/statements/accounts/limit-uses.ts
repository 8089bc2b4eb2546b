import type { LimitUse } from '../../../model/accounts/limits.ts';
import type { Db } from '../../db/db.ts';

const useColumns = { name: 'text', uses: 'integer' } as const;
const keepOne = `
  INSERT INTO limit_uses (name, uses, since, node) VALUES (?, ?, ?, ?)
  ON CONFLICT (since, name, node) DO UPDATE SET uses = excluded.uses`;
const keepBulk = `
  INSERT INTO limit_uses (name, uses, since, node)
  SELECT g.name, g.uses, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM input g
  ON CONFLICT (since, name, node) DO UPDATE SET uses = excluded.uses`;
// One prepared statement for any number of names: the last group is filled up with its first name.
const namesPerStatement = 64;
const ofOthers = `
  SELECT name, CAST(SUM(uses) AS BIGINT) AS uses FROM limit_uses
  WHERE since = ? AND node <> ? AND name IN (${Array(namesPerStatement).fill('?').join(', ')})
  GROUP BY name`;

/**
 * Keeps how much a node has counted of each name in the minute since `since`, all of it: to report it twice changes nothing.
 * @returns what all other nodes have reported of these names; without those that no other node reported
 */
export async function shareUses(
  db: Db,
  node: number,
  since: number,
  uses: readonly LimitUse[],
): Promise<readonly LimitUse[]> {
  const keep = (...[name = '', count = 0]: (string | number)[]) =>
    db.run(keepOne, [name, count, since, node]);
  const values = uses.flatMap((use) => [use.name, use.uses]);
  await db.bulk({ columns: useColumns, values }, keep, keepBulk, [since, node]);
  const others: LimitUse[] = [];
  for (let at = 0; at < uses.length; at += namesPerStatement) {
    const names = uses.slice(at, at + namesPerStatement).map(({ name }) => name);
    const [filler = ''] = names;
    while (names.length < namesPerStatement) names.push(filler);
    others.push(...(await db.all<LimitUse>(ofOthers, [since, node, ...names])));
  }
  return others.map(({ name, uses: count }) => ({ name, uses: count }));
}

const forget = 'DELETE FROM limit_uses WHERE since < ?';

/** Forgets what was counted in minutes that began before the given time. */
export async function deleteOldUses(db: Db, before: number): Promise<void> {
  await db.run(forget, [before]);
}
