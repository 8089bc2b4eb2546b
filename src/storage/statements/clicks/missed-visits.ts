import {
  type MissedVisit,
  type MissReason,
  type UnknownCode,
  uncountedReasons,
} from '../../../model/clicks/missed-visits.ts';
import { idText } from '../../../model/ids.ts';
import { idBytes } from '../../db/ids.ts';
import { queryInGroups } from '../../db/in-groups.ts';
import type { Read, Write } from '../../db/statements.ts';

/**
 * Maximum number of rows per day, for links and for codes, so that a client that guesses codes cannot fill the disk.
 * Above this number, only the rows with the most visits are retained.
 */
const maxRowsOfDay = 10_000;

const deleted = uncountedReasons.indexOf('deleted');
const excluded = uncountedReasons.indexOf('excluded');
const addToLink = 'INSERT INTO missed_visits (account_id, day, link_row, reason, visits)';
const sumOfLink = `ON CONFLICT (account_id, day, link_row, reason)
  DO UPDATE SET visits = missed_visits.visits + excluded.visits`;
const addToCode = 'INSERT INTO unknown_codes (day, code, visits)';
const sumOfCode = 'ON CONFLICT (day, code) DO UPDATE SET visits = unknown_codes.visits + excluded.visits';

// Rows are written in a fixed order, so that concurrent processes cannot deadlock.
const linkStatements = {
  columns: { link_row: 'integer', reason: 'integer', visits: 'integer' },
  one: `${addToLink} SELECT account_id, ?, link_row, ?, ? FROM links WHERE link_row = ? ${sumOfLink}`,
  bulk: `${addToLink} SELECT l.account_id, CAST(? AS BIGINT), l.link_row, g.reason, g.visits
    FROM input g JOIN links l ON l.link_row = g.link_row ORDER BY 1, 3, 4 ${sumOfLink}`,
} as const;
const codeColumns = { code: 'text', visits: 'integer' } as const;
const deletedCodeStatements = {
  one: `${addToLink} SELECT account_id, ?, link_row, ${deleted}, ? FROM codes WHERE key = ? AND live = 0 ${sumOfLink}`,
  bulk: `${addToLink} SELECT c.account_id, CAST(? AS BIGINT), c.link_row, ${deleted}, g.visits
    FROM input g JOIN codes c ON c.key = g.code WHERE c.live = 0 ORDER BY 1, 3 ${sumOfLink}`,
} as const;
const unknownCodeStatements = {
  one: `${addToCode} SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM codes WHERE key = ?) ${sumOfCode}`,
  bulk: `${addToCode} SELECT CAST(? AS BIGINT), g.code, g.visits FROM input g
    WHERE NOT EXISTS (SELECT 1 FROM codes c WHERE c.key = g.code) ORDER BY 2 ${sumOfCode}`,
} as const;

const deletions = ['missed_visits', 'unknown_codes'].map((table) => `DELETE FROM ${table} WHERE day < ?`);
const limits = [
  { table: 'missed_visits', key: 'account_id, day, link_row, reason' },
  { table: 'unknown_codes', key: 'day, code' },
].map(({ table, key }) => ({
  isExceeded: `SELECT 1 AS found FROM ${table} WHERE day = ? LIMIT 1 OFFSET ${maxRowsOfDay}`,
  cut: `DELETE FROM ${table} WHERE (${key}) IN (
    SELECT ${key} FROM ${table} WHERE day = ? ORDER BY visits DESC, ${key} LIMIT 1000000 OFFSET ${maxRowsOfDay})`,
}));

