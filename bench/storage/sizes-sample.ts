/** Runs a statement with `$1, $2, …`. */
export type Run = (
  sql: string,
  values?: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const folderCount = 1_000;

/** Returns eight letters of the code alphabet: unique per number, and scattered like random codes. */
function codeOf(column: string): string {
  const scattered = `((${column} * 8600000011) % 377801998336)`;
  const letters = Array.from(
    { length: 8 },
    (_, place) =>
      `substr('23456789bcdfghjkmnpqrstvwxyz', CAST(${scattered} / ${28 ** place} % 28 AS int) + 1, 1)`,
  );
  return letters.join(' || ');
}

/** Returns a UUIDv7, as bytes. */
function idOf(ms: string): string {
  return `decode(lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '9' || substr(md5(random()::text), 1, 15), 'hex')`;
}

/**
 * Inserts rows as the service does and in the same order: rows inserted out of index order leave free space on index
 * pages.
 */
function steps(links: number): readonly (readonly [step: string, ...statements: string[]])[] {
  return [
    [
      'Folders',
      `INSERT INTO accounts (name, created_at) VALUES ('sample', 0)`,
      `INSERT INTO folders (id, account_id, name, created_at, updated_at)
     SELECT ${idOf('1700000000000 + g')}, (SELECT max(id) FROM accounts), 'Folder ' || g, 0, 0
     FROM generate_series(1, ${folderCount}) g`,
    ],
    [
      'Links',
      `CREATE TEMP TABLE sample_folders AS SELECT id, account_id, row_number() OVER () - 1 AS place FROM folders`,
      // Half of them in folders, every third with a title, every tenth with an expiry.
      `INSERT INTO links (id, account_id, code, destination, title, expires_at, folder_id, created_at, updated_at)
     SELECT ${idOf('1750000000000 + g * 30')}, a.id, ${codeOf('CAST(g AS bigint)')},
       'https://shop-' || g % 97 || '.example.com/spring/' || ${codeOf('CAST(g AS bigint)')} || '/item-' || g || '?utm_source=mail&utm_campaign=' || g % 1000,
       CASE WHEN g % 3 = 0 THEN 'Spring item ' || g END, CASE WHEN g % 10 = 9 THEN 2500000000000 END,
       f.id, 1750000000000 + g * 30, 1750000000000 + g * 30
     FROM generate_series(1, ${links}) g
     CROSS JOIN (SELECT max(id) AS id FROM accounts) a
     LEFT JOIN sample_folders f ON f.place = g % ${2 * folderCount}
     ORDER BY g`,
    ],
    [
      'Codes',
      'INSERT INTO codes (key, account_id, link_row, live) SELECT code, account_id, link_row, 1 FROM links ORDER BY link_row',
    ],
    [
      'Clicks',
      `INSERT INTO link_clicks (link_row, account_id, total, last_hour)
     SELECT link_row, 1, 1 + link_row % 97, 486000 + link_row % 500 FROM links ORDER BY md5(link_row::text)`,
    ],
    [
      'Idempotency keys, changes',
      `INSERT INTO once (account_id, key, fingerprint, result, created_at)
     SELECT 1, gen_random_uuid()::text, md5(g::text) || md5(g::text), repeat('x', 400), 1750000000000 + g
     FROM generate_series(1, ${links / 10}) g`,
      `INSERT INTO change_log (kind, name) SELECT 'target', ${codeOf('CAST(g AS bigint)')} FROM generate_series(1, ${links / 10}) g`,
    ],
  ];
}

/** Fills an empty, migrated database, and counts its rows. */
export async function fill(run: Run, links: number, told: (step: string) => void): Promise<void> {
  for (const [step, ...statements] of steps(links)) {
    told(step);
    for (const statement of statements) await run(statement);
  }
  told('Vacuum');
  await run('VACUUM ANALYZE');
}

/** Links that are clicked now: distributed over the table, as popular links have all ages. */
export async function hotRowsIn(run: Run, count: number): Promise<readonly number[]> {
  const found = await run('SELECT link_row FROM links ORDER BY md5(link_row::text) LIMIT $1', [count]);
  return found.map((row) => Number(row['link_row'])).sort((a, b) => a - b);
}
