import type { LimitUse } from '../../../model/accounts/limits.ts';
import { queryInGroups } from '../../db/in-groups.ts';
import type { Write } from '../../db/statements.ts';

const useColumns = { name: 'text', uses: 'integer' } as const;
const upsertUses = `
  INSERT INTO limit_uses (name, uses, since, node) VALUES (?, ?, ?, ?)
  ON CONFLICT (since, name, node) DO UPDATE SET uses = excluded.uses`;
const upsertManyUses = `
  INSERT INTO limit_uses (name, uses, since, node)
  SELECT g.name, g.uses, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM input g
  ON CONFLICT (since, name, node) DO UPDATE SET uses = excluded.uses`;
const usesOfOtherNodes = (names: string): string => `
  SELECT name, CAST(SUM(uses) AS BIGINT) AS uses FROM limit_uses
  WHERE since = ? AND node <> ? AND name IN (${names}) GROUP BY name`;

export const shareUses: Write<'shareUses'> = async (db, node, since, uses) => {
  const upsert = (...[name = '', count = 0]: (string | number)[]) =>
    db.run(upsertUses, [name, count, since, node]);
  const values = uses.flatMap((use) => [use.name, use.uses]);
  await db.bulk({ columns: useColumns, values }, upsert, upsertManyUses, [since, node]);
  const names = uses.map(({ name }) => name);
  const others = await queryInGroups<LimitUse>(db, usesOfOtherNodes, [since, node], names);
  return others.map(({ name, uses: count }) => ({ name, uses: count }));
};

const deleteOld = 'DELETE FROM limit_uses WHERE since < ?';

export const deleteOldUses: Write<'deleteOldUses'> = async (db, before) => {
  await db.run(deleteOld, [before]);
};

export const limitUseWrites = { shareUses, deleteOldUses };