export const addMissedVisits: Write<'addMissedVisits'> = async (db, day, { links, codes }, firstKept) => {
  for (const sql of deletions) await db.run(sql, [firstKept]);
  await db.bulk<number>(
    {
      columns: linkStatements.columns,
      values: links.flatMap(({ row, reason, visits }) => [row, reason, visits]),
    },
    (row = 0, reason = 0, visits = 0) => db.run(linkStatements.one, [day, reason, visits, row]),
    linkStatements.bulk,
    [day],
  );
  const values = codes.flatMap(({ code, visits }) => [code, visits]);
  await db.bulk<number | string>(
    { columns: codeColumns, values },
    (code = '', visits = 0) => db.run(deletedCodeStatements.one, [day, visits, code]),
    deletedCodeStatements.bulk,
    [day],
  );
  await db.bulk<number | string>(
    { columns: codeColumns, values },
    (code = '', visits = 0) => db.run(unknownCodeStatements.one, [day, code, visits, code]),
    unknownCodeStatements.bulk,
    [day],
  );
  for (const { isExceeded, cut } of limits) {
    if ((await db.get(isExceeded, [day])) !== undefined) await db.run(cut, [day]);
  }
};

const missedOfAccount = (also: string): string => `
  SELECT l.id, l.code, d.host, m.reason, m.visits, m.last_day AS "lastDay"
  FROM (
    SELECT link_row, reason, CAST(SUM(visits) AS BIGINT) AS visits, MAX(day) AS last_day
    FROM missed_visits WHERE account_id = ? AND day >= ? AND reason <> ${excluded}${also}
    GROUP BY link_row, reason ORDER BY visits DESC, link_row, reason LIMIT ?
  ) AS m JOIN links l ON l.link_row = m.link_row LEFT JOIN domains d ON d.space = l.space
  ORDER BY m.visits DESC, m.link_row, m.reason`;
type MissedVisitRow = Omit<MissedVisit, 'linkId' | 'reason'> & { id: Uint8Array; reason: number };
const ofOneLink = ' AND link_row = (SELECT link_row FROM links WHERE id = ?)';

export const missedVisits: Read<'missedVisits'> = async (db, accountId, firstDay, limit, linkId) => {
  const [also, link] = linkId === undefined ? ['', []] : [ofOneLink, [idBytes(linkId)]];
  const params = [accountId, firstDay, ...link, limit];
  const rows = await db.all<MissedVisitRow>(missedOfAccount(also), params);
  return rows.map(({ id, reason, ...row }) => ({
    ...row,
    linkId: idText(id),
    reason: (uncountedReasons[reason] ?? 'deleted') as MissReason,
  }));
};

// Uses CROSS JOIN so that SQLite looks up the links instead of reading all of the account's visits of that day.
const excludedOfLinks = (ids: string): string => `
  SELECT l.id, m.visits FROM links l CROSS JOIN missed_visits m
  WHERE m.account_id = l.account_id AND m.link_row = l.link_row AND m.reason = ${excluded}
    AND l.account_id = ? AND m.day = ? AND l.id IN (${ids})`;

export const excludedVisits: Read<'excludedVisits'> = async (db, accountId, day, linkIds) => {
  const ids = linkIds.map(idBytes);
  const rows = await queryInGroups<{ id: Uint8Array; visits: number }>(
    db,
    excludedOfLinks,
    [accountId, day],
    ids,
  );
  return new Map(rows.map(({ id, visits }) => [idText(id), visits]));
};

const topUnknownCodes = `
  SELECT COALESCE((SELECT d.host || '/' || substr(u.code, length(d.space) + 1) FROM domains d
      WHERE u.code LIKE d.space || '%'), u.code) AS code, u.visits, u.last_day AS "lastDay"
  FROM (
    SELECT code, CAST(SUM(visits) AS BIGINT) AS visits, MAX(day) AS last_day FROM unknown_codes WHERE day >= ?
    GROUP BY code ORDER BY visits DESC, code LIMIT ?
  ) AS u ORDER BY u.visits DESC, u.code`;

export const unknownCodes: Read<'unknownCodes'> = async (db, firstDay, limit) =>
  (await db.all<UnknownCode>(topUnknownCodes, [firstDay, limit])).map((row) => ({ ...row }));

export const missedVisitReads = { missedVisits, excludedVisits, unknownCodes };
