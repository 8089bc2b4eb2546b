import { idleLifetimeMs, longestLifetimeMs } from '../../model/accounts/sessions.ts';
import { dayOf, lastSealedDay } from '../../model/clicks/click-days.ts';
import { eventWindowMs } from '../../model/clicks/events.ts';
import type { Upkeep } from '../../model/storage.ts';
import type { Value } from '../db/db.ts';
import type { Read } from '../db/statements.ts';
import { isKnownPiece } from './clicks/click-columns.ts';
import { hasEventsToTrim, isWaiting } from './clicks/event-window.ts';
import { hasHistoryToTrim } from './events/trim.ts';
import { hasChangedColumns, lacksLinks } from './finding/link-index.ts';
import { foldersToEmpty } from './groups/folders.ts';
import { idempotencyLifetimeMs } from './idempotency.ts';
import { importsToContinue, importToFold } from './imports/continue.ts';
import { expiredBefore, hasExpired } from './links/expiry.ts';
import { hasDeliveriesToTrim, trimmedBefore } from './webhooks/deliveries.ts';

/**
 * For each background task, a query that returns a row if the task has work to do. All queries use an index, because
 * PostgreSQL would otherwise scan dead rows that are not vacuumed yet.
 */
const workQueries: Readonly<Record<Upkeep, string>> = {
  rollUpClicks: 'SELECT link_row FROM recent_clicks ORDER BY link_row LIMIT 1',
  emptyFolders: `${foldersToEmpty} LIMIT 1`,
  emptyTags: 'SELECT tag_row FROM tags WHERE deleted = 1 ORDER BY account_id, tag_row LIMIT 1',
  deleteOldIdempotencyKeys: 'SELECT created_at FROM once WHERE created_at < ? OR created_at > ? LIMIT 1',
  indexLinks: lacksLinks,
  continueImports: importsToContinue,
  deleteOldUses: 'SELECT since FROM limit_uses WHERE since < ? LIMIT 1',
  foldClicks: `SELECT 1 AS found FROM (SELECT id FROM click_batches WHERE ${isWaiting} LIMIT 1) AS b
    UNION ALL SELECT 1 FROM (${importToFold}) AS i
    UNION ALL SELECT 1 FROM (SELECT link_row FROM link_clicks WHERE last_hour < 0 LIMIT 1) AS k
    UNION ALL SELECT 1 FROM (SELECT day FROM click_columns WHERE is_sealed = 0 AND day <= ? LIMIT 1) AS c
    UNION ALL SELECT 1 FROM (SELECT day FROM day_records WHERE day <= ? AND ${isKnownPiece} LIMIT 1) AS d`,
  pruneClicks: `SELECT 1 AS found FROM (SELECT day FROM click_columns WHERE day < ? LIMIT 1) AS c
    UNION ALL SELECT 1 FROM (SELECT day FROM day_records WHERE day < ? LIMIT 1) AS d`,
  deleteExpiredSessions: `SELECT 1 AS found FROM sessions WHERE last_seen_at < ? OR created_at < ?
    UNION ALL SELECT 1 FROM login_links WHERE expires_at < ?
    UNION ALL SELECT 1 FROM challenges WHERE expires_at < ? LIMIT 1`,
  trimEvents: hasEventsToTrim,
  trimHistory: hasHistoryToTrim,
  trimDeliveries: hasDeliveriesToTrim,
  recordExpirations: hasExpired,
  deleteOldMissedVisits: `SELECT 1 AS found FROM (SELECT day FROM missed_visits WHERE day < ? LIMIT 1) AS l
    UNION ALL SELECT 1 FROM (SELECT day FROM unknown_codes WHERE day < ? LIMIT 1) AS c`,
};

/**
 * Returns true if a background task has work to do. Call it before the task's write, so that an idle server writes
 * nothing.
 */
export const hasWork: Read<'hasWork'> = async (db, work, before = 0) => {
  const params: Readonly<Record<Upkeep, readonly Value[]>> = {
    rollUpClicks: [],
    emptyFolders: [before],
    emptyTags: [],
    // Also matches results dated in the future by a wrong clock: see `deleteOldIdempotencyKeys`.
    deleteOldIdempotencyKeys: [before, before + 2 * idempotencyLifetimeMs],
    indexLinks: [before],
    continueImports: [],
    deleteOldUses: [before],
    foldClicks: [lastSealedDay(before), lastSealedDay(before)],
    pruneClicks: [dayOf(before), dayOf(before)],
    deleteExpiredSessions: [before - idleLifetimeMs, before - longestLifetimeMs, before, before],
    trimEvents: [before - eventWindowMs, before + eventWindowMs, before - eventWindowMs],
    trimHistory: [before],
    trimDeliveries: trimmedBefore(before),
    recordExpirations: [expiredBefore(before)],
    deleteOldMissedVisits: [dayOf(before), dayOf(before)],
  };
  if (work === 'indexLinks' && db.hasSearchTable && (await db.get(hasChangedColumns, [before])) !== undefined)
    return true;
  return (await db.get(workQueries[work], params[work])) !== undefined;
};
