import { one } from '../../db/db.ts';
import type { Read, Write } from '../../db/statements.ts';

const saltOfDay = 'SELECT salt FROM visitor_salts WHERE day = ?';

export const visitorSalt: Read<'visitorSalt'> = async (db, day) =>
  (await db.get<{ salt: Uint8Array }>(saltOfDay, [day]))?.salt;

const insertSalt = 'INSERT INTO visitor_salts (day, salt) VALUES (?, ?) ON CONFLICT (day) DO NOTHING';
// Overwrites the salt first, because the bytes of a deleted row may remain readable in the file.
const overwrite = 'UPDATE visitor_salts SET salt = ? WHERE day < ? OR day > ?';
const deleteOthers = 'DELETE FROM visitor_salts WHERE day < ? OR day > ?';
const zeros = new Uint8Array(16);

/**
 * Stores a day's salt, unless the day already has one. Also deletes the salts for days before today, and for days after
 * tomorrow, which a wrong clock created.
 * @returns the stored salt
 */
export const storeVisitorSalt: Write<'storeVisitorSalt'> = async (db, day, salt, today) => {
  await db.run(overwrite, [zeros, today, today + 1]);
  await db.run(deleteOthers, [today, today + 1]);
  await db.run(insertSalt, [day, salt]);
  return (await one<{ salt: Uint8Array }>(db, saltOfDay, [day])).salt;
};
