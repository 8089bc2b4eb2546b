import type { EventHub } from '../api/events/hub.ts';
import type { ApiStats } from '../api/request/stats.ts';
import type { Applier } from '../clicks/applier.ts';
import type { Journal } from '../clicks/journal/journal.ts';
import type { Config } from '../config.ts';
import type { BlockLists } from '../external/block-lists/block-lists.ts';
import type { Hosts } from '../external/certificates/certificates.ts';
import type { DestinationMonitor } from '../external/destination-monitoring/monitor.ts';
import type { Storage } from '../model/storage.ts';
import type { Outcomes } from '../redirect/outcomes.ts';
import type { BackgroundTask } from '../runtime/background-task.ts';
import { createServer } from '../runtime/node-http.ts';
import { version } from '../runtime/version.ts';
import type { Admission } from '../server/admission.ts';
import type { Connections } from '../server/connections.ts';
import type { Listener } from '../server/listener.ts';
import { listenOn } from '../server/port.ts';
import { type AnswerTlsCheck, createTlsCheck } from '../server/tls/check.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics/exposition.ts';
import type { MetricsSnapshot } from '../telemetry/metrics/snapshot.ts';
import type { SenderStats } from '../webhooks/sender.ts';
import type { ListedLinks } from './background/block-lists.ts';
import { lastBackup } from './installation.ts';
import type { Tls } from './tls.ts';
import type { WorkerPeers } from './worker-peers.ts';

/** Parts of the service that provide metrics. */
export interface Watched {
  readonly listener: Listener;
  readonly connections: Connections;
  readonly admission: Admission;
  readonly api: ApiStats;
  readonly eventHub: Pick<EventHub, 'clients'>;
  readonly outcomes: Outcomes;
  readonly journal: Journal;
  readonly applier: Applier;
  /** Task that adds recent clicks to their links' counts. */
  readonly folding: BackgroundTask;
  /** Task that moves click facts to columns. */
  readonly columns: BackgroundTask;
  /** Undefined if there is no backup schedule. */
  readonly backups: BackgroundTask | undefined;
  readonly storage: Storage;
  readonly blockLists: BlockLists;
  readonly listedLinks: ListedLinks;
  readonly destinations: Pick<DestinationMonitor, 'stats'> | undefined;
  readonly webhooks: { readonly stats: () => SenderStats };
  readonly hosts: Hosts;
  readonly tls: Pick<Tls, 'counts'> | undefined;
}

/** An open metrics port. */
export interface MetricsPort {
  close(): Promise<void>;
}

/**
 * Serves `/metrics` if the settings enable it: on its own port, or on the main port for clients with the token.
 * Otherwise, the metrics modules are not loaded. With several workers, each worker serves the metrics of all workers.
 * @returns the metrics port, if this process opened one
 * @throws Error if the port cannot be opened
 */
export async function openMonitoring(
  config: Config,
  watched: Watched,
  log: Logger,
  peers?: WorkerPeers,
): Promise<MetricsPort | undefined> {
  const { METRICS_PORT: port, METRICS_TOKEN: token } = config;
  if (port === null && token === null) return undefined;
  const read = await readerOf(config, watched, peers);
  peers?.onRead(read);
  const { textOf } = await import('../telemetry/metrics/exposition.ts');
  const text = async (): Promise<string> => textOf([await read()]);
  if (port === null) {
    const { createMetricsEndpoint } = await import('../telemetry/metrics/endpoint.ts');
    const answer = createMetricsEndpoint({ read: peers?.metrics ?? text, token, onFault: faultsTo(log) });
    watched.listener.mountMetrics(answer);
    return undefined;
  }
  return peers === undefined
    ? openMetricsPort(config, text, log, createTlsCheck(watched.hosts.has))
    : undefined; // the primary process opens the metrics port
}

/**
 * Opens the metrics port.
 * @param read returns all metrics as text
 * @param tlsCheck handles `/tls-check`. Undefined if this process does not know the hosts.
 * @throws Error if the port cannot be opened
 */
export async function openMetricsPort(
  { METRICS_PORT, METRICS_HOST: host, METRICS_TOKEN: token }: Config,
  read: () => Promise<string>,
  log: Logger,
  tlsCheck?: AnswerTlsCheck,
): Promise<MetricsPort> {
  const { createMetricsEndpoint, refuseOther } = await import('../telemetry/metrics/endpoint.ts');
  const answer = createMetricsEndpoint({ read, token, onFault: faultsTo(log) });
  // The keep-alive timeout is longer than the usual scrape interval, so that a scraper does not reuse a connection just
  // as the server closes it.
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    if (!answer(request, response) && !tlsCheck?.(request, response)) refuseOther(response);
  });
  const port = await listenOn(server, { port: METRICS_PORT ?? 0, host }, 'METRICS_');
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  log.info({ url: `${origin}/metrics` }, 'metrics are available');
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function faultsTo(log: Logger) {
  return (error: unknown): void =>
    log.error({ err: error }, 'could not collect metrics, so the scrape fails');
}

/** Starts collecting this process's metrics. @returns a function that reads the metrics */
async function readerOf(
  config: Config,
  watched: Watched,
  peers: WorkerPeers | undefined,
): Promise<() => Promise<Metrics>> {
  const { metricsOf, watchProcess } = await import('../telemetry/metrics/exposition.ts');
  const { watchEventLoop } = await import('../telemetry/metrics/event-loop.ts');
  const eventLoopDelay = watchEventLoop();
  const readProcess = watchProcess(peers === undefined ? {} : { worker: String(peers.number) });
  // With several workers, the primary process fills in the worker counts.
  const workers = { serving: peers === undefined ? 1 : 0, crashes: 0 };
  return async () => {
    const snapshot = await snapshotOf(config, watched);
    const own = metricsOf({ ...snapshot, workers, version, eventLoopDelay: eventLoopDelay() });
    return [...own, ...(await readProcess())];
  };
}

async function snapshotOf(
  config: Config,
  watched: Watched,
): Promise<Omit<MetricsSnapshot, 'version' | 'eventLoopDelay' | 'workers'>> {
  const { listener, admission, api, outcomes, journal, applier, folding, columns } = watched;
  const [ready, backedUpAt] = await Promise.all([listener.isReady(), lastBackup(config)]);
  const storage = watched.storage.stats();
  return {
    ready,
    backedUpAt,
    backupFailures: watched.backups?.stats().failures ?? 0,
    api,
    outcomes,
    storage,
    probes: listener.stats.probes,
    refusals: listener.stats.refusals,
    journal: journal.stats,
    unsyncedClicks: journal.progress().unsyncedClicks,
    clicksAtRisk: journal.health().clicksAtRisk,
    applier: applier.stats(),
    folding: folding.stats(),
    columns: columns.stats(),
    connections: watched.connections.stats(),
    eventStreams: watched.eventHub.clients(),
    admission: admission.stats(),
    blockLists: watched.blockLists.states(),
    listedLinks: watched.listedLinks.count(),
    destinationChecks: watched.destinations?.stats().checks ?? { fine: 0, problem: 0, unknown: 0 },
    failingDestinations: watched.destinations?.stats().failing,
    webhooks: watched.webhooks.stats(),
    certificates: watched.tls?.counts(),
  };
}
