import { createServer } from 'node:http';
import type { ApiStats } from '../api/stats.ts';
import type { Applier } from '../clicks/applier.ts';
import type { Journal } from '../clicks/journal/journal.ts';
import type { Config } from '../config.ts';
import type { Storage } from '../domain/storage.ts';
import type { Outcomes } from '../redirect/outcomes.ts';
import type { Rounds } from '../runtime/rounds.ts';
import { version } from '../runtime/version.ts';
import type { Admission } from '../server/admission.ts';
import type { Connections } from '../server/connections.ts';
import type { Listener } from '../server/listener.ts';
import { listenOn } from '../server/port.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Exposition } from '../telemetry/metrics/exposition.ts';
import type { Figures } from '../telemetry/metrics/figures.ts';
import { lastBackup } from './operator.ts';
import type { ProcessFigures, WorkerPeers } from './peers.ts';

/** The parts that count. */
export interface Watched {
  readonly listener: Listener;
  readonly connections: Connections;
  readonly admission: Admission;
  readonly api: ApiStats;
  readonly outcomes: Outcomes;
  readonly journal: Journal;
  readonly applier: Applier;
  /** Of recent clicks to the figures of their links. */
  readonly folding: Rounds;
  readonly storage: Storage;
}

export interface Monitoring {
  /** Opens the port of its own, when there is one. @throws when it cannot be had */
  listen(): Promise<void>;
  close(): Promise<void>;
}

const off: Monitoring = { listen: async () => {}, close: async () => {} };

/**
 * `/metrics`, where and if the settings want it: on a port of its own, or on the main one for whoever has the token.
 * Without either, nothing of it is even loaded. One of several workers shows what all of them count.
 */
export async function openMonitoring(
  config: Config,
  watched: Watched,
  log: Logger,
  peers?: Pick<WorkerPeers, 'onRead' | 'metrics'>,
): Promise<Monitoring> {
  const { METRICS_PORT: port, METRICS_TOKEN: token } = config;
  if (port === null && token === null) return off;
  const read = await readerOf(config, watched);
  const exposition = await expositionOf(read, peers);
  peers?.onRead(read);
  if (port === null) {
    const { createMetricsEndpoint } = await import('../telemetry/metrics/endpoint.ts');
    watched.listener.mountMetrics(createMetricsEndpoint({ exposition, token, onFault: faultsTo(log) }));
    return off;
  }
  if (peers !== undefined) return off; // it is the primary's
  let opened: Pick<Monitoring, 'close'> | undefined;
  return {
    async listen() {
      opened = await openMetricsPort(config, exposition, log);
    },
    close: async () => opened?.close(),
  };
}

/** Opens the port of its own. @throws when it cannot be had */
export async function openMetricsPort(
  { METRICS_PORT, METRICS_HOST: host, METRICS_TOKEN: token }: Config,
  exposition: Exposition,
  log: Logger,
): Promise<Pick<Monitoring, 'close'>> {
  const { createMetricsEndpoint, refuseOther } = await import('../telemetry/metrics/endpoint.ts');
  const answer = createMetricsEndpoint({ exposition, token, onFault: faultsTo(log) });
  const server = createServer((request, response) => {
    if (!answer(request, response)) refuseOther(request, response);
  });
  const port = await listenOn(server, { port: METRICS_PORT ?? 0, host }, 'METRICS_');
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  log.info({ url: `${origin}/metrics` }, 'metrics can be scraped');
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function faultsTo(log: Logger) {
  return (error: unknown): void => log.error({ err: error }, 'metrics cannot be read');
}

type Read = () => Promise<ProcessFigures>;

async function expositionOf(
  read: Read,
  peers: Pick<WorkerPeers, 'metrics'> | undefined,
): Promise<Exposition> {
  const { createExposition } = await import('../telemetry/metrics/exposition.ts');
  const alone = createExposition(async () => {
    const { reading, process } = await read();
    return { reading, processes: [{ labels: {}, metrics: process }] };
  });
  return peers === undefined ? alone : { ...alone, text: peers.metrics };
}

/** Starts to watch this process. @returns a function that reads everything that is known about it */
async function readerOf(config: Config, watched: Watched): Promise<Read> {
  const { watchProcess } = await import('../telemetry/metrics/exposition.ts');
  const { readingOf } = await import('../telemetry/metrics/reading.ts');
  const { watchEventLoop } = await import('../telemetry/metrics/event-loop.ts');
  const eventLoopDelay = watchEventLoop();
  const readProcess = watchProcess();
  return async () => {
    const figures = await figuresOf(config, watched);
    return {
      reading: readingOf({ ...figures, version, eventLoopDelay: eventLoopDelay() }),
      process: await readProcess(),
    };
  };
}

async function figuresOf(
  config: Config,
  watched: Watched,
): Promise<Omit<Figures, 'version' | 'eventLoopDelay'>> {
  const { listener, admission, api, outcomes, journal, applier, folding } = watched;
  const [ready, backedUpAt] = await Promise.all([listener.isReady(), lastBackup(config)]);
  const storage = watched.storage.stats();
  return {
    ...{ ready, backedUpAt, api, outcomes, storage },
    // Of a process that serves alone; the primary of several knows better.
    workers: { serving: 1, crashes: 0 },
    probes: listener.stats.probes,
    refusals: listener.stats.refusals,
    journal: journal.stats,
    unsyncedClicks: journal.progress().unsyncedClicks,
    clicksAtRisk: journal.health().clicksAtRisk,
    applier: applier.stats(),
    folding: folding.stats(),
    connections: watched.connections.stats(),
    admission: admission.stats(),
  };
}
