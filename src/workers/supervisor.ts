import type { Secrets } from '../app/announce.ts';
import type { Logger } from '../telemetry/log.ts';
import type { WorkerProcess } from './process.ts';

/** The supervisor gives up once every worker has failed to start this many times in a row. */
const maxTries = 3;
const firstPauseMs = 250;
const maxPauseMs = 10_000;
/**
 * How often the log reports that a worker is still starting, in milliseconds. Startup may take a long time, especially
 * with a migration, and is never aborted.
 */
const startReportMs = 30_000;

export interface SupervisorOptions {
  /** Total number of workers. */
  readonly count: number;
  readonly startProcess: (number: number) => WorkerProcess;
  readonly log: Logger;
  /** Called when a process starts to serve. `onGone` is called when a process has ended. */
  readonly onServing: (process: WorkerProcess) => void;
  readonly onGone: (process: WorkerProcess) => void;
  /** Called with the reason if no worker is serving and no worker can be started. */
  readonly onGiveUp: (reason: unknown) => void;
}

/** Keeps the workers running, so that each worker always has one serving process. */
export interface Supervisor {
  /**
   * Starts the first worker, then all other workers at once.
   * @returns the secrets to show at startup
   * @throws Error with the reason if the first worker does not start
   */
  start(): Promise<{ readonly secrets: Secrets; readonly started: Promise<unknown> }>;
  /** Returns the serving processes, except those being replaced. */
  serving(): readonly WorkerProcess[];
  /** Returns the number of processes that ended unexpectedly. */
  crashes(): number;
  /**
   * Replaces the workers' processes one by one. An old process stops once the new process is serving. If a new process
   * does not start, the remaining old processes stay. A call during a reload starts another reload afterwards. The
   * promise never rejects.
   */
  replace(): Promise<void>;
  /**
   * Stops all processes gracefully and waits until they have ended.
   * @returns true if every process exited with code 0
   */
  stop(): Promise<boolean>;
  /** Kills all processes immediately. */
  kill(): void;
}

interface Worker {
  readonly number: number;
  /** The serving process. */
  process: WorkerProcess | undefined;
  /** Number of failed starts since the last successful start. */
  failures: number;
  /** The start in progress, if any. */
  starting: Promise<void> | undefined;
}

interface Context {
  readonly options: SupervisorOptions;
  readonly workers: readonly Worker[];
  /** All processes, including those that are starting or being replaced. */
  readonly processes: Set<WorkerProcess>;
  readonly leaving: Set<WorkerProcess>;
  crashes: number;
  isStopping: boolean;
  badEnds: number;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const workers = Array.from({ length: options.count }, (_, index): Worker => {
    return { number: index + 1, process: undefined, failures: 0, starting: undefined };
  });
  const processes = new Set<WorkerProcess>();
  const state = { crashes: 0, isStopping: false, badEnds: 0 };
  const context: Context = { options, workers, processes, leaving: new Set(), ...state };
  let replacing = Promise.resolve();

  return {
    async start() {
      const [first, ...others] = workers as [Worker, ...Worker[]];
      const process = startProcess(context, first);
      const secrets = await untilListening(context, first, process);
      serveBy(context, first, process);
      return { secrets, started: Promise.all(others.map((worker) => start(context, worker))) };
    },
    serving: () => workers.flatMap((worker) => worker.process ?? []),
    crashes: () => context.crashes,
    replace() {
      replacing = replacing.then(() => replaceAll(context));
      return replacing;
    },
    async stop() {
      context.isStopping = true;
      context.badEnds = 0;
      const ended = [...processes].map((process) => process.ended);
      for (const process of processes) process.end('stop');
      await Promise.all(ended);
      return context.badEnds === 0;
    },
    kill() {
      context.isStopping = true;
      for (const process of processes) process.kill();
    },
  };
}

function startProcess(context: Context, worker: Worker): WorkerProcess {
  const { options, processes } = context;
  const process = options.startProcess(worker.number);
  processes.add(process);
  void process.ended.then(({ code }) => {
    processes.delete(process);
    if (code !== 0) context.badEnds += 1;
    options.onGone(process);
  });
  return process;
}

function serveBy(context: Context, worker: Worker, process: WorkerProcess): void {
  const { options, leaving } = context;
  const { log } = options;
  worker.process = process;
  worker.failures = 0;
  log.info({ worker: worker.number, workerPid: process.pid }, 'a worker is ready');
  options.onServing(process);
  void process.ended.then((exit) => {
    if (worker.process === process) worker.process = undefined;
    if (context.isStopping || leaving.delete(process)) return;
    context.crashes += 1;
    const facts = { worker: worker.number, workerPid: process.pid, ...exit };
    log.error(facts, 'a worker exited; starting another one');
    if (worker.process === undefined) void start(context, worker);
  });
}

function reportFailure(context: Context, worker: Worker, error: unknown): void {
  const { log } = context.options;
  worker.failures += 1;
  const reason = error instanceof Error ? error.message : String(error);
  log.error({ worker: worker.number, failures: worker.failures, reason }, 'a worker failed to start');
}

function untilListening(context: Context, worker: Worker, process: WorkerProcess): Promise<Secrets> {
  const { log } = context.options;
  const slow = setInterval(() => {
    const facts = { worker: worker.number, workerPid: process.pid };
    const isAlone = worker.process === undefined;
    log.warn(facts, `a worker is not ready yet${isAlone ? '' : '; the previous one continues'}`);
  }, startReportMs);
  return process.listening.finally(() => clearInterval(slow));
}

async function tryUntilServing(context: Context, worker: Worker): Promise<void> {
  const { options, workers } = context;
  while (!context.isStopping && worker.process === undefined) {
    const process = startProcess(context, worker);
    try {
      await untilListening(context, worker, process);
      serveBy(context, worker, process);
    } catch (error) {
      if (context.isStopping) return;
      reportFailure(context, worker, error);
      const isHopeless = workers.every((one) => one.process === undefined && one.failures >= maxTries);
      if (isHopeless) return options.onGiveUp(error);
      await pause(Math.min(maxPauseMs, firstPauseMs * 2 ** (worker.failures - 1)));
    }
  }
}

function start(context: Context, worker: Worker): Promise<void> {
  return worker.starting ?? startBy(worker, () => tryUntilServing(context, worker));
}

async function startNew(context: Context, worker: Worker): Promise<void> {
  const { leaving } = context;
  const process = startProcess(context, worker);
  await untilListening(context, worker, process);
  const old = worker.process;
  serveBy(context, worker, process);
  if (old === undefined) return;
  leaving.add(old);
  old.end('leave');
}

async function replaceAll(context: Context): Promise<void> {
  const { workers } = context;
  const { log, count } = context.options;
  if (context.isStopping) return;
  log.info({ workers: count }, 'replacing the workers one by one');
  for (const worker of workers) {
    await worker.starting;
    if (context.isStopping) return;
    try {
      const old = worker.process;
      await startBy(worker, () => startNew(context, worker));
      await old?.ended;
    } catch (error) {
      if (context.isStopping) return;
      reportFailure(context, worker, error);
      log.error(
        'the remaining workers were not replaced and continue to run; correct the problem and reload again',
      );
      if (worker.process === undefined) void start(context, worker);
      return;
    }
  }
  log.info({ workers: count }, 'all workers were replaced');
}

function startBy(worker: Worker, work: () => Promise<void>): Promise<void> {
  worker.starting = work().finally(() => {
    worker.starting = undefined;
  });
  return worker.starting;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
