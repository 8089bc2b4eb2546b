import { readFile } from 'node:fs/promises';
import type { Admission } from './admission.ts';
import type { ApiStats } from './api/stats.ts';
import type { Config } from './config.ts';
import type { Connections } from './connections.ts';
import { lastBackup } from './database.ts';
import type { Storage } from './domain/storage.ts';
import { createServer } from './http.ts';
import type { Logger } from './log.ts';
import type { Figures } from './metrics/figures.ts';
import type { Applier } from './redirect/applier.ts';
import type { Folding } from './redirect/folding.ts';
import type { Journal } from './redirect/journal.ts';
import type { Outcomes } from './redirect/stats.ts';
import { type Listener, listenOn } from './server.ts';

/** The parts that count. */
export interface Watched {
  readonly listener: Listener;
  readonly connections: Connections;
  readonly admission: Admission;
  readonly api: ApiStats;
  readonly outcomes: Outcomes;
  readonly journal: Journal;
  readonly applier: Applier;
  readonly folding: Folding;
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
 * Without either, nothing of it is even loaded.
 */
export const openMonitoring = async (config: Config, watched: Watched, log: Logger): Promise<Monitoring> => {
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token } = config;
  if (port === null && token === null) return off;
  const { createExposition, watchProcess } = await import('./metrics/exposition.ts');
  const { readingOf } = await import('./metrics/reading.ts');
  const { watchEventLoop } = await import('./metrics/event-loop.ts');
  const { createMetricsEndpoint, refuseOther } = await import('./metrics/endpoint.ts');
  const version = await ownVersion();
  const eventLoopDelay = watchEventLoop();
  const readProcess = watchProcess();
  const exposition = createExposition(async () => ({
    reading: readingOf({
      ...(await figuresOf(config, watched)),
      ...{ version, eventLoopDelay: eventLoopDelay() },
    }),
    processes: [{ labels: {}, metrics: await readProcess() }],
  }));
  const onFault = (error: unknown): void => log.error({ err: error }, 'metrics cannot be read');
  const answer = createMetricsEndpoint({ exposition, token, onFault });
  if (port === null) {
    watched.listener.mountMetrics(answer);
    return off;
  }

  const server = createServer((request, response) => {
    if (!answer(request, response)) refuseOther(request, response);
  });
  return {
    async listen() {
      const taken = await listenOn(server, port, host, 'METRICS_');
      log.info({ host, port: taken }, 'metrics');
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
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

const ownVersion = async (): Promise<string> => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
};
