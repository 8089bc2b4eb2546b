import type { Config } from '../config.ts';
import { createExcludedBrowsers } from '../model/accounts/excluded-browsers.ts';
import type { Storage } from '../model/storage.ts';
import { pathOfBase } from '../runtime/base-path.ts';
import type { End, Listener } from '../server/listener.ts';
import { createStartListener, type StartListener } from '../server/start-listener.ts';
import { openStorage } from '../storage/open.ts';
import { isTransient } from '../storage/postgres/connections/errors.ts';
import { createLog } from '../telemetry/log.ts';
import { openTracing } from '../telemetry/tracing.ts';
import type { MountedApi } from './api.ts';
import { openWebhooks } from './background/webhooks.ts';
import { openBackground } from './background.ts';
import { openClickFacts } from './click-facts.ts';
import { openClicks } from './clicks.ts';
import { type Dependencies, newRequestId, type Options } from './dependencies.ts';
import { createFirstKey, createStartLogin } from './first-key.ts';
import { createHosts } from './hosts.ts';
import { makeDataDir, randomBytes, sharesDatabase } from './installation.ts';
import { createPublicListener } from './listener.ts';
import { loadApi } from './load-api.ts';
import { type MetricsPort, openMonitoring } from './monitoring.ts';
import { createOrigin, type Origin } from './origin.ts';
import { unlessAborted } from './process/abort.ts';
import { waitForDatabase } from './process/wait-for-database.ts';
import { encryptionOf, openSecret } from './secret.ts';
import type { Tls } from './tls.ts';

export interface App {
  /**
   * Starts serving visitors immediately, and API requests as soon as the API is loaded.
   * @returns the origin of the short URLs, the port, a new installation's first key in plain text (returned only once),
   * and a login token if requested
   * @throws Error if a port cannot be opened or storage is not writable; the signal's reason if the signal is aborted
   * during startup
   */
  listen(): Promise<{ url: string; port: number; firstKey: string | undefined; login: string | undefined }>;
  /**
   * Completes accepted requests, applies all clicks and closes storage. If the service was ready, it first waits
   * `SHUTDOWN_DELAY` seconds, so that load balancers stop sending visitors.
   * @param end `leave` if other processes continue to serve the port. The service then does not wait, and reports ready
   * until it stops.
   */
  close(end?: End): Promise<void>;
}

/**
 * Maximum time in ms that the API waits for clicks left behind by killed processes to be applied. After a crash under
 * load, applying them takes a fraction of this time.
 */
const clicksTimeoutMs = 3_000;
/**
 * Assembles the service from its parts: first the journal and storage, then the redirect, the server, the rules and the
 * API.
 * @throws the error that prevented startup, after closing everything that was opened; the signal's reason if the signal
 * is aborted
 */
