import { idText } from '../../model/ids.ts';
import type { Db, Value } from '../db/db.ts';
import type { Dialect } from '../db/dialect.ts';
import { migrationStatusOf } from '../migrations/migrate.ts';
import { liveTags } from '../statements/finding/link-tags.ts';
import { folderIdOf } from '../statements/groups/deleted-folders.ts';
import { scopeOf } from '../statements/groups/link-counts.ts';
import { type DayRow, linkClickFindings, nameOfDay } from './link-clicks.ts';
import { isPlain, unicodeFindings } from './unicode-codes.ts';

/** Reports completed and total steps. */
export type OnProgress = (done: number, total: number) => void;

interface Check<R> {
  readonly sql: string;
  readonly params: readonly Value[];
  /** Describes the problem in a sentence for the operator. */
  readonly describe: (row: R) => string;
}

// Maximum findings per check. This many are enough to show the kind of damage; without a limit, a wrong counter in
// every folder could fill the screen.
export const maxPerCheck = 20;

function check<R>(sql: string, describe: (row: R) => string, params: readonly Value[] = []): Check<never> {
  return { sql: `${sql} LIMIT ${maxPerCheck}`, describe, params } as Check<never>;
}

interface CountRow {
  account_id: number;
  scope: Uint8Array;
  truth: number;
  counted: number;
}

function scopeName(scope: Uint8Array): string {
  if (scope.length !== 16 && scope.length > 1)
    return `links on the domain with the code space "${Buffer.from(scope).toString()}"`;
  if (scope.length === 16) return `links in folder or with tag ${idText(scope)}`;
  return scope[0] === 0 ? 'links' : 'links in no folder';
}

const statisticsChecks: readonly Check<never>[] = [
  check<DayRow>(
    `SELECT account_id, day FROM click_columns GROUP BY account_id, day, segment
     HAVING MIN(block) <> 0
       OR (COUNT(*) > 1 AND SUM(CASE WHEN block = 0 THEN clicks ELSE -clicks END) <> 0)`,
    (row) => `${nameOfDay(row)}: a statistics segment has missing or extra blocks.`,
  ),
  check<DayRow>(
    `SELECT r.account_id, r.day FROM click_rollups r LEFT JOIN (
       SELECT account_id, day, SUM(clicks) AS clicks FROM click_columns WHERE block = 0 AND source >= 0 GROUP BY account_id, day
     ) c ON c.account_id = r.account_id AND c.day = r.day
     WHERE r.clicks <> COALESCE(c.clicks, 0)`,
    (row) => `${nameOfDay(row)}: the statistics totals do not match their columns.`,
  ),
];

/**
 * Returns an SQL expression for the key of an ASCII-only code (see `codeKey`).
 * @param space expression for the key space of the code's domain
 */
function keyOf(space: string, code: string): string {
  return `${space} || CASE WHEN ${space} LIKE '%=' THEN ${code} ELSE lower(${code}) END`;
}
/**
 * SQL expression for the length of the key space. The key of an ASCII alias is the key space followed by the alias. A
 * non-ASCII alias may be longer than its key.
 */
const aliasSpace =
  'CASE WHEN length(c.key) > length(c.alias) THEN length(c.key) - length(c.alias) ELSE 0 END';
/**
 * SQL expression for the correct key of a row of `codes`, computed from its alias or, without an alias, from the link's
 * own code.
 */
const aliasKey = `CASE WHEN c.alias IS NULL THEN ${keyOf('l.space', 'l.code')}
  WHEN c.key LIKE '%=%' THEN substr(c.key, 1, ${aliasSpace}) || c.alias
  ELSE substr(c.key, 1, ${aliasSpace}) || lower(c.alias) END`;

