import type { LimitUse } from '../../../model/accounts/limits.ts';
import type { Write } from '../../db/statements.ts';

const useColumns = { name: 'text', uses: 'integer' } as const;
const upsertUses = `
  INSERT INTO limit_uses (name, uses, since, node) VALUES (?, ?, ?, ?)
  ON CONFLICT (since, name, node) DO UPDATE SET uses = excluded.uses`;
const upsertManyUses = `
  INSERT INTO limit_uses (name, uses, since, node)
  SELECT g.name, g.uses, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM input g
  ON CONFLICT (since, name, node) DO UPDATE SET uses = excluded.uses`;
// One prepared statement for any number of names: the last group is padded with its first name.
const namesPerStatement = 64;
const usesOfOtherNodes = `
  SELECT name, CAST(SUM(uses) AS BIGINT) AS uses FROM limit_uses
  WHERE since = ? AND node <> ? AND name IN (${Array(namesPerStatement).fill('?').join(', ')})
  GROUP BY name`;

/**
 * Stores a node's total count for each name in the minute that begins at `since`. Totals replace earlier ones, so
 * reporting twice is harmless.
 * @returns the counts of all other nodes for these names; names without any are left out
 */
export const shareUses: Write<'shareUses'> = async (db, node, since, uses) => {
  const keep = (...[name = '', count = 0]: (string | number)[]) =>
    db.run(upsertUses, [name, count, since, node]);
  const values = uses.flatMap((use) => [use.name, use.uses]);
  await db.bulk({ columns: useColumns, values }, keep, upsertManyUses, [since, node]);
  const others: LimitUse[] = [];
  for (let at = 0; at < uses.length; at += namesPerStatement) {
    const names = uses.slice(at, at + namesPerStatement).map(({ name }) => name);
    const [filler = ''] = names;
    while (names.length < namesPerStatement) names.push(filler);
    others.push(...(await db.all<LimitUse>(usesOfOtherNodes, [since, node, ...names])));
  }
  return others.map(({ name, uses: count }) => ({ name, uses: count }));
};

const deleteOld = 'DELETE FROM limit_uses WHERE since < ?';

/** Deletes counts of minutes that began before the given time. */
export const deleteOldUses: Write<'deleteOldUses'> = async (db, before) => {
  await db.run(deleteOld, [before]);
};

export const limitUseWrites = { shareUses, deleteOldUses };
