import type { Metrics } from '../telemetry/metrics/exposition.ts';
import { createPendingRequests } from './pending-requests.ts';
import type { WorkerProcess } from './process.ts';

/**
 * Milliseconds that a worker may take to return its metrics. Reading storage may take two seconds. After a timeout, the
 * worker's last known metrics are shown.
 */
const readTimeoutMs = 3_000;

export interface WorkersMetricsOptions {
  /** Returns the workers that are serving. */
  readonly serving: () => readonly WorkerProcess[];
  readonly crashes: () => number;
}

/** Metrics of the whole service, from all workers. Counts from workers that have ended are included. */
export interface WorkersMetrics {
  text(): Promise<string>;
  onServing(worker: WorkerProcess): void;
  hear(from: WorkerProcess, metrics: Metrics, id?: number): void;
  /**
   * Keeps the counts of a worker that has ended. The counts come from the worker's final message, or else from the last
   * time its metrics were read.
   */
  onGone(worker: WorkerProcess): void;
}

/** Loads the metrics modules and creates the service's metrics. */
export async function createWorkersMetrics(options: WorkersMetricsOptions): Promise<WorkersMetrics> {
  const { metricOf, sumOf, textOf, watchProcess } = await import('../telemetry/metrics/exposition.ts');
  const readPrimary = watchProcess({ worker: 'primary' });
  const questions = createPendingRequests<Metrics>(readTimeoutMs);
  /** Last known metrics of each worker process that has started serving and has not ended. */
  const last = new Map<WorkerProcess, Metrics>();
  let gone: Metrics = [];

  const readWorker = async (worker: WorkerProcess): Promise<void> => {
    const metrics = await Promise.race([
      questions.ask((id) => worker.send({ say: 'read', id })),
      worker.ended.then(() => undefined),
    ]);
    if (metrics !== undefined && last.has(worker)) last.set(worker, metrics);
  };

  return {
    async text() {
      const answers = await Promise.allSettled([...last.keys()].map(readWorker));
      const primary = await readPrimary();
      // Does not `await` after this line, so that a worker that ends is counted exactly once, in `gone` or in `last`.
      const serving = options.serving();
      const isReady = serving.length > 0 && answers.every(({ status }) => status === 'fulfilled');
      const ofWorkers = [...last].map(([worker, metrics]) =>
        serving.includes(worker) ? metrics : withoutProcessMetrics(metrics),
      );
      const own = [
        metricOf('linkfold_workers', serving.length),
        metricOf('linkfold_worker_crashes_total', options.crashes()),
        ...(isReady ? [] : [metricOf('linkfold_ready', 0)]),
      ];
      return textOf([...ofWorkers, gone, own, primary]);
    },
    onServing: (worker) => void last.set(worker, []),
    hear(from, metrics, id) {
      if (id !== undefined) questions.answer(id, metrics);
      else if (last.has(from)) last.set(from, metrics);
    },
    onGone(worker) {
      const counted = withoutProcessMetrics(last.get(worker) ?? []).filter(({ type }) => type !== 'gauge');
      gone = sumOf([gone, counted]);
      last.delete(worker);
    },
  };
}

/** Returns the metrics of a stopping worker without its readiness and process metrics, which no longer apply. */
function withoutProcessMetrics(metrics: Metrics): Metrics {
  return metrics.filter(({ name }) => name.startsWith('linkfold_') && name !== 'linkfold_ready');
}
