import type { Db } from '../db/db.ts';

const write = `
  INSERT INTO meta (key, value) VALUES (?, '1')
  ON CONFLICT (key) DO UPDATE SET value = CASE WHEN meta.value = '1' THEN '2' ELSE '1' END
  RETURNING value`;

/**
 * Health check: writes one row and reads it back. Each counter slot has its own row, so that nodes don't wait for each
 * other's transactions.
 */
export async function ping(db: Db): Promise<void> {
  await db.get(write, [`ping ${db.counterSlot()}`]);
}
