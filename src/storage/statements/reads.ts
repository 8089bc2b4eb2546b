import type { Reads } from '../../model/storage.ts';
import type { Db } from '../db/db.ts';
import { accountSettings, accounts } from './accounts/accounts.ts';
import { branding } from './accounts/branding.ts';
import { accountByName, identities, identitiesOf } from './accounts/identities.ts';
import { findKey, hasKeys, keys, keysOf } from './accounts/keys.ts';
import { findInvitation, invitations, member, members } from './accounts/members.ts';
import { accountFacts, findMembers, operators } from './accounts/operators.ts';
import { credentials, findChallenge, findCredential } from './accounts/passkeys.ts';
import { preferences } from './accounts/preferences.ts';
import { findLoginLink, findSession, sessions } from './accounts/sessions.ts';
import {
  acmeAccount,
  certificate,
  certificateCounts,
  certificates,
  certificatesOf,
  dueCertificates,
  isHostVerified,
} from './certificates.ts';
import { appliedTo, rowsOf } from './clicks/clicks.ts';
import { excludedVisits, missedVisits, unknownCodes } from './clicks/missed-visits.ts';
import { visitorSalt } from './clicks/visitor-salts.ts';
import { hasClickSubscribers } from './clicks/webhook-clicks.ts';
import {
  appFile,
  appFilesOf,
  domain,
  domainByHost,
  domains,
  domainsToCheck,
  domainToken,
  findHost,
} from './domains/domains.ts';
import { accountEvents, linkEvents, revisionEvents } from './events/read.ts';
import { countLinksWithin } from './finding/access.ts';
import { findGolink } from './finding/golinks.ts';
import { deletedLinkByCode, deletedLinks, linkByCode, linkByExternalId } from './finding/link-look-ups.ts';
import { findTarget, link, links, preview } from './finding/link-reads.ts';
import { findLinks } from './finding/link-search.ts';
import { folder, folders, inheritedExpiredUrl, usage } from './groups/folders.ts';
import { tag, tags } from './groups/tags.ts';
import { utmTemplates } from './groups/utm-templates.ts';
import { findIdempotencyKey } from './idempotency.ts';
import { importedLines, imports, readImport } from './imports/imports.ts';
import { aliases } from './links/aliases.ts';
import { hasClicksLeft } from './links/click-limits.ts';
import { holderOfCode } from './links/codes.ts';
import {
  destinationChecks,
  dueDestinations,
  failingDestinations,
  hasDestinationWork,
} from './links/destination-checks.ts';
import { brandingTargets, folderTargets, linkTargets } from './links/link-targets.ts';
import { codeHolders } from './links/manifests.ts';
import { accountShares, shared, shares } from './links/shares.ts';
import { newest } from './newest.ts';
import { hasWork } from './upkeep.ts';
import { nextClicked } from './webhooks/clicks.ts';
import { deliveries, webhookPosition } from './webhooks/deliveries.ts';
import { dueDeliveries, hasDueDeliveries } from './webhooks/sending.ts';
import { hasWebhooks, nextReplay, subscribedWebhooks, webhook, webhooks } from './webhooks/webhooks.ts';

type Readers = {
  readonly [K in keyof Reads]: (db: Db, ...args: Parameters<Reads[K]>) => ReturnType<Reads[K]>;
};

const readers: Readers = {
  findTarget,
  findGolink,
  findHost,
  appFile,
  appFilesOf,
  domains,
  domain,
  domainByHost,
  domainsToCheck,
  domainToken,
  dueDestinations,
  failingDestinations,
  destinationChecks,
  hasDestinationWork,
  preview,
  link,
  linkByCode,
  linkByExternalId,
  links,
  countLinksWithin,
  findLinks,
  deletedLinks,
  deletedLinkByCode,
  newest,
  rowsOf,
  hasClicksLeft,
  inheritedExpiredUrl,
  tag,
  tags,
  utmTemplates,
  folder,
  folders,
  usage,
  accounts,
  accountSettings,
  accountFacts,
  operators,
  findMembers,
  findKey,
  keys,
  keysOf,
  hasKeys,
  shares,
  accountShares,
  shared,
  aliases,
  findSession,
  sessions,
  findLoginLink,
  members,
  member,
  invitations,
  findInvitation,
  identities,
  identitiesOf,
  accountByName,
  credentials,
  findCredential,
  findChallenge,
  preferences,
  branding,
  holderOfCode,
  codeHolders,
  appliedTo,
  findIdempotencyKey,
  hasWork,
  accountEvents,
  linkEvents,
  revisionEvents,
  visitorSalt,
  missedVisits,
  excludedVisits,
  unknownCodes,
  linkTargets,
  brandingTargets,
  folderTargets,
  certificate,
  certificates,
  certificatesOf,
  certificateCounts,
  dueCertificates,
  isRoutedHere: isHostVerified,
  acmeAccount,
  imports,
  import: readImport,
  importedLines,
  webhooks,
  webhook,
  deliveries,
  hasWebhooks,
  subscribedWebhooks,
  nextReplay,
  webhookPosition,
  hasDueDeliveries,
  dueDeliveries,
  hasClickSubscribers,
  nextClicked,
};

/** Returns the reads of `Storage`, each bound to one connection. */
export function readsFrom(db: Db): Reads {
  const bindRead = (read: (db: Db, ...args: never[]) => unknown) => read.bind(undefined, db);
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, bindRead(read)]),
  ) as unknown as Reads;
}
