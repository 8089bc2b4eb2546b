import { idText } from '../../../model/ids.ts';
import type { DestinationCheck, DueDestination } from '../../../model/links/destination-checks.ts';
import { type Db, getLocked, one } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { queryInGroups } from '../../db/in-groups.ts';
import type { Read, Write } from '../../db/statements.ts';
import { updateLink } from './links.ts';
import { appendLinkEvent } from './record.ts';

interface CheckRow extends Omit<DestinationCheck, 'state'> {
  seen: string | null;
  state: DestinationCheck['state'] | null;
}

interface DueRow extends CheckRow {
  row: number;
  id: Uint8Array;
  accountId: number;
  destination: string;
  title: string | null;
  isGone: number;
  isLive: number;
  total: number;
  clicks: number;
}

const checkColumns = `c.destination AS seen, c.state, c.problem, c.notice, c.status, c.redirects, c.since,
    c.certificate_ends_at AS "certificateEndsAt", c.checked_at AS "checkedAt"`;
const due = `
  SELECT c.link_row AS row, l.id, l.account_id AS "accountId", l.destination, l.title, c.clicks, COALESCE(k.total, 0) AS total, ${checkColumns},
    CASE WHEN l.deleted_at IS NULL THEN 0 ELSE 1 END AS "isGone",
    CASE WHEN l.disabled = 0 AND l.unwatched = 0 AND l.template = 0 AND COALESCE(l.expires_at, ?) > ? AND a.suspended_at IS NULL
        AND a.unwatched = 0 THEN 1 ELSE 0 END AS "isLive"
  FROM destination_checks c JOIN links l ON l.link_row = c.link_row JOIN accounts a ON a.id = l.account_id
    LEFT JOIN link_clicks k ON k.link_row = c.link_row
  WHERE c.due_at <= ? ORDER BY c.due_at, c.link_row LIMIT ?`;

function checkOf(found: CheckRow): DestinationCheck | undefined {
  const { state, problem, notice, status, redirects, certificateEndsAt, since, checkedAt } = found;
  return state === null
    ? undefined
    : { state, problem, notice, status, redirects, certificateEndsAt, since, checkedAt };
}

export const dueDestinations: Read<'dueDestinations'> = async (db, now, limit) => {
  const rows = await db.all<DueRow>(due, [Number.MAX_SAFE_INTEGER, now, now, limit]);
  return rows.map((row) => ({
    row: row.row,
    accountId: row.accountId,
    linkId: idText(row.id),
    destination: row.destination,
    isDeleted: row.isGone === 1,
    isLive: row.isLive === 1,
    wantsTitle: row.title === null && row.state === null,
    before: row.seen === row.destination ? checkOf(row) : undefined,
    clicks: row.total,
    wasClicked: row.total > row.clicks,
  }));
};

const checksOfLinks = (ids: string): string => `
  SELECT l.id, ${checkColumns} FROM links l JOIN destination_checks c ON c.link_row = l.link_row
  WHERE c.destination = l.destination AND l.account_id = ? AND l.id IN (${ids})`;

export const destinationChecks: Read<'destinationChecks'> = async (db, accountId, linkIds) => {
  const ids = linkIds.map(idBytes);
  const rows = await queryInGroups<CheckRow & { id: Uint8Array }>(db, checksOfLinks, [accountId], ids);
  return new Map(
    rows.flatMap((row) => {
      const check = checkOf(row);
      return check === undefined ? [] : [[idText(row.id), check] as const];
    }),
  );
};

const failing = "SELECT COUNT(*) AS count FROM destination_checks WHERE state = 'failing'";

export const failingDestinations: Read<'failingDestinations'> = async (db) =>
  (await one<{ count: number }>(db, failing, [])).count;

const anyWork = `
  SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM destination_checks WHERE due_at <= ?)
    OR EXISTS (SELECT 1 FROM links WHERE link_row > ?)`;

