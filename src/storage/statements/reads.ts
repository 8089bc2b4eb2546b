import type { Reads } from '../../model/storage.ts';
import type { Db } from '../db/db.ts';
import type { Read } from '../db/statements.ts';
import { accountReads } from './accounts/accounts.ts';
import { branding } from './accounts/branding.ts';
import { identityReads } from './accounts/identities.ts';
import { keyReads } from './accounts/keys.ts';
import { memberReads } from './accounts/members.ts';
import { operatorReads } from './accounts/operators.ts';
import { passkeyReads } from './accounts/passkeys.ts';
import { preferences } from './accounts/preferences.ts';
import { sessionReads } from './accounts/sessions.ts';
import { certificateReads } from './certificates.ts';
import { clickReads } from './clicks/clicks.ts';
import { missedVisitReads } from './clicks/missed-visits.ts';
import { visitorSalt } from './clicks/visitor-salts.ts';
import { hasClickSubscribers } from './clicks/webhook-clicks.ts';
import { domainReads } from './domains/domains.ts';
import { eventReads } from './events/read.ts';
import { countLinksWithin } from './finding/access.ts';
import { findGolink } from './finding/golinks.ts';
import { linkLookUpReads } from './finding/link-look-ups.ts';
import { linkReads } from './finding/link-reads.ts';
import { findLinks } from './finding/link-search.ts';
import { folderReads } from './groups/folders.ts';
import { tagReads } from './groups/tags.ts';
import { utmTemplates } from './groups/utm-templates.ts';
import { findIdempotencyKey } from './idempotency.ts';
import { importReads } from './imports/imports.ts';
import { aliases } from './links/aliases.ts';
import { hasClicksLeft } from './links/click-limits.ts';
import { holderOfCode } from './links/codes.ts';
import { destinationCheckReads } from './links/destination-checks.ts';
import { linkTargetReads } from './links/link-targets.ts';
import { codeHolders } from './links/manifests.ts';
import { shareReads } from './links/shares.ts';
import { newest } from './newest.ts';
import { hasWork } from './upkeep.ts';
import { nextClicked } from './webhooks/clicks.ts';
import { deliveryReads } from './webhooks/deliveries.ts';
import { sendingReads } from './webhooks/sending.ts';
import { webhookReads } from './webhooks/webhooks.ts';

const readers: { readonly [K in keyof Reads]: Read<K> } = {
  ...accountReads,
  branding,
  ...identityReads,
  ...keyReads,
  ...memberReads,
  ...operatorReads,
  ...passkeyReads,
  preferences,
  ...sessionReads,
  ...certificateReads,
  ...clickReads,
  ...missedVisitReads,
  visitorSalt,
  hasClickSubscribers,
  ...domainReads,
  ...eventReads,
  countLinksWithin,
  findGolink,
  ...linkLookUpReads,
  ...linkReads,
  findLinks,
  ...folderReads,
  ...tagReads,
  utmTemplates,
  findIdempotencyKey,
  ...importReads,
  aliases,
  hasClicksLeft,
  holderOfCode,
  ...destinationCheckReads,
  ...linkTargetReads,
  codeHolders,
  ...shareReads,
  newest,
  hasWork,
  nextClicked,
  ...deliveryReads,
  ...sendingReads,
  ...webhookReads,
};

/** Returns the read methods of `Storage`, bound to one connection. */
export function readsFrom(db: Db): Reads {
  const bindRead = (read: (db: Db, ...args: never[]) => unknown) => read.bind(undefined, db);
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, bindRead(read)]),
  ) as unknown as Reads;
}
