import type { Reads } from '../../domain/storage.ts';
import type { Db } from '../db/db.ts';
import { accounts } from './accounts.ts';
import { appliedTo, rowsOf } from './clicks.ts';
import { holderOfCode } from './codes.ts';
import { folder, folders, usage } from './folders.ts';
import { findIdempotencyKey } from './idempotency.ts';
import { findKey, hasKeys, keys, keysOf } from './keys.ts';
import { deletedLinkByCode, deletedLinks, linkByCode, linkByExternalId } from './link-look-ups.ts';
import { findTarget, link, links, preview } from './link-reads.ts';
import { findLinks } from './link-search.ts';
import { missedVisits, unknownCodes } from './missed-visits.ts';
import { newest } from './newest.ts';
import { preferences } from './preferences.ts';
import { findLoginLink, findSession, sessions } from './sessions.ts';
import { sharedLink, shares } from './shares.ts';
import { tag, tags } from './tags.ts';
import { hasWork } from './upkeep.ts';
import { visitorSalt } from './visitor-salts.ts';

type Readers = {
  readonly [K in keyof Reads]: (db: Db, ...args: Parameters<Reads[K]>) => ReturnType<Reads[K]>;
};

const readers: Readers = {
  ...{
    findTarget,
    preview,
    link,
    linkByCode,
    linkByExternalId,
    links,
    findLinks,
    deletedLinks,
    deletedLinkByCode,
    newest,
    rowsOf,
  },
  ...{ tag, tags },
  ...{ folder, folders, usage, accounts, findKey, keys, keysOf, hasKeys },
  ...{ shares, sharedLink },
  ...{ findSession, sessions, findLoginLink, preferences, holderOfCode },
  ...{ appliedTo, findIdempotencyKey, hasWork, visitorSalt },
  ...{ missedVisits, unknownCodes },
};

/** The reads of `Storage`, asked of one connection. */
export function readsFrom(db: Db): Reads {
  const asking = (read: (db: Db, ...args: never[]) => unknown) => read.bind(undefined, db);
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, asking(read)]),
  ) as unknown as Reads;
}
