import type { Author } from '../../model/accounts/actors.ts';
import type { IdempotencyClaim, IdempotentResult } from '../../model/idempotency.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import type { Writes } from '../../model/storage.ts';
import type { Db } from '../db/db.ts';
import { createAccount, setAccount, suspendAccount } from './accounts/accounts.ts';
import { deleteBranding, putBranding } from './accounts/branding.ts';
import { connectIdentity, disconnectIdentities, joinByGroup, useIdentity } from './accounts/identities.ts';
import { createFirstKey, createKey, revokeKey, rotateKey, touchKeys } from './accounts/keys.ts';
import { deleteOldUses, shareUses } from './accounts/limit-uses.ts';
import {
  acceptInvitation,
  createInvitation,
  deleteInvitation,
  deleteMember,
  updateMember,
} from './accounts/members.ts';
import { setOperator } from './accounts/operators.ts';
import {
  createChallenge,
  createPasskey,
  deleteChallenge,
  deletePasskey,
  renamePasskey,
  usePasskey,
} from './accounts/passkeys.ts';
import { putPreferences } from './accounts/preferences.ts';
import {
  createLoginLink,
  createSession,
  deleteExpiredSessions,
  endSession,
  endSessions,
  touchSessions,
} from './accounts/sessions.ts';
import {
  claimCertificate,
  extendCertificateClaim,
  recordCertificate,
  recordOrder,
  removeCertificate,
  requestCertificate,
  storeAcmeAccount,
} from './certificates.ts';
import { withEvents } from './changes/append-events.ts';
import type { Performers } from './changes/changes.ts';
import { pruneClicks, writeColumns } from './clicks/click-columns.ts';
import { applyClicks, deleteJournal } from './clicks/clicks.ts';
import { renewEventReader, trimEvents } from './clicks/event-window.ts';
import { addMissedVisits } from './clicks/missed-visits.ts';
import { rollUpClicks } from './clicks/recent-clicks.ts';
import { storeVisitorSalt } from './clicks/visitor-salts.ts';
import { checkDomain, createDomain, deleteDomain, releaseDomain, updateDomain } from './domains/domains.ts';
import { trimHistory } from './events/trim.ts';
import { indexLinks } from './finding/link-index.ts';
import { createFolder, deleteFolder, emptyFolders, restoreFolder, updateFolder } from './groups/folders.ts';
import { createTag, deleteTag, emptyTags, mergeTags, renameTag } from './groups/tags.ts';
import { createUtmTemplate, deleteUtmTemplate, updateUtmTemplate } from './groups/utm-templates.ts';
import { claim, deleteOldIdempotencyKeys } from './idempotency.ts';
import { continueImports, undoImport } from './imports/continue.ts';
import { addImportLines } from './imports/import-lines.ts';
import { createImport, pauseImport } from './imports/imports.ts';
import { acquireLease } from './leases.ts';
import { addAlias, changeCode, removeAlias } from './links/aliases.ts';
import { bulkLinks } from './links/bulk.ts';
import { deleteByExternalId, updateByExternalId, upsertLink } from './links/by-external-id.ts';
import { consumeClick } from './links/click-limits.ts';
import { recordDestinationChecks, watchDestinations } from './links/destination-checks.ts';
import { recordExpiredLinks } from './links/expiry.ts';
import { createLink, deleteLink, moveLink, restoreLink, rollBackLink, updateLink } from './links/links.ts';
import { applyManifest } from './links/manifests.ts';
import { createUnlessExists } from './links/same-destination.ts';
import { createShare, revokeShare, shareLink } from './links/shares.ts';
import { ping } from './ping.ts';
import { insertClickDelivery, postponeDelivery } from './webhooks/clicks.ts';
import {
  addDeliveries,
  addDelivery,
  replayDeliveries,
  replayWebhook,
  resendDelivery,
  trimDeliveries,
} from './webhooks/deliveries.ts';
import { extendLease, leaseWebhooks, recordDeliveryResult } from './webhooks/sending.ts';
import { createWebhook, deleteWebhook, rotateWebhook, updateWebhook } from './webhooks/webhooks.ts';