function checks({ bytes }: Dialect): readonly Check<never>[] {
  return [
    check<CountRow>(
      `SELECT account_id, scope, CAST(SUM(truth) AS BIGINT) AS truth, CAST(SUM(counted) AS BIGINT) AS counted FROM (
       SELECT account_id, CAST(? AS ${bytes}) AS scope, COUNT(*) AS truth, 0 AS counted
         FROM links WHERE deleted_at IS NULL GROUP BY account_id
       UNION ALL
       SELECT account_id, COALESCE(${folderIdOf('links')}, CAST(? AS ${bytes})), COUNT(*), 0
         FROM links WHERE deleted_at IS NULL GROUP BY 1, 2
       UNION ALL
       SELECT account_id, CAST(space AS ${bytes}), COUNT(*), 0
         FROM links WHERE deleted_at IS NULL AND space <> '' GROUP BY 1, 2
       UNION ALL
       SELECT account_id, tag_id, COUNT(*), 0 FROM (${liveTags}) AS carried GROUP BY account_id, tag_id
       UNION ALL
       SELECT account_id, scope, 0, links FROM link_counts
     ) AS both_sides GROUP BY account_id, scope HAVING SUM(truth) <> SUM(counted)`,
      (row) =>
        `Account ${row.account_id} has ${row.truth} live ${scopeName(row.scope)}, but its counter is ${row.counted}.`,
      [scopeOf({ kind: 'all' }), scopeOf({ kind: 'none' })],
    ),
    check<{ code: string }>(
      `SELECT l.code FROM links l LEFT JOIN codes c ON c.key = ${keyOf('l.space', 'l.code')}
     WHERE l.deleted_at IS NULL AND ${isPlain('l.code')} AND (c.key IS NULL OR c.live = 0 OR c.link_row <> l.link_row)`,
      ({ code }) => `The code "${code}" does not resolve to the live link that has it.`,
    ),
    check<{ key: string }>(
      `SELECT c.key FROM codes c LEFT JOIN links l ON l.link_row = c.link_row
     WHERE c.live = 1 AND (l.link_row IS NULL OR l.deleted_at IS NOT NULL
       OR (${aliasKey} <> c.key AND ${isPlain('COALESCE(c.alias, l.code)')}))`,
      ({ key }) => `The code "${key}" resolves to a link that is deleted or has another code.`,
    ),
    check<{ key: string }>(
      `SELECT c.key FROM codes c JOIN links l ON l.link_row = c.link_row
     WHERE c.alias IS NOT NULL AND ((${aliasKey} <> c.key AND ${isPlain('c.alias')}) OR (c.live = 0 AND l.deleted_at IS NULL)
       OR ${keyOf('l.space', 'l.code')} = c.key)`,
      ({ key }) => `The alias "${key}" does not resolve to its link, or is the link's own code.`,
    ),
    check<{ key: string }>(
      `SELECT c.key FROM codes c JOIN links l ON l.link_row = c.link_row WHERE c.account_id <> l.account_id`,
      ({ key }) => `The code "${key}" and its link belong to different accounts.`,
    ),
    check<{ code: string }>(
      `SELECT l.code FROM links l LEFT JOIN codes c ON c.key = ${keyOf('l.space', 'l.code')}
     WHERE l.deleted_at IS NOT NULL AND ${isPlain('l.code')} AND (c.key IS NULL OR c.account_id <> l.account_id)`,
      ({ code }) => `The code "${code}" of a deleted link is not reserved for its account.`,
    ),
    check<{ code: string }>(
      `SELECT l.code FROM links l LEFT JOIN domains d ON d.space = l.space AND d.account_id = l.account_id
     WHERE l.space <> '' AND (d.space IS NULL OR (l.deleted_at IS NULL AND d.deleted_at IS NOT NULL))`,
      ({ code }) => `The link "${code}" is on a domain of another account.`,
    ),
    check<{ host: string }>(
      `SELECT d.host FROM domains d LEFT JOIN hosts h ON h.domain_row = d.domain_row AND h.host = d.host
     WHERE (d.status <> 'pending') <> (h.host IS NOT NULL)`,
      ({ host }) =>
        `The host "${host}" does not resolve to its verified domain, or resolves to an unverified one.`,
    ),
    check<{ code: string }>(
      `SELECT l.code FROM links l LEFT JOIN folders f ON f.account_id = l.account_id AND f.id = l.folder_id
     WHERE l.folder_id IS NOT NULL AND f.id IS NULL`,
      ({ code }) => `The link "${code}" is in a folder that does not exist in its account.`,
    ),
    check<{ link_row: number }>(
      `SELECT g.link_row FROM link_tags g LEFT JOIN links l ON l.link_row = g.link_row
     LEFT JOIN tags t ON t.tag_row = g.tag_row AND t.account_id = l.account_id WHERE t.tag_row IS NULL`,
      ({ link_row }) => `The link in row ${link_row} has a tag that does not exist in the link’s account.`,
    ),
    check<{ code: string; clicks: number }>(
      `SELECT l.code, r.clicks FROM recent_clicks r JOIN links l ON l.link_row = r.link_row WHERE r.clicks < 1`,
      ({ code, clicks }) => `The link "${code}" has ${clicks} recent clicks, but its account has none.`,
    ),
    check<{ code: string }>(
      `SELECT code FROM links WHERE password_hash NOT LIKE '$argon2id$v=19$m=%,t=%,p=%$%$%' AND password_hash NOT LIKE '$2_$__$%'`,
      ({ code }) =>
        `The stored password of the link "${code}" is not a valid hash, so no visitor can unlock the link.`,
    ),
    ...statisticsChecks,
  ];
}

/**
 * Finds inconsistent rows: counters, codes, references. Run it in a snapshot transaction, because counts from before
 * and after a write would contradict each other.
 */
export async function dataFindings(
  db: Db,
  dialect: Dialect,
  onProgress: OnProgress = () => {},
): Promise<string[]> {
  const all = checks(dialect);
  const findings: string[] = [];
  for (const [index, { sql, params, describe }] of all.entries()) {
    onProgress(index, all.length);
    findings.push(...(await db.all<never>(sql, params)).map(describe));
  }
  findings.push(...(await unicodeFindings(db, maxPerCheck)), ...(await linkClickFindings(db, maxPerCheck)));
  onProgress(all.length, all.length);
  return findings;
}

/** Checks that the database has this program's schema. @throws Error if it does not */
export async function requireSchema(db: Db, dialect: Dialect): Promise<void> {
  const { version, pending } = await migrationStatusOf(db, dialect);
  if (version === 0) throw new Error('The database is empty. Run: linkfold db migrate');
  if (pending.length > 0) throw new Error('The database has pending migrations. Run: linkfold db migrate');
}
