import { randomUUID } from 'node:crypto';
import { setImmediate as tick } from 'node:timers/promises';
import { type Config, originOf } from '../config.ts';
import type { RandomBytes } from '../domain/ids.ts';
import { digestOf, drawKey, idInToken, scopes } from '../domain/keys.ts';
import type { Storage } from '../domain/storage.ts';
import { createOutcomes } from '../redirect/outcomes.ts';
import { createRedirect } from '../redirect/redirect.ts';
import { createClassify } from '../redirect/visitor.ts';
import { createRounds } from '../runtime/rounds.ts';
import { createTickLimit } from '../runtime/tick-limit.ts';
import { createAddressOf } from '../server/client-address.ts';
import { fitConnections, guardConnections, maxOpenFiles } from '../server/connections.ts';
import { createCors } from '../server/cors.ts';
import { createFastPath } from '../server/fast-path/fast-path.ts';
import { createHttpVisits } from '../server/http-visits.ts';
import { createListener, type End, mounts } from '../server/listener.ts';
import { openStorage } from '../storage/open.ts';
import { isPassing } from '../storage/postgres/errors.ts';
import { createLog, type Logger } from '../telemetry/log.ts';
import { openTracing } from '../telemetry/tracing.ts';
import type { MountedApi } from './api.ts';
import { openClicks } from './clicks.ts';
import { createLimitExchange, createLimits, exchangeThrough } from './limits.ts';
import { type MetricsPort, openMonitoring } from './monitoring.ts';
import { makeDataDir, randomBytes, sharesDatabase } from './operator.ts';
import type { WorkerPeers } from './peers.ts';
import { unlessAborted } from './process/abort.ts';
import { waitForDatabase } from './process/wait-for-database.ts';
import { createReadiness } from './readiness.ts';

/** What the core is given from outside, so that tests control it. */
export interface Options {
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  /** Size at which the next segment of the click journal begins, bytes. */
  readonly segmentBytes: number;
  /** How often clicks go to storage, ms. */
  readonly applyEveryMs: number;
  /** How often other work in the background is looked for, ms. */
  readonly upkeepEveryMs: number;
  /** What this process shares with the others on its port. */
  readonly peers: WorkerPeers;
  /** Aborted when the process is to end: a start that is under way is given up. */
  readonly signal: AbortSignal;
  /** Called with what a start waits for, and with an empty text when that is over. */
  readonly onWait: (reason: string) => void;
}

export interface App {
  /**
   * Starts to answer: visitors at once, API requests as soon as the API is loaded.
   * @returns the origin of the short URLs; and on a fresh installation its first key, in the clear, this once
   * @throws when a port cannot be had, or storage takes no writes; the signal's reason when it is aborted meanwhile
   */
  listen(): Promise<{ url: string; port: number; firstKey: string | undefined }>;
  /**
   * Finishes what was accepted, applies every click, closes storage. Only a service that was ready waits for load
   * balancers before that (`SHUTDOWN_DELAY`).
   * @param end `leave` when others go on serving on the port: at once, and ready to the last
   */
  close(end?: End): Promise<void>;
}

const emptyingMs = 2_000;
/** So long the API waits for clicks that killed processes left: those of a crash under load take a fraction of it. */
const figuresPatienceMs = 3_000;
/** A slice of work in the background: others wait for it some milliseconds. */
const rowsPerSlice = 250;
/** A connection that the front has given away stays slow, and what remains of it should soon be a new one. */
const slowRedirectsPerConnection = 32;
/** What one tick of the event loop answers: a few milliseconds of work. */
const visitsPerTick = 128;
const othersPerTick = 128;

/**
 * Puts the service together, by hand: config → journal and storage → redirect → server → rules and API.
 * @throws what kept it from that, having closed everything that it opened; the signal's reason when it is aborted
 */
