import { type Db, one } from '../../db/db.ts';

const ofDay = 'SELECT salt FROM visitor_salts WHERE day = ?';

/** The secret by which the visitors of a day are distinguished. @param day since the epoch, UTC */
export async function visitorSalt(db: Db, day: number): Promise<Uint8Array | undefined> {
  return (await db.get<{ salt: Uint8Array }>(ofDay, [day]))?.salt;
}

const keep = 'INSERT INTO visitor_salts (day, salt) VALUES (?, ?) ON CONFLICT (day) DO NOTHING';
// Over the bytes of the secret: a row that is only removed may stay readable in the file.
const overwrite = 'UPDATE visitor_salts SET salt = ? WHERE day < ? OR day > ?';
const forget = 'DELETE FROM visitor_salts WHERE day < ? OR day > ?';
const nothing = new Uint8Array(16);

/**
 * Keeps a secret for a day, unless it has one, and forgets those of other days.
 * @param today days before it are past; those after tomorrow are of a clock that was wrong
 * @returns the secret that all processes use
 */
export async function storeVisitorSalt(
  db: Db,
  day: number,
  salt: Uint8Array,
  today: number,
): Promise<Uint8Array> {
  await db.run(overwrite, [nothing, today, today + 1]);
  await db.run(forget, [today, today + 1]);
  await db.run(keep, [day, salt]);
  return (await one<{ salt: Uint8Array }>(db, ofDay, [day])).salt;
}