export async function createApp(config: Config, overrides: Partial<Options> = {}): Promise<App> {
  const opened = new AsyncDisposableStack();
  try {
    return await assemble(config, overrides, opened);
  } catch (error) {
    // Errors during cleanup are ignored, so that the original error is reported.
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: parts are closed in the reverse of this order, which is easiest to read in one function
async function assemble(
  config: Config,
  overrides: Partial<Options>,
  opened: AsyncDisposableStack,
): Promise<App> {
  const log = overrides.log ?? (await createLog(config.LOG_LEVEL));
  makeDataDir(config);
  const tracing = await openTracing(log);
  opened.defer(async () => tracing?.close());
  const dependencies: Dependencies = {
    config,
    overrides,
    opened,
    log,
    tracing,
    now: overrides.now ?? Date.now,
    randomBytes: overrides.randomBytes ?? randomBytes,
    onError: (sentence, facts = {}) => log.error(facts, sentence),
    onInfo: (sentence, facts = {}) => log.info(facts, sentence),
    signal: overrides.signal ?? new AbortController().signal,
  };
  let metricsPort: MetricsPort | undefined;
  opened.defer(async () => metricsPort?.close());
  const clicks = openClicks(config, {
    onError: dependencies.onError,
    onInfo: dependencies.onInfo,
    tracing,
    segmentBytes: overrides.segmentBytes,
    applyEveryMs: overrides.applyEveryMs,
  });
  opened.defer(() => clicks.abandon());
  const startListener = openStartListener(dependencies);
  const storage = await openDatabase(dependencies, clicks.journal.id, startListener.open);
  const { applier, recovery } = clicks.applyTo(storage);
  opened.defer(() => applier.close());
  const origin = createOrigin(config);
  const background = openBackground(dependencies, storage, origin);
  let api: MountedApi | undefined;
  opened.defer(async () => api?.close());
  const { readFacts, salts } = await openClickFacts(config, { ...dependencies, storage });
  opened.defer(() => salts.close());
  const hosts = createHosts(config, storage);
  const destinationRules = {
    maxLength: config.MAX_URL_LENGTH,
    ownHosts: origin.ownHosts,
    ownPath: pathOfBase(config.BASE_URL),
    blockedHosts: config.BLOCKED_HOSTS,
    blockPrivate: config.BLOCK_PRIVATE_DESTINATIONS,
    isListed: (host: string) => background.blockLists.listOf(host) !== undefined,
  };
  const excludedBrowsers = createExcludedBrowsers(() => openSecret(config));
  const publicListener = createPublicListener(dependencies, {
    storage,
    excludedBrowsers,
    journal: clicks.journal,
    readFacts,
    origin,
    hosts,
    destinationRules,
    ...background,
  });
  // The TLS module is loaded on demand, because few installations need TLS, and the module loads a large part of Node.
  const { openTls } = config.HTTPS_PORT === null ? {} : await import('./tls.ts');
  const tls = openTls?.(dependencies, { storage, hosts, origin, ...publicListener });

  const encryption = encryptionOf(config);
  const startApi = async (): Promise<void> => {
    const { mountApi } = await loadApi();
    // Waits until clicks recorded before startup are applied, so that API responses include them. Visitors are served
    // in the meantime.
    await unlessAborted(dependencies.signal, recovery.caughtUp(clicksTimeoutMs));
    // Links must not be created before they can be checked against the block lists.
    await unlessAborted(dependencies.signal, background.blockLists.load(true));
    api = await mountApi({
      ...dependencies,
      ...publicListener,
      ...origin,
      storage,
      excludedBrowsers,
      limits: background.limits,
      newRequestId,
      unapplied: applier.unapplied,
      writeNow: clicks.journal.writeNow,
      hosts,
      checkRecords: background.checkRecords,
      readFacts,
      destinationRules,
      encryption,
      upkeepEveryMs: overrides.upkeepEveryMs,
    });
    const webhooks = openWebhooks(config, { ...dependencies, storage, encryption, ...api.bodies });
    opened.defer(webhooks.task.close);
    webhooks.task.start();
    const { stats, admission, eventHub } = api;
    const watched = {
      ...background,
      ...publicListener,
      admission,
      api: stats,
      eventHub,
      journal: clicks.journal,
      applier,
      storage,
      hosts,
      tls,
      webhooks,
    };
    metricsPort = await openMonitoring(config, watched, log, overrides.peers);
  };
  const start = (): void => {
    for (const part of [applier, background.exchange, salts, ...background.tasks]) part?.start();
  };
  return createService(dependencies, {
    storage,
    start,
    startApi,
    recovery,
    ...publicListener,
    tls,
    origin,
    mounted: () => api,
    startListener,
  });
}

/**
 * Milliseconds after which a service that is still starting opens its port to answer probes. If startup is faster, the
 * port stays closed until the service is ready, so that proxies try another node.
 */
const shortStartMs = 2_000;

function openStartListener({ config, opened, overrides: { peers } }: Dependencies): StartListener {
  const place = { port: peers?.socket.port ?? config.PORT, host: config.HOST, fd: peers?.socket.fd };
  const startListener = createStartListener(place, newRequestId);
  opened.defer(() => startListener.close());
  // Opens the start listener only if no other worker is serving the port. Otherwise, it would receive visitors that
  // another worker could redirect.
  return peers === undefined || peers.startsAlone ? startListener : { ...startListener, open: () => {} };
}

/** Opens storage. If a shared database is not available yet, waits for it. */
async function openDatabase(
  dependencies: Dependencies,
  journal: string,
  answerProbes: () => void,
): Promise<Storage> {
  const { config, log, now, onError, onInfo, opened, overrides, signal, tracing } = dependencies;
  const options = {
    journal,
    onError,
    onInfo,
    tracing,
    now,
    connections: config.DATABASE_POOL,
    patienceMs: config.DATABASE_TIMEOUT * 1_000,
    staleMs: config.STALE_LIMIT * 1_000,
    maxTargets: config.LINKS_IN_MEMORY,
    statisticsDays: config.STATISTICS_DAYS ?? undefined,
    maxClicksOfAnswer: config.STATISTICS_MAX_CLICKS,
    writesLater: true,
  };
  const opening = waitForDatabase(() => openStorage(config.DATABASE_URL, options), {
    mayPass: (error) => sharesDatabase(config) && isTransient(error),
    onWait(reason) {
      answerProbes();
      log.warn({ reason }, 'Waiting for the database.');
      overrides.onWait?.(reason);
    },
    onOpen() {
      log.info('The database is available.');
      overrides.onWait?.('');
    },
    signal,
  });
  const slow = setTimeout(answerProbes, shortStartMs);
  const storage = await unlessAborted(signal, opening, (late) => late.close()).finally(() =>
    clearTimeout(slow),
  );
  opened.defer(() => storage.close());
  return storage;
}

interface ServiceParts {
  readonly storage: Storage;
  readonly listener: Listener;
  readonly tls: Tls | undefined;
  readonly origin: Origin;
  readonly recovery: { start(): void };
  readonly start: () => void;
  readonly startApi: () => Promise<void>;
  /** Returns the mounted API, or undefined until it is mounted. */
  readonly mounted: () => MountedApi | undefined;
  readonly startListener: StartListener;
}

/** Creates the service, and defines the order in which its components start and stop. */
function createService(
  { config, now, opened, overrides, randomBytes, signal }: Dependencies,
  parts: ServiceParts,
): App {
  const { storage, listener, tls, origin, recovery, start, startApi, mounted, startListener } = parts;
  const { peers } = overrides;
  let isReady = false;
  const openPort = async (): Promise<number> => {
    const from = await startListener.handOver();
    const [wanted, host] = [peers?.socket.port ?? config.PORT, config.HOST];
    const port = await listener.listen({ port: wanted, host, fd: peers?.socket.fd, from });
    origin.listensAt(port);
    await tls?.listen();
    return port;
  };
  return {
    async listen() {
      start();
      const { keepFirstKey } = overrides;
      if (keepFirstKey !== undefined && !(await storage.hasKeys())) {
        await unlessAborted(signal, storage.ready());
        const key = await createFirstKey(storage, config, now(), randomBytes);
        if (key !== undefined) keepFirstKey(key);
      }
      // A single process serves visitors before the API is loaded. With several workers, the other workers on the port
      // serve visitors in the meantime, so this one opens the port later.
      const early = peers === undefined ? await openPort() : undefined;
      recovery.start();
      // The writer thread starts while this thread loads the API.
      const writable = storage.ready();
      writable.catch(() => {}); // the error is handled below
      await startApi();
      await writable;
      signal.throwIfAborted();
      const port = early ?? (await openPort());
      // The first key is created last, because it is displayed only once: a startup that fails or is aborted must not
      // create it.
      const firstKey = await createFirstKey(storage, config, now(), randomBytes);
      const wantsLogin = overrides.wantsLogin && config.DASHBOARD;
      const login = wantsLogin ? await createStartLogin(storage, now(), randomBytes) : undefined;
      // If the stop signal arrived during startup, load balancers have never seen the service ready, so `close` need
      // not wait for them.
      isReady = !signal.aborted;
      return { url: origin.baseUrl(), port, firstKey, login };
    },
    async close(end = 'stop') {
      listener.drain(end);
      // Event streams are closed first, because the listener waits until their connections are closed.
      mounted()?.eventHub.close();
      const delayMs = end === 'stop' && isReady ? config.SHUTDOWN_DELAY * 1_000 : 0;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      mounted()?.abortExports();
      await opened.disposeAsync();
    },
  };
}