export async function createApp(config: Config, given: Partial<Options> = {}): Promise<App> {
  const opened = new AsyncDisposableStack();
  try {
    return await assemble(config, given, opened);
  } catch (error) {
    // What kept it from starting is what is told, not what that led to.
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
}

/** @param opened gets everything that is to be closed, in the order in which it is opened; it is closed in reverse */
async function assemble(config: Config, given: Partial<Options>, opened: AsyncDisposableStack): Promise<App> {
  const now = given.now ?? Date.now;
  const random = given.randomBytes ?? randomBytes;
  const log = given.log ?? (await createLog(config.LOG_LEVEL));
  const { peers, signal = new AbortController().signal } = given;
  const addressOf = createAddressOf(config.TRUST_PROXY);
  const newRequestId = (): string => randomUUID();
  let baseUrl = config.BASE_URL ?? '';
  const ownHosts = new Set(config.BASE_URL === null ? [] : [new URL(config.BASE_URL).host]);

  makeDataDir(config);
  const onError = (sentence: string, facts = {}): void => log.error(facts, sentence);
  const onInfo = (sentence: string, facts = {}): void => log.info(facts, sentence);
  const tracing = await openTracing(log);
  opened.defer(async () => tracing?.close());
  let metricsPort: MetricsPort | undefined;
  opened.defer(async () => metricsPort?.close());
  const clicks = openClicks(config, {
    ...{ onError, onInfo, tracing },
    ...{ segmentBytes: given.segmentBytes, applyEveryMs: given.applyEveryMs },
  });
  opened.defer(() => clicks.abandon());
  const options = {
    journal: clicks.journal.id,
    onError,
    onInfo,
    tracing,
    ...{ connections: config.DATABASE_POOL, patienceMs: config.DATABASE_TIMEOUT * 1_000 },
    ...{ staleMs: config.STALE_LIMIT * 1_000, maxTargets: config.LINKS_IN_MEMORY },
    writesLater: true,
  };
  const opening = waitForDatabase(() => openStorage(config.DATABASE_URL, options), {
    mayPass: (error) => sharesDatabase(config) && isPassing(error),
    onWait(reason) {
      log.warn({ reason }, 'The database cannot be used yet; the start waits for it.');
      given.onWait?.(reason);
    },
    onOpen() {
      log.info('The database can be used.');
      given.onWait?.('');
    },
    signal,
  });
  const storage = await unlessAborted(signal, opening, (late) => late.close());
  opened.defer(() => storage.close());
  const { journal } = clicks;
  const { applier, recovery } = clicks.applyTo(storage);
  opened.defer(() => applier.close());

  const hurry = given.upkeepEveryMs !== undefined && { intervalMs: given.upkeepEveryMs };
  const folding = createRounds({
    hasWork: () => storage.hasWork('rollUpClicks'),
    acquireLease: (everyMs) => storage.acquireLease('fold', now(), everyMs),
    slice: (afterRow) => storage.rollUpClicks(afterRow, rowsPerSlice),
    fault: 'Recent clicks, which count already, cannot be moved to the figures of their links yet.',
    onError,
    ...hurry,
  });
  const emptying = createRounds({
    hasWork: () => storage.hasWork('emptyFolders'),
    slice: async () => ((await storage.emptyFolders(rowsPerSlice)) ? 1 : undefined),
    fault: 'Links of deleted folders, which are in none already, cannot be tidied up yet.',
    intervalMs: emptyingMs,
    onError,
    ...hurry,
  });
  const limits = createLimits(now);
  // On a shared database its nodes and their workers count together; else the workers of this host do.
  const exchangeUses = sharesDatabase(config) ? exchangeThrough(storage) : peers?.exchangeUses;
  const exchange = exchangeUses && createLimitExchange({ limits, exchange: exchangeUses, onError, onInfo });
  for (const part of [folding, emptying, exchange]) opened.defer(async () => part?.close());
  let api: MountedApi | undefined;
  opened.defer(async () => api?.close());

  const outcomes = createOutcomes();
  const redirect = createRedirect({
    storage,
    journal,
    now,
    rootRedirect: config.ROOT_REDIRECT ?? undefined,
    hasReference: config.API_DOCS,
    codeMisses: limits.codeMisses,
    missLimit: config.CODE_MISS_LIMIT,
    newRequestId,
    baseUrl: () => baseUrl,
    onFault: onError,
    outcomes,
  });

  const visits = {
    redirect,
    classify: createClassify(),
    addressOf,
    referrerPolicy: config.REFERRER_POLICY ?? undefined,
  };

  const hasCors = config.CORS_ORIGINS.length > 0;
  const listener = createListener({
    redirect: createHttpVisits(visits, config.FAST_REDIRECTS ? slowRedirectsPerConnection : undefined),
    newRequestId,
    checkReady: createReadiness(storage, journal),
    tickLimit: createTickLimit(othersPerTick),
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
    // Visitors are served meanwhile. A client of the API then sees what was clicked before the start.
    await unlessAborted(signal, recovery.caughtUp(figuresPatienceMs));
    api = await mountApi({
      ...{ config, storage, listener, limits, now, log, tracing, randomBytes: random, newRequestId },
      ...{ unapplied: applier.unapplied, writeNow: journal.writeNow },
      ...{ addressOf, baseUrl: () => baseUrl, ownHosts, upkeepEveryMs: given.upkeepEveryMs },
    });
    const { stats, admission } = api;
    const watched = {
      ...{ listener, connections, admission, api: stats, outcomes },
      ...{ journal, applier, folding, storage },
    };
    metricsPort = await openMonitoring(config, watched, log, peers);
  };

  return {
    async listen() {
      for (const part of [applier, folding, exchange, emptying]) part?.start();
      // Visitors need not wait for the API; where other processes are on the port, they are served by those.
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
      // A service that was told to end meanwhile was never ready.
      isReady = !signal.aborted;
      return { url: baseUrl, port, firstKey };
    },
    async close(end = 'stop') {
      listener.drain(end);
      const delayMs = end === 'stop' && isReady ? config.SHUTDOWN_DELAY * 1_000 : 0;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await opened.disposeAsync();
    },
  };
}

/**
 * Loads the API, which takes a tenth of a second during which nothing else runs. Visitors who wait for the port are
 * answered before: the event loop accepts them in one tick, reads in the next, answers in a third.
 */
async function loadApi() {
  for (let ticks = 0; ticks < 4; ticks += 1) await tick();
  return import('./api.ts');
}

/** The key of a fresh installation: both scopes, tier enterprise (CONTRACT §7); the operator's own when one is given. */
async function createFirstKey(
  storage: Storage,
  config: Config,
  now: number,
  random: RandomBytes,
): Promise<string | undefined> {
  if (await storage.hasKeys()) return undefined;
  const given = config.BOOTSTRAP_API_KEY;
  const { id, token } = given === null ? drawKey(random) : { id: idInToken(given) ?? '', token: given };
  const created = await storage.createFirstKey({
    id,
    digest: digestOf(token),
    account: 'default',
    plan: 'enterprise',
    scopes: [...scopes],
    name: 'first key',
    createdAt: now,
    expiresAt: null,
  });
  return created === undefined || given !== null ? undefined : token;
}
