import { createMissedVisits } from '../model/clicks/missed-visits.ts';
import type { Storage } from '../model/storage.ts';
import { createListedLinkTask, openBlockLists } from './background/block-lists.ts';
import { openDestinations } from './background/destinations.ts';
import { openDomains } from './background/domains.ts';
import { createLimitExchange, createLimits, exchangeThrough } from './background/limits.ts';
import { createMissedVisitTask } from './background/missed-visits.ts';
import { createStorageTasks } from './background/storage-tasks.ts';
import { createBackups } from './backups.ts';
import type { Dependencies } from './dependencies.ts';
import { sharesDatabase } from './installation.ts';
import type { Origin } from './origin.ts';

/** Starts the background tasks. Returns the objects that request handlers use too. */
export function openBackground(
  dependencies: Dependencies,
  storage: Storage,
  { baseUrl, sharedHost }: Pick<Origin, 'baseUrl' | 'sharedHost'>,
) {
  const { config, now, onError, onInfo, opened, overrides } = dependencies;
  const { peers, upkeepEveryMs } = overrides;
  const options = {
    storage,
    now,
    onError,
    ...(upkeepEveryMs !== undefined && { intervalMs: upkeepEveryMs }),
  };
  const { folding, columns, others } = createStorageTasks(config, options);
  const limits = createLimits(now);
  // On a shared database, all nodes and their workers share their rate limits. Otherwise, only the workers on this host
  // share them.
  const exchangeUses = sharesDatabase(config) ? exchangeThrough(storage) : peers?.exchangeUses;
  const exchange = exchangeUses && createLimitExchange({ limits, exchange: exchangeUses, onError, onInfo });
  const missed = createMissedVisits();
  const missing = createMissedVisitTask({ ...options, missed });
  // Deferred first, so that the flush runs last: after the background tasks and the listener are closed, no more visits
  // are counted.
  opened.defer(missing.flush);
  const blockLists = openBlockLists(config, { now, onError, onInfo });
  const listedLinks = createListedLinkTask(blockLists, options);
  const { checkRecords, domainRounds } = openDomains(
    config,
    { ...options, origin: baseUrl },
    sharedHost,
    overrides.checkRecords,
  );
  const destinations = openDestinations(config, { ...options, origin: baseUrl });
  const backups = createBackups(dependencies);
  const tasks = [
    folding,
    columns,
    ...others,
    missing.task,
    blockLists,
    listedLinks.task,
    domainRounds,
    destinations?.task,
    backups,
  ];
  for (const part of [...tasks, exchange]) opened.defer(async () => part?.close());
  return {
    folding,
    columns,
    limits,
    exchange,
    missed,
    blockLists,
    listedLinks,
    checkRecords,
    destinations,
    backups,
    tasks,
  };
}
