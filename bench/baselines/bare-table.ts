import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** Stores a destination under a code. @returns when it is on disk */
export type Store = (destination: string) => Promise<string>;

/**
 * Opens the minimum for storing links: one table with its index, as many rows as the service has links, and one
 * transaction per tick of the event loop.
 */
export function openBareTable(path: string, rows: number): Store {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = OFF;
    CREATE TABLE links (link_row INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, destination TEXT NOT NULL) STRICT;
    BEGIN`);
  const insert = database.prepare('INSERT INTO links (code, destination) VALUES (?, ?)');
  const add = (destination: string): string => {
    const code = randomBytes(9).toString('base64url');
    insert.run(code, destination);
    return code;
  };
  for (let row = 0; row < rows; row += 1) add(`https://example.com/spring/${row}`);
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous = FULL');

  let waiting: { readonly destination: string; readonly stored: (code: string) => void }[] = [];
  const commit = (): void => {
    const all = waiting;
    waiting = [];
    database.exec('BEGIN IMMEDIATE');
    const codes = all.map(({ destination }) => add(destination));
    database.exec('COMMIT');
    for (const [at, { stored }] of all.entries()) stored(codes[at] ?? '');
  };
  return (destination) =>
    new Promise((stored) => {
      waiting.push({ destination, stored });
      if (waiting.length === 1) setImmediate(commit);
    });
}
