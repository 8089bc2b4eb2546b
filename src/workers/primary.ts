import { announce } from '../app/announce.ts';
import { awaitStopSignal } from '../app/process/signals.ts';
import { strayVariables } from '../app/process/stray-variables.ts';
import { createServiceManager } from '../app/process/systemd.ts';
import type { Config } from '../config.ts';
import { createLog, type Logger } from '../telemetry/log.ts';
import { createSharedFigures, type SharedFigures } from './figures.ts';
import { createIpcHub } from './ipc-hub.ts';
import { startWorker } from './process.ts';
import { bindSocket, type Socket } from './socket.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

/** A worker gives up by itself after 30 s; one that does not even do that is ended, ms. */
const patienceMs = 35_000;

/**
 * The whole life of `linkfold serve` with several workers: binds the port, keeps the workers running, and passes on
 * what they share. It has no storage and answers no visitor. SIGINT and SIGTERM stop all workers gracefully, a second
 * one at once; SIGUSR2 replaces them one after the other.
 * @returns the exit code
 * @throws what keeps the first worker from starting, or later on every one
 */
export async function runWorkers(config: Config, count: number): Promise<number> {
  const log = await createLog(config.LOG_LEVEL, process.stdout, {});
  const supervisor = createServiceManager(log);
  for (const sentence of strayVariables(process.env)) log.warn(sentence);
  const { promise: hasGivenUp, reject: giveUp } = Promise.withResolvers<never>();
  await using opened = new AsyncDisposableStack();
  const socket = await bindSocket(config);
  opened.defer(() => socket.close());
  const figures = await figuresFor(config, {
    serving: () => places.serving(),
    crashes: () => places.crashes(),
  });
  const exchange = createIpcHub(figures, (error) => log.error({ err: error }, 'metrics cannot be read'));
  const places = createSupervisor({
    start: (number) => startWorker(number, socket, exchange.hear),
    onServing: (worker) => figures?.onServing(worker),
    onGone(worker) {
      exchange.onGone(worker);
      figures?.onGone(worker);
    },
    onGiveUp: giveUp,
    ...{ count, log },
  });
  opened.defer(() => places.kill());
  const asked = awaitStopSignal(() => {
    places.kill();
    process.exit(1);
  });
  process.on('SIGUSR2', () => void places.replace());
  const metrics = await openMetrics(config, figures, log);
  opened.defer(async () => metrics?.close());
  const stopped = Promise.race([asked, hasGivenUp]);
  if (await start(places, config, socket, log, stopped)) supervisor.ready();
  const signal = await stopped;
  log.info({ signal }, 'stopping: every worker finishes accepted requests');
  supervisor.stopping();
  const isWell = await end(places, config, log);
  log.info('stopped');
  return isWell ? 0 : 1;
}

async function figuresFor(
  { METRICS_PORT, METRICS_TOKEN }: Config,
  given: Pick<Supervisor, 'serving' | 'crashes'>,
): Promise<SharedFigures | undefined> {
  return METRICS_PORT === null && METRICS_TOKEN === null ? undefined : createSharedFigures(given);
}

async function openMetrics(config: Config, figures: SharedFigures | undefined, log: Logger) {
  if (figures === undefined || config.METRICS_PORT === null) return undefined;
  const { openMetricsPort } = await import('../app/monitoring.ts');
  return openMetricsPort(config, figures.exposition, log);
}

/**
 * Starts the workers and says so once: when all of them serve, or, with a first key to show, when that is not to be.
 * @returns whether it said so
 */
async function start(
  places: Supervisor,
  config: Config,
  socket: Socket,
  log: Logger,
  stopped: Promise<unknown>,
): Promise<boolean> {
  const begun = await Promise.race([places.fill(), stopped.then(() => undefined)]);
  if (begun === undefined) return false;
  const isFilled = await Promise.race([begun.filled.then(() => true), stopped.then(() => false)]);
  if (!isFilled && begun.firstKey === undefined) return false;
  announce(begun.firstKey, config, socket.port, log);
  return true;
}

async function end(places: Supervisor, config: Config, log: Logger): Promise<boolean> {
  const ms = config.SHUTDOWN_DELAY * 1_000 + patienceMs;
  const tooLate = setTimeout(() => {
    log.error({ ms }, 'stopping took too long; the workers that are left are ended');
    places.kill();
  }, ms);
  return places.stop().finally(() => clearTimeout(tooLate));
}
