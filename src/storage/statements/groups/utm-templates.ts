import { limitReached } from '../../../model/failures.ts';
import { tagKey } from '../../../model/links/tags.ts';
import {
  maxUtmTemplates,
  type UtmTemplate,
  utmTemplateNameTaken,
  utmTemplateNotFound,
} from '../../../model/links/utm-templates.ts';
import type { Db } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { insertRow, plain, type Row, stored, uuid } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { lockAccount } from './link-counts.ts';

const storedTemplate = stored('', {
  id: uuid(),
  name: plain<string>(),
  utm: plain<string>(),
  createdAt: plain<number>(),
  updatedAt: plain<number>(),
});
const templatesOfAccount = `SELECT ${storedTemplate.columns} FROM utm_templates WHERE account_id = ? ORDER BY key`;

export const utmTemplates: Read<'utmTemplates'> = async (db, accountId) =>
  (await db.all<Row>(templatesOfAccount, [accountId])).map(storedTemplate.of);

/**
 * Returns the account's templates like {@link utmTemplates}, but also makes other writes to them wait until the
 * transaction ends.
 */
async function lockTemplates(db: Db, accountId: number): Promise<readonly UtmTemplate[]> {
  await lockAccount(db, accountId);
  return utmTemplates(db, accountId);
}

function requireFreeName(known: readonly UtmTemplate[], name: string, id: string): void {
  const holder = known.find((one) => one.id !== id && tagKey(one.name) === tagKey(name));
  if (holder !== undefined) throw utmTemplateNameTaken(holder.name);
}

export const createUtmTemplate: Write<'createUtmTemplate'> = async (db, accountId, template) => {
  const known = await lockTemplates(db, accountId);
  const { id, name } = template;
  if (known.length >= maxUtmTemplates) throw limitReached('utmTemplates', maxUtmTemplates);
  requireFreeName(known, name, id);
  const row = { ...storedTemplate.values(template), account_id: accountId, key: tagKey(name) };
  await insertRow(db, 'utm_templates', row);
  return template;
};

const update = `
  UPDATE utm_templates SET name = ?, key = ?, utm = ?, updated_at = ? WHERE account_id = ? AND id = ?`;

/** Updates a UTM template. If the values are the same as before, nothing changes. */
export const updateUtmTemplate: Write<'updateUtmTemplate'> = async (db, accountId, id, change, now) => {
  const known = await lockTemplates(db, accountId);
  const before = known.find((one) => one.id === id);
  if (before === undefined) throw utmTemplateNotFound();
  const { name = before.name, utm = before.utm } = change;
  if (name === before.name && utm === before.utm) return before;
  requireFreeName(known, name, id);
  const after = { ...before, name, utm, updatedAt: Math.max(before.updatedAt, now) };
  await db.run(update, [name, tagKey(name), utm, after.updatedAt, accountId, idBytes(id)]);
  return after;
};

const deleteTemplate = 'DELETE FROM utm_templates WHERE account_id = ? AND id = ?';

export const deleteUtmTemplate: Write<'deleteUtmTemplate'> = async (db, accountId, id) =>
  (await db.run(deleteTemplate, [accountId, idBytes(id)])) > 0;

export const utmTemplateWrites = { createUtmTemplate, updateUtmTemplate, deleteUtmTemplate };