const performers: Performers = withEvents({
  createLink,
  createUnlessExists,
  upsertLink,
  updateByExternalId,
  deleteByExternalId,
  updateLink,
  moveLink,
  deleteLink,
  restoreLink,
  bulkLinks,
  applyManifest,
  consumeClick,
  shareLink,
  createShare,
  revokeShare,
  changeCode,
  addAlias,
  removeAlias,
  createDomain,
  updateDomain,
  deleteDomain,
  releaseDomain,
  checkDomain,
  watchDestinations,
  saveDestinationChecks: recordDestinationChecks,
  recordExpirations: recordExpiredLinks,
  createFolder,
  updateFolder,
  deleteFolder,
  restoreFolder,
  emptyFolders,
  indexLinks,
  createUtmTemplate,
  updateUtmTemplate,
  deleteUtmTemplate,
  createTag,
  renameTag,
  mergeTags,
  deleteTag,
  emptyTags,
  createAccount,
  setAccount,
  setOperator,
  suspendAccount,
  createKey,
  createFirstKey,
  revokeKey,
  rotateKey,
  touchKeys,
  applyClicks,
  rollUpClicks,
  pruneClicks,
  deleteJournal,
  storeVisitorSalt: storeVisitorSalt,
  addMissedVisits,
  renewEventReader: renewEventReader,
  trimEvents,
  trimHistory,
  createSession,
  endSession,
  endSessions,
  touchSessions,
  createLoginLink,
  deleteExpiredSessions,
  createInvitation,
  deleteInvitation,
  acceptInvitation,
  updateMember,
  deleteMember,
  joinByGroup,
  useIdentity,
  connectIdentity,
  disconnectIdentities,
  createChallenge,
  takeChallenge: deleteChallenge,
  createPasskey,
  renamePasskey,
  deletePasskey,
  usePasskey,
  putPreferences,
  putBranding,
  deleteBranding,
  claimCertificate,
  extendCertificateClaim,
  saveCertificateResult: recordCertificate,
  removeCertificate,
  requestCertificate,
  storeAcmeAccount: storeAcmeAccount,
  recordOrder,
  acquireLease,
  shareUses,
  deleteOldUses,
  deleteOldIdempotencyKeys,
  rollBackLink,
  createImport,
  pauseImport,
  addImportLines,
  undoImport,
  continueImports,
  createWebhook,
  updateWebhook,
  rotateWebhook,
  deleteWebhook,
  addDeliveries,
  replayDeliveries,
  addDelivery,
  resendDelivery,
  replayWebhook,
  leaseWebhooks,
  extendLease,
  saveDeliveryResult: recordDeliveryResult,
  trimDeliveries,
  addClickDelivery: insertClickDelivery,
  postponeDelivery,
});

/** Names of all writes. */
export const writeNames: readonly string[] = [...Object.keys(performers), 'ping', 'writeColumns'];

/** Writes that only the engines use, not part of `Storage`. */
const enginePerformers = { ping, writeColumns } as const;
const allPerformers = { ...performers, ...enginePerformers };

/** A write as plain data, as it is sent to the thread or connection that runs it. */
export interface Write {
  readonly name: keyof Writes | keyof typeof enginePerformers;
  readonly args: readonly unknown[];
  readonly once?: IdempotencyClaim | undefined;
  /** Undefined when the service itself is the author. */
  readonly by?: Author | undefined;
}

/** Runs a write in a transaction that the engine has opened. If it throws, the engine rolls back. */
export async function performWrite(
  connection: Db,
  { name, args, once, by }: Write,
): Promise<IdempotentResult<unknown>> {
  const perform = allPerformers[name] as (db: Db, ...args: unknown[]) => Promise<unknown>;
  const db = by === undefined ? connection : { ...connection, by };
  const write = (): Promise<unknown> => perform(db, ...args);
  return once === undefined ? { value: await write(), replayed: false } : claim(db, once, write);
}

/** Sends a write to the engine. Resolves when the write is durable. */
export type SendWrite = (write: Write) => Promise<IdempotentResult<unknown>>;

const named = Object.fromEntries(Object.keys(performers).map((name) => [name, undefined]));

/**
 * Returns the writes of `Storage`; each call sends a {@link Write}. @param by the author; undefined for the service
 * itself
 */
export function writesVia(send: SendWrite, by?: Author): Writes {
  // A proxy, because a request uses one of more than a hundred writes: creating a function for each would cost more
  // than everything else here.
  return new Proxy(named, {
    get: (_, name) =>
      Object.hasOwn(named, name)
        ? async (...args: readonly unknown[]) => (await send({ name: name as keyof Writes, args, by })).value
        : undefined,
  }) as unknown as Writes;
}

/**
 * Runs `write` so that its one write takes effect at most once per idempotency key.
 * @throws Error for a second write: a key stores the result of only one
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
