import type { Reads } from '../../domain/storage.ts';
import type { Db } from '../db/db.ts';
import { accounts } from './accounts.ts';
import { appliedTo, rowsOf } from './clicks.ts';
import { folder, folders, usage } from './folders.ts';
import { findIdempotencyKey } from './idempotency.ts';
import { findKey, hasKeys, keys } from './keys.ts';
import { deletedLinkByCode, deletedLinks, linkByCode, linkByExternalId } from './link-look-ups.ts';
import { findTarget, link, links, preview } from './link-reads.ts';
import { newest } from './newest.ts';
import { hasWork } from './upkeep.ts';

/** The reads of `Storage`, asked of one connection. */
export function readsFrom(db: Db): Reads {
  return {
    findTarget: (foldedCode) => findTarget(db, foldedCode),
    preview: (row) => preview(db, row),
    findKey: (id) => findKey(db, id),
    link: (accountId, id) => link(db, accountId, id),
    linkByCode: (accountId, foldedCode) => linkByCode(db, accountId, foldedCode),
    linkByExternalId: (accountId, externalId) => linkByExternalId(db, accountId, externalId),
    deletedLinks: (accountId, limit, behind) => deletedLinks(db, accountId, limit, behind),
    deletedLinkByCode: (accountId, foldedCode) => deletedLinkByCode(db, accountId, foldedCode),
    links: (accountId, filter, limit, offset) => links(db, accountId, filter, limit, offset),
    folders: (accountId, limit, after) => folders(db, accountId, limit, after),
    folder: (accountId, id) => folder(db, accountId, id),
    newest: () => newest(db),
    usage: (accountId) => usage(db, accountId),
    keys: (account) => keys(db, account),
    accounts: () => accounts(db),
    hasKeys: () => hasKeys(db),
    appliedTo: (journal) => appliedTo(db, journal),
    findIdempotencyKey: (accountId, key, now) => findIdempotencyKey(db, accountId, key, now),
    rowsOf: (ids) => rowsOf(db, ids),
    hasWork: (work, before) => hasWork(db, work, before),
  };
}
