import { randomUUID } from 'node:crypto';
import { setImmediate as tick } from 'node:timers/promises';
import { type Config, originOf } from '../config.ts';
import { createMissedVisits } from '../domain/clicks/missed-visits.ts';
import type { RandomBytes } from '../domain/ids.ts';
import { createPasswords } from '../domain/links/passwords.ts';
import { createOutcomes } from '../redirect/outcomes.ts';
import { createRedirect } from '../redirect/redirect.ts';
import { createTickLimit } from '../runtime/tick-limit.ts';
import { createAddressOf, createClientOf } from '../server/client-address.ts';
import { fitConnections, guardConnections, maxOpenFiles } from '../server/connections.ts';
import { createCors } from '../server/cors.ts';
import { createDashboard } from '../server/dashboard/dashboard.ts';
import { createFastPath } from '../server/fast-path/fast-path.ts';
import { createHttpVisits } from '../server/http-visits.ts';
import { createListener, type End, mounts } from '../server/listener.ts';
import { openStorage } from '../storage/open.ts';
import { isPassing } from '../storage/postgres/errors.ts';
import { createLog, type Logger } from '../telemetry/log.ts';
import { openTracing } from '../telemetry/tracing.ts';
import type { MountedApi } from './api.ts';
import { createListedLinkRounds, openBlockLists } from './block-lists.ts';
import { openClicks } from './clicks.ts';
import { createColumnRounds } from './columns.ts';
import { createEventRounds } from './events.ts';
import { openFacts } from './facts.ts';
import { createFirstKey, createStartLogin } from './first-key.ts';
import { createLimitExchange, createLimits, exchangeThrough } from './limits.ts';
import { createLinkRounds } from './link-rounds.ts';
import { createMissedVisitRounds } from './missed-visits.ts';
import { type MetricsPort, openMonitoring } from './monitoring.ts';
import { makeDataDir, randomBytes, sharesDatabase } from './operator.ts';
import type { WorkerPeers } from './peers.ts';
import { unlessAborted } from './process/abort.ts';
import { waitForDatabase } from './process/wait-for-database.ts';
import { createReadiness } from './readiness.ts';

/** What the service gets from outside, so that tests control it. */
export interface Options {
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  /** Size at which the next segment of the click journal begins, bytes. */
  readonly segmentBytes: number;
  /** How often clicks go to storage, ms. */
  readonly applyEveryMs: number;
  /** How often other background work is polled, ms. */
  readonly upkeepEveryMs: number;
  /** What this process shares with the other workers on its port. */
  readonly peers: WorkerPeers;
  /** Whether there is a terminal on which a link to sign in can be shown. */
  readonly wantsLogin: boolean;
  /** Aborted when the process is to end: a start that is under way is given up. */
  readonly signal: AbortSignal;
  /** Called with the reason for which a start waits, and with an empty text when the wait is over. */
  readonly onWait: (reason: string) => void;
}

export interface App {
  /**
   * Starts to answer: visitors at once, API requests as soon as the API is loaded.
   * @returns the origin of the short URLs; on a fresh installation its first key, in the clear, this once; when it is wanted,
   * what proves a link to sign in
   * @throws when a port cannot be had, or storage takes no writes; the signal's reason when it is aborted meanwhile
   */
  listen(): Promise<{ url: string; port: number; firstKey: string | undefined; login: string | undefined }>;
  /**
   * Finishes what was accepted, applies every click, closes storage. Only a service that was ready waits for load
   * balancers before that (`SHUTDOWN_DELAY`).
   * @param end `leave` when others go on serving on the port: at once, and ready to the last
   */
  close(end?: End): Promise<void>;
}

/** How long the API waits for clicks of killed processes, ms: those of a crash under load take a fraction of it. */
const figuresPatienceMs = 3_000;
/** A connection that has left the fast path stays slow, so it is closed after this many redirects. */
const slowRedirectsPerConnection = 32;
/** How many requests one tick of the event loop answers: a few milliseconds of work. */
const visitsPerTick = 128;
const othersPerTick = 128;

/**
 * Puts the service together, by hand: config → journal and storage → redirect → server → rules and API.
 * @throws what kept it from that, having closed everything that it opened; the signal's reason when it is aborted
 */
