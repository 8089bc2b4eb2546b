import { announce } from '../app/announce.ts';
import { awaitStopSignal } from '../app/process/signals.ts';
import { requireKnownNames } from '../app/process/stray-variables.ts';
import { createServiceManager } from '../app/process/systemd.ts';
import { forgetServer } from '../app/server-file.ts';
import type { Config } from '../config.ts';
import { createLog, type Logger } from '../telemetry/log.ts';
import { createIpcHub } from './ipc-hub.ts';
import { createWorkersMetrics, type WorkersMetrics, type WorkersMetricsOptions } from './metrics.ts';
import { startProcess } from './process.ts';
import { bindSockets, type Socket } from './socket.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

/** A stopping worker is killed after this many milliseconds. Normally, it has exited by then: it takes at most 30 s. */
const stopTimeoutMs = 35_000;

/**
 * Runs `linkfold serve` with several workers: binds the port, keeps the workers running, and relays their messages. The
 * primary has no storage and does not serve visitors. SIGINT and SIGTERM stop all workers gracefully; a second signal
 * stops them immediately. SIGUSR2 replaces the workers one by one. SIGUSR1 switches their log level. SIGHUP is ignored
 * if certificate files are configured.
 * @returns the exit code
 * @throws the error if the first worker cannot start, or if no worker can be started later
 */
export async function runWorkers(config: Config, count: number): Promise<number> {
  const log = await createLog(config.LOG_LEVEL, process.stdout, {});
  const serviceManager = createServiceManager(log);
  requireKnownNames(process.env, (sentence) => log.warn(sentence));
  const { promise: hasGivenUp, reject: giveUp } = Promise.withResolvers<never>();
  await using opened = new AsyncDisposableStack();
  const sockets = await bindSockets(config);
  const [socket] = sockets;
  for (const one of sockets) opened.defer(() => one.close());
  const metrics = await metricsFor(config, {
    serving: () => supervisor.serving(),
    crashes: () => supervisor.crashes(),
  });
  const hear = createIpcHub(metrics, (error) => log.error({ err: error }, 'could not collect metrics'));
  const supervisor = createSupervisor({
    startProcess: (number) =>
      startProcess(number, count, sockets, hear, number === 1 && supervisor.serving().length === 0),
    onServing: (worker) => metrics?.onServing(worker),
    onGone: (worker) => metrics?.onGone(worker),
    onGiveUp: giveUp,
    count,
    log,
  });
  opened.defer(() => supervisor.kill());
  const asked = awaitStopSignal(() => {
    supervisor.kill();
    process.exit(1);
  });
  process.on('SIGUSR2', () => void supervisor.replace());
  process.on('SIGUSR1', () => {
    for (const { pid } of supervisor.serving()) if (pid !== undefined) process.kill(pid, 'SIGUSR1');
  });
  // Ignores SIGHUP, which tools send after they have renewed the files in TLS_CERT. Workers check these files every
  // five seconds.
  if (config.TLS_CERT !== null) process.on('SIGHUP', () => {});
  const metricsPort = await openMetrics(config, metrics, log);
  opened.defer(async () => metricsPort?.close());
  const stopped = Promise.race([asked, hasGivenUp]);
  if (await start(supervisor, config, socket, log, stopped)) serviceManager.ready();
  const signal = await stopped;
  log.info({ signal }, 'shutting down: workers finish accepted requests');
  serviceManager.stopping();
  const isWell = await end(supervisor, config, log);
  forgetServer(config);
  log.info('stopped');
  return isWell ? 0 : 1;
}

async function metricsFor(
  { METRICS_PORT, METRICS_TOKEN }: Config,
  options: WorkersMetricsOptions,
): Promise<WorkersMetrics | undefined> {
  return METRICS_PORT === null && METRICS_TOKEN === null ? undefined : createWorkersMetrics(options);
}

async function openMetrics(config: Config, metrics: WorkersMetrics | undefined, log: Logger) {
  if (metrics === undefined || config.METRICS_PORT === null) return undefined;
  const { openMetricsPort } = await import('../app/monitoring.ts');
  return openMetricsPort(config, metrics.text, log);
}

/**
 * Starts the workers, and logs the startup message once all workers are serving. The first API key is shown even if
 * startup is aborted.
 * @returns true if the message was logged
 */
async function start(
  supervisor: Supervisor,
  config: Config,
  socket: Socket,
  log: Logger,
  stopped: Promise<unknown>,
): Promise<boolean> {
  const begun = await Promise.race([supervisor.start(), stopped.then(() => undefined)]);
  if (begun === undefined) return false;
  const areStarted = await Promise.race([begun.started.then(() => true), stopped.then(() => false)]);
  if (!areStarted && begun.secrets.firstKey === undefined) return false;
  announce(begun.secrets, config, socket.port, log);
  return true;
}

async function end(supervisor: Supervisor, config: Config, log: Logger): Promise<boolean> {
  const ms = config.SHUTDOWN_DELAY * 1_000 + stopTimeoutMs;
  const tooLate = setTimeout(() => {
    log.error({ ms }, 'shutdown took too long; killing the remaining workers');
    supervisor.kill();
  }, ms);
  return supervisor.stop().finally(() => clearTimeout(tooLate));
}
