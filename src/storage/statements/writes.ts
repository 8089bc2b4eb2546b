import type { Author } from '../../model/accounts/actors.ts';
import type { IdempotencyClaim, IdempotentResult } from '../../model/idempotency.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import type { Writes } from '../../model/storage.ts';
import type { Db } from '../db/db.ts';
import { accountWrites } from './accounts/accounts.ts';
import { brandingWrites } from './accounts/branding.ts';
import { identityWrites } from './accounts/identities.ts';
import { keyWrites } from './accounts/keys.ts';
import { limitUseWrites } from './accounts/limit-uses.ts';
import { memberWrites } from './accounts/members.ts';
import { setOperator } from './accounts/operators.ts';
import { passkeyWrites } from './accounts/passkeys.ts';
import { putPreferences } from './accounts/preferences.ts';
import { sessionWrites } from './accounts/sessions.ts';
import { certificateWrites } from './certificates.ts';
import { type WriteStatements, withEvents } from './changes/append-events.ts';
import { pruneClicks, writeColumns } from './clicks/click-columns.ts';
import { clickWrites } from './clicks/clicks.ts';
import { eventWindowWrites } from './clicks/event-window.ts';
import { addMissedVisits } from './clicks/missed-visits.ts';
import { rollUpClicks } from './clicks/recent-clicks.ts';
import { storeVisitorSalt } from './clicks/visitor-salts.ts';
import { domainWrites } from './domains/domains.ts';
import { trimHistory } from './events/trim.ts';
import { indexLinks } from './finding/link-index.ts';
import { folderWrites } from './groups/folders.ts';
import { tagWrites } from './groups/tags.ts';
import { utmTemplateWrites } from './groups/utm-templates.ts';
import { claim, deleteOldIdempotencyKeys } from './idempotency.ts';
import { importContinuationWrites } from './imports/continue.ts';
import { addImportLines } from './imports/import-lines.ts';
import { importWrites } from './imports/imports.ts';
import { acquireLease } from './leases.ts';
import { aliasWrites } from './links/aliases.ts';
import { bulkLinks } from './links/bulk.ts';
import { externalIdWrites } from './links/by-external-id.ts';
import { consumeClick } from './links/click-limits.ts';
import { destinationCheckWrites } from './links/destination-checks.ts';
import { recordExpirations } from './links/expiry.ts';
import { linkWrites } from './links/links.ts';
import { applyManifest } from './links/manifests.ts';
import { createUnlessExists } from './links/same-destination.ts';
import { shareWrites } from './links/shares.ts';
import { ping } from './ping.ts';
import { clickDeliveryWrites } from './webhooks/clicks.ts';
import { deliveryWrites } from './webhooks/deliveries.ts';
import { sendingWrites } from './webhooks/sending.ts';
import { webhookWrites } from './webhooks/webhooks.ts';

const statements: WriteStatements = withEvents({
  ...accountWrites,
  ...brandingWrites,
  ...identityWrites,
  ...keyWrites,
  ...limitUseWrites,
  ...memberWrites,
  setOperator,
  ...passkeyWrites,
  putPreferences,
  ...sessionWrites,
  ...certificateWrites,
  pruneClicks,
  ...clickWrites,
  ...eventWindowWrites,
  addMissedVisits,
  rollUpClicks,
  storeVisitorSalt,
  ...domainWrites,
  trimHistory,
  indexLinks,
  ...folderWrites,
  ...tagWrites,
  ...utmTemplateWrites,
  deleteOldIdempotencyKeys,
  ...importContinuationWrites,
  addImportLines,
  ...importWrites,
  acquireLease,
  ...aliasWrites,
  bulkLinks,
  ...externalIdWrites,
  consumeClick,
  ...destinationCheckWrites,
  recordExpirations,
  ...linkWrites,
  applyManifest,
  createUnlessExists,
  ...shareWrites,
  ...clickDeliveryWrites,
  ...deliveryWrites,
  ...sendingWrites,
  ...webhookWrites,
});

/** Names of all writes. */
export const writeNames: readonly string[] = [...Object.keys(statements), 'ping', 'writeColumns'];

/** Writes that only the storage engines use and that are not part of `Storage`. */
const engineWrites = { ping, writeColumns } as const;
const allStatements = { ...statements, ...engineWrites };

/** A write as plain data, so that it can be sent to the thread or connection that runs it. */
export interface WriteRequest {
  readonly name: keyof Writes | keyof typeof engineWrites;
  readonly args: readonly unknown[];
  readonly once?: IdempotencyClaim | undefined;
  /** The author of the write; undefined if Linkfold itself is the author. */
  readonly by?: Author | undefined;
}

/** Runs a write in a transaction that the engine has opened. If the write throws, the engine rolls back. */
export async function performWrite(
  connection: Db,
  { name, args, once, by }: WriteRequest,
): Promise<IdempotentResult<unknown>> {
  const perform = allStatements[name] as (db: Db, ...args: unknown[]) => Promise<unknown>;
  const db = by === undefined ? connection : { ...connection, by };
  const write = (): Promise<unknown> => perform(db, ...args);
  return once === undefined ? { value: await write(), replayed: false } : claim(db, once, write);
}

/** Sends a write to the engine. Resolves when the write is durable. */
export type SendWrite = (write: WriteRequest) => Promise<IdempotentResult<unknown>>;

const named = Object.fromEntries(Object.keys(statements).map((name) => [name, undefined]));

/**
 * Returns the write methods of `Storage`. Each call sends a {@link WriteRequest}.
 * @param by the author; undefined if Linkfold itself is the author
 */
export function writesVia(send: SendWrite, by?: Author): Writes {
  // Uses a proxy, because a request uses only one of more than a hundred writes. Creating a function for each write
  // would cost more than all other work in this function.
  return new Proxy(named, {
    get: (_, name) =>
      Object.hasOwn(named, name)
        ? async (...args: readonly unknown[]) => (await send({ name: name as keyof Writes, args, by })).value
        : undefined,
  }) as unknown as Writes;
}

/**
 * Runs `write` so that its one write takes effect at most once per idempotency key.
 * @throws Error for a second write, because a key stores the result of only one write
 */
export async function sendIdempotent<T>(
  send: SendWrite,
  once: IdempotencyClaim,
  write: (writes: Writes) => MaybePromise<T>,
  by?: Author,
): Promise<IdempotentResult<T>> {
  let done = false;
  let replayed = false;
  const writes = writesVia(async (unit) => {
    if (done) throw new Error('A request with an idempotency key can make only one write.');
    const result = await send({ ...unit, once, by });
    done = true;
    replayed = result.replayed;
    return result;
  });
  const value = await write(writes);
  return { value, replayed };
}