export async function createApp(config: Config, overrides: Partial<Options> = {}): Promise<App> {
  const opened = new AsyncDisposableStack();
  try {
    return await assemble(config, overrides, opened);
  } catch (error) {
    // The first error is reported, not those that follow from it.
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
}

/** @param opened gets everything that must be closed, in the order of opening; it closes in reverse */
async function assemble(
  config: Config,
  overrides: Partial<Options>,
  opened: AsyncDisposableStack,
): Promise<App> {
  const now = overrides.now ?? Date.now;
  const random = overrides.randomBytes ?? randomBytes;
  const log = overrides.log ?? (await createLog(config.LOG_LEVEL));
  const { peers, signal = new AbortController().signal } = overrides;
  const clientOf = createClientOf(config.TRUST_PROXY);
  const addressOf = createAddressOf(clientOf);
  const newRequestId = (): string => randomUUID();
  let baseUrl = config.BASE_URL ?? '';
  const ownHosts = new Set(config.BASE_URL === null ? [] : [new URL(config.BASE_URL).host]);
  // Codes are answered there too.
  if (config.DASHBOARD_HOST !== null) ownHosts.add(config.DASHBOARD_HOST);

  makeDataDir(config);
  const onError = (sentence: string, facts = {}): void => log.error(facts, sentence);
  const onInfo = (sentence: string, facts = {}): void => log.info(facts, sentence);
  const tracing = await openTracing(log);
  opened.defer(async () => tracing?.close());
  let metricsPort: MetricsPort | undefined;
  opened.defer(async () => metricsPort?.close());
  const clicks = openClicks(config, {
    ...{ onError, onInfo, tracing },
    ...{ segmentBytes: overrides.segmentBytes, applyEveryMs: overrides.applyEveryMs },
  });
  opened.defer(() => clicks.abandon());
  const options = {
    journal: clicks.journal.id,
    onError,
    onInfo,
    tracing,
    ...{ connections: config.DATABASE_POOL, patienceMs: config.DATABASE_TIMEOUT * 1_000 },
    ...{ staleMs: config.STALE_LIMIT * 1_000, maxTargets: config.LINKS_IN_MEMORY },
    ...{ statisticsDays: config.STATISTICS_DAYS ?? undefined, now },
    maxClicksOfAnswer: config.STATISTICS_MAX_CLICKS,
    writesLater: true,
  };
  const opening = waitForDatabase(() => openStorage(config.DATABASE_URL, options), {
    mayPass: (error) => sharesDatabase(config) && isPassing(error),
    onWait(reason) {
      log.warn({ reason }, 'The database cannot be used yet; the start waits for it.');
      overrides.onWait?.(reason);
    },
    onOpen() {
      log.info('The database can be used.');
      overrides.onWait?.('');
    },
    signal,
  });
  const storage = await unlessAborted(signal, opening, (late) => late.close());
  opened.defer(() => storage.close());
  const { journal } = clicks;
  const { applier, recovery } = clicks.applyTo(storage);
  opened.defer(() => applier.close());

  const intervalInTests = overrides.upkeepEveryMs !== undefined && { intervalMs: overrides.upkeepEveryMs };
  const linkRounds = createLinkRounds({ storage, now, onError, ...intervalInTests });
  const { columns, pruning } = createColumnRounds(config, { storage, now, onError, ...intervalInTests });
  const limits = createLimits(now);
  // On a shared database all nodes and their workers count together, otherwise the workers of this host.
  const exchangeUses = sharesDatabase(config) ? exchangeThrough(storage) : peers?.exchangeUses;
  const exchange = exchangeUses && createLimitExchange({ limits, exchange: exchangeUses, onError, onInfo });
  const missed = createMissedVisits();
  const missing = createMissedVisitRounds({ missed, storage, now, onError, ...intervalInTests });
  // Before the rounds and the listener in this order of closing in reverse: after them no visit is counted any more.
  opened.defer(missing.flush);
  const trimming = createEventRounds({ storage, now, onError, ...intervalInTests });
  const blockLists = openBlockLists(config, { now, onError, onInfo });
  const listedLinks = createListedLinkRounds(blockLists, { storage, now, onError, ...intervalInTests });
  const rounds = [
    ...[...Object.values(linkRounds), columns, pruning, missing.rounds, trimming],
    ...[blockLists, listedLinks.rounds],
  ];
  for (const part of [...rounds, exchange]) opened.defer(async () => part?.close());
  let api: MountedApi | undefined;
  opened.defer(async () => api?.close());

  const { readFacts, salts } = await openFacts(config, {
    storage,
    now,
    randomBytes: random,
    onError,
    onInfo,
  });
  opened.defer(() => salts.close());

  const outcomes = createOutcomes();
  const redirect = createRedirect({
    storage,
    journal,
    now,
    rootRedirect: config.ROOT_REDIRECT ?? undefined,
    unknownCodeRedirect: config.UNKNOWN_CODE_REDIRECT ?? undefined,
    codeSegments: config.CODE_SEGMENTS,
    hasReference: config.API_DOCS,
    wellKnown: {
      'apple-app-site-association': config.APPLE_APP_SITE_ASSOCIATION,
      'assetlinks.json': config.ASSET_LINKS,
    },
    codeMisses: limits.codeMisses,
    missLimit: config.CODE_MISS_LIMIT,
    gate: {
      passwords: createPasswords(random),
      wrongByAddress: limits.wrongByAddress,
      wrongByLink: limits.wrongByLink,
    },
    newRequestId,
    baseUrl: () => baseUrl,
    onFault: onError,
    outcomes,
    missed,
  });

  const visits = {
    redirect,
    readFacts,
    clientOf,
    countryHeader: config.COUNTRY_HEADER ?? '',
    referrerPolicy: config.REFERRER_POLICY ?? undefined,
  };

  const hasCors = config.CORS_ORIGINS.length > 0;
  const listener = createListener({
    redirect: createHttpVisits(visits, config.FAST_REDIRECTS ? slowRedirectsPerConnection : undefined),
    newRequestId,
    checkReady: createReadiness(storage, journal),
    tickLimit: createTickLimit(othersPerTick),
    dashboard: config.DASHBOARD ? createDashboard({ host: config.DASHBOARD_HOST ?? undefined }) : undefined,
    cors: hasCors ? createCors(config.CORS_ORIGINS) : undefined,
  });
  if (config.FAST_REDIRECTS) {
    listener.useFastPath((server) =>
      createFastPath(server, {
        ...visits,
        mounts,
        now,
        tickLimit: createTickLimit(visitsPerTick),
        leavesPages: hasCors,
        takesSegments: config.CODE_SEGMENTS > 1,
      }),
    );
  }

  const share = Math.ceil(config.MAX_CONNECTIONS / (peers?.count ?? 1));
  const max = fitConnections(share, maxOpenFiles(), (sentence, facts) => log.warn(facts, sentence));
  const connections = guardConnections(listener.server, { max });
  opened.defer(() => listener.close());

  let isReady = false;
  const openPort = async (): Promise<number> => {
    const port = await listener.listen(peers?.socket.port ?? config.PORT, config.HOST, peers?.socket.fd);
    if (config.BASE_URL === null) {
      baseUrl = originOf(config, port);
      for (const host of ['127.0.0.1', 'localhost', '[::1]']) ownHosts.add(`${host}:${port}`);
    }
    return port;
  };
  const startApi = async (): Promise<void> => {
    const { mountApi } = await loadApi();
    // Visitors are served meanwhile. API clients then see the clicks from before the start.
    await unlessAborted(signal, recovery.caughtUp(figuresPatienceMs));
    // No link is made before it can be checked.
    await unlessAborted(signal, blockLists.load(true));
    api = await mountApi({
      ...{ config, storage, listener, limits, now, log, tracing, randomBytes: random, newRequestId },
      ...{ unapplied: applier.unapplied, writeNow: journal.writeNow },
      isListed: (host) => blockLists.listOf(host) !== undefined,
      ...{ addressOf, baseUrl: () => baseUrl, ownHosts, upkeepEveryMs: overrides.upkeepEveryMs },
    });
    const { stats, admission, eventHub } = api;
    const watched = {
      ...{ listener, connections, admission, api: stats, eventHub, outcomes },
      ...{ journal, applier, folding: linkRounds.folding, columns, storage, blockLists, listedLinks },
    };
    metricsPort = await openMonitoring(config, watched, log, peers);
  };

  return {
    async listen() {
      for (const part of [applier, exchange, salts, ...rounds]) part?.start();
      // Visitors need not wait for the API; other processes on the port would serve them.
      const early = peers === undefined ? await openPort() : undefined;
      recovery.start();
      // A writer thread starts up while this one loads the API.
      const writable = storage.ready();
      writable.catch(() => {}); // heard below
      await startApi();
      await writable;
      signal.throwIfAborted();
      const port = early ?? (await openPort());
      // Only now: a start that fails, or is given up, must not use up the one showing of the key.
      const firstKey = await createFirstKey(storage, config, now(), random);
      const wantsLogin = overrides.wantsLogin && config.DASHBOARD;
      const login = wantsLogin ? await createStartLogin(storage, now(), random) : undefined;
      // A service that got the signal to end meanwhile was never ready.
      isReady = !signal.aborted;
      return { url: baseUrl, port, firstKey, login };
    },
    async close(end = 'stop') {
      listener.drain(end);
      // First: the listener waits for its connections.
      api?.eventHub.close();
      const delayMs = end === 'stop' && isReady ? config.SHUTDOWN_DELAY * 1_000 : 0;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      api?.endExports();
      await opened.disposeAsync();
    },
  };
}

/**
 * Loads the API, which takes a tenth of a second during which nothing else runs. Visitors waiting for the port are
 * answered before: the event loop accepts their connections in one tick, reads in the next, answers in a third.
 */
async function loadApi() {
  for (let ticks = 0; ticks < 4; ticks += 1) await tick();
  return import('./api.ts');
}
