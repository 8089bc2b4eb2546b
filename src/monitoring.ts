import type { Admission } from './admission.ts';
import type { ApiStats } from './api/stats.ts';
import type { Config } from './config.ts';
import type { Connections } from './connections.ts';
import { lastBackup } from './database.ts';
import type { Storage } from './domain/storage.ts';
import { createServer } from './http.ts';
import type { Logger } from './log.ts';
import type { Exposition } from './metrics/exposition.ts';
import type { Figures } from './metrics/figures.ts';
import { listenOn } from './port.ts';
import type { Applier } from './redirect/applier.ts';
import type { ClickLog } from './redirect/database-sink.ts';
import type { Outcomes } from './redirect/stats.ts';
import type { Rounds } from './rounds.ts';
import type { Listener } from './server.ts';
import { version } from './version.ts';
import type { Crew } from './workers/crew.ts';
import type { ProcessFigures } from './workers/messages.ts';

/** The parts that count. */
export interface Watched {
  readonly listener: Listener;
  readonly connections: Connections;
  readonly admission: Admission;
  readonly api: ApiStats;
  readonly outcomes: Outcomes;
  readonly journal: ClickLog;
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
export const openMonitoring = async (
  config: Config,
  watched: Watched,
  log: Logger,
  crew?: Pick<Crew, 'onRead' | 'metrics'>,
): Promise<Monitoring> => {
  const { METRICS_PORT: port, METRICS_TOKEN: token } = config;
  if (port === null && token === null) return off;
  const read = await readerOf(config, watched);
  const exposition = await expositionOf(read, crew);
  crew?.onRead(read);
  if (port === null) {
    const { createMetricsEndpoint } = await import('./metrics/endpoint.ts');
    watched.listener.mountMetrics(createMetricsEndpoint({ exposition, token, onFault: faultsTo(log) }));
    return off;
  }
  if (crew !== undefined) return off; // it is the primary's
  let opened: Pick<Monitoring, 'close'> | undefined;
  return {
    async listen() {
      opened = await openMetricsPort(config, exposition, log);
    },
    close: async () => opened?.close(),
  };
};

/** Opens the port of its own. @throws when it cannot be had */
export const openMetricsPort = async (
  { METRICS_PORT, METRICS_HOST: host, METRICS_TOKEN: token }: Config,
  exposition: Exposition,
  log: Logger,
): Promise<Pick<Monitoring, 'close'>> => {
  const { createMetricsEndpoint, refuseOther } = await import('./metrics/endpoint.ts');
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
};

const faultsTo =
  (log: Logger) =>
  (error: unknown): void =>
    log.error({ err: error }, 'metrics cannot be read');

type Read = () => Promise<ProcessFigures>;

const expositionOf = async (read: Read, crew: Pick<Crew, 'metrics'> | undefined): Promise<Exposition> => {
  const { createExposition } = await import('./metrics/exposition.ts');
  const alone = createExposition(async () => {
    const { reading, process } = await read();
    return { reading, processes: [{ labels: {}, metrics: process }] };
  });
  return crew === undefined ? alone : { ...alone, text: crew.metrics };
};

/** Starts to watch this process. @returns a function that reads everything that is known about it */
const readerOf = async (config: Config, watched: Watched): Promise<Read> => {
  const { watchProcess } = await import('./metrics/exposition.ts');
  const { readingOf } = await import('./metrics/reading.ts');
  const { watchEventLoop } = await import('./metrics/event-loop.ts');
  const eventLoopDelay = watchEventLoop();
  const readProcess = watchProcess();
  return async () => {
    const figures = await figuresOf(config, watched);
    return {
      reading: readingOf({ ...figures, version, eventLoopDelay: eventLoopDelay() }),
      process: await readProcess(),
    };
  };
};

const figuresOf = async (
  config: Config,
  watched: Watched,
): Promise<Omit<Figures, 'version' | 'eventLoopDelay'>> => {
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
};
