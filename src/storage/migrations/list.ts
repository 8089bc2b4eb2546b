import type { Migration } from '../db/dialect.ts';
import { initial } from './0001-initial.ts';
import { recentClicks } from './0002-recent-clicks.ts';
import { clicksOfManyNodes } from './0003-clicks-of-many-nodes.ts';
import { folderRemovals } from './0004-folder-removals.ts';
import { limitsOfManyNodes } from './0005-limits-of-many-nodes.ts';
import { deletedLinks } from './0006-deleted-links.ts';
import { deletedFolders } from './0007-deleted-folders.ts';
import { externalIds } from './0008-external-ids.ts';
import { clickBatches } from './0009-click-batches.ts';
import { clickColumns } from './0010-click-columns.ts';
import { accessToStatistics } from './0011-access-to-statistics.ts';
import { linkSearch } from './0012-link-search.ts';
import { tags } from './0013-tags.ts';
import { sessions } from './0014-sessions.ts';
import { linksThatDecide } from './0015-links-that-decide.ts';
import { missedVisits } from './0016-missed-visits.ts';
import { linksByLocation } from './0017-links-by-location.ts';
import { events } from './0018-events.ts';
import { clickLimits } from './0019-click-limits.ts';
import { aliases } from './0020-aliases.ts';
import { campaignsAndArchive } from './0021-campaigns-and-archive.ts';
import { branding } from './0022-branding.ts';
import { passwords } from './0023-passwords.ts';
import { cards } from './0024-cards.ts';
import { utmTemplates } from './0025-utm-templates.ts';
import { expiredUrlsOfFolders } from './0026-expired-urls-of-folders.ts';
import { linkSums } from './0027-link-sums.ts';
import { dayRecords } from './0028-day-records.ts';
import { foldersComeBack } from './0029-folders-come-back.ts';
import { newLinksNoted } from './0030-new-links-noted.ts';
import { certificates } from './0031-certificates.ts';
import { deletedExternalIds } from './0032-deleted-external-ids.ts';
import { domains } from './0033-domains.ts';
import { destinationChecks } from './0034-destination-checks.ts';
import { people } from './0035-people.ts';
import { certificateExpiry } from './0036-certificate-expiry.ts';
import { filesForApps } from './0037-files-for-apps.ts';
import { passkeys } from './0038-passkeys.ts';
import { imports } from './0039-imports.ts';
import { history } from './0040-history.ts';
import { clicksOfImportsSoFar } from './0041-clicks-of-imports-so-far.ts';
import { boundsOfKeys } from './0042-bounds-of-keys.ts';
import { identities } from './0043-identities.ts';
import { audit } from './0044-audit.ts';
import { revisionsOfImports } from './0045-revisions-of-imports.ts';
import { webhooks } from './0046-webhooks.ts';
import { expiry } from './0047-expiry.ts';
import { manifests } from './0048-manifests.ts';
import { webhooksOfClicks } from './0049-webhooks-of-clicks.ts';
import { operators } from './0050-operators.ts';
import { watchedAccounts } from './0051-watched-accounts.ts';
import { authority } from './0052-authority.ts';
import { certificateOrders } from './0053-certificate-orders.ts';
import { foldTexts } from './0054-fold-texts.ts';
import { languages } from './0055-languages.ts';
import { webhookAuthors } from './0056-webhook-authors.ts';
import { installationsOfImports } from './0057-installations-of-imports.ts';

/** Every migration, in order. Append only: a published one is never edited. */
export const migrations: readonly Migration[] = [
  initial,
  recentClicks,
  clicksOfManyNodes,
  folderRemovals,
  limitsOfManyNodes,
  deletedLinks,
  deletedFolders,
  externalIds,
  clickBatches,
  clickColumns,
  accessToStatistics,
  linkSearch,
  tags,
  sessions,
  linksThatDecide,
  missedVisits,
  linksByLocation,
  events,
  clickLimits,
  aliases,
  campaignsAndArchive,
  branding,
  passwords,
  cards,
  utmTemplates,
  expiredUrlsOfFolders,
  linkSums,
  dayRecords,
  foldersComeBack,
  newLinksNoted,
  certificates,
  deletedExternalIds,
  domains,
  destinationChecks,
  people,
  certificateExpiry,
  filesForApps,
  passkeys,
  imports,
  history,
  clicksOfImportsSoFar,
  boundsOfKeys,
  identities,
  audit,
  revisionsOfImports,
  webhooks,
  expiry,
  manifests,
  webhooksOfClicks,
  operators,
  watchedAccounts,
  authority,
  certificateOrders,
  foldTexts,
  languages,
  webhookAuthors,
  installationsOfImports,
];