export const hasDestinationWork: Read<'hasDestinationWork'> = async (db, after, now) =>
  (await db.get(anyWork, [now, after])) !== undefined;

const lastOfBatch = `
  SELECT MAX(link_row) AS last FROM (SELECT link_row FROM links WHERE link_row > ? ORDER BY link_row LIMIT ?) part`;
/**
 * Statement that adds missing checks. Spreads the first checks of old links over one day. New links are checked as soon
 * as possible.
 */
const insertChecks = `
  INSERT INTO destination_checks (link_row, account_id, due_at, clicks)
  SELECT l.link_row, l.account_id, CASE WHEN l.created_at > ? THEN ? ELSE ? + (l.link_row * 7919) % 86400 * 1000 END, 0
  FROM links l WHERE l.link_row > ? AND l.link_row <= ? AND l.deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM destination_checks c WHERE c.link_row = l.link_row)
  ON CONFLICT DO NOTHING`;
const newLinkMs = 3_600_000;

export const monitorDestinations: Write<'monitorDestinations'> = async (db, after, limit, now) => {
  const last = (await db.get<{ last: number | null }>(lastOfBatch, [after, limit]))?.last ?? undefined;
  if (last !== undefined) await db.run(insertChecks, [now - newLinkMs, now, now, after, last]);
  return last;
};

const deleteCheck = 'DELETE FROM destination_checks WHERE link_row = ?';
const postponeCheck = 'UPDATE destination_checks SET due_at = ? WHERE link_row = ?';
const updateCheck = `
  UPDATE destination_checks SET due_at = ?, clicks = ?, destination = ?, state = ?, problem = ?, notice = ?, status = ?,
    redirects = ?, certificate_ends_at = ?, since = ?, checked_at = ?
  WHERE link_row = ?`;

export const saveDestinationChecks: Write<'saveDestinationChecks'> = async (db, results) => {
  for (const { due, dueAt, check, title } of results) {
    const { row, destination, clicks } = due;
    if (due.isDeleted) await db.run(deleteCheck, [row]);
    else if (check === undefined) await db.run(postponeCheck, [dueAt, row]);
    else {
      const { state, problem, notice, status, redirects, certificateEndsAt, since, checkedAt } = check;
      const found = [state, problem, notice, status, redirects, certificateEndsAt, since, checkedAt];
      await db.run(updateCheck, [dueAt, clicks, destination, ...found, row]);
      await recordStateChange(db, due, check);
      if (title !== undefined) await setMissingTitle(db, due, title, checkedAt);
    }
  }
};

/** Appends an event when a destination starts failing or recovers. */
async function recordStateChange(
  db: Db,
  { before, accountId, linkId }: DueDestination,
  { state, problem, status, checkedAt: at }: DestinationCheck,
): Promise<void> {
  const isFailing = state === 'failing';
  if (isFailing === (before?.state === 'failing')) return;
  const name = isFailing ? 'destination.failing' : 'destination.recovered';
  const was = { destinationState: before?.state ?? null };
  const more = { destinationState: state, destinationProblem: problem, destinationStatus: status };
  await appendLinkEvent(db, { accountId, name, at, was }, linkId, more);
}

const titleByRow = 'SELECT title FROM links WHERE link_row = ? AND destination = ? AND deleted_at IS NULL';

/**
 * Sets the title only if the link still has no title and the same destination: the owner may have changed the link
 * while its destination was being checked.
 */
async function setMissingTitle(
  db: Db,
  { row, accountId, linkId, destination }: DueDestination,
  title: string,
  now: number,
): Promise<void> {
  const found = await getLocked<{ title: string | null }>(db, 'no key update', titleByRow, [
    row,
    destination,
  ]);
  if (found?.title === null) await updateLink(db, accountId, linkId, { title }, now);
}

export const destinationCheckReads = {
  dueDestinations,
  failingDestinations,
  destinationChecks,
  hasDestinationWork,
};

export const destinationCheckWrites = { monitorDestinations, saveDestinationChecks };
