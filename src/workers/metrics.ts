import type { Metrics } from '../telemetry/metrics/exposition.ts';
import { createPendingRequests } from './pending-requests.ts';
import type { WorkerProcess } from './process.ts';

/**
 * How long a worker may take to return its metrics, ms (reading storage may take two seconds). After a timeout, its
 * last metrics are shown.
 */
const readTimeoutMs = 3_000;

export interface WorkersMetricsOptions {
  /** Returns the workers that are serving. */
  readonly serving: () => readonly WorkerProcess[];
  readonly crashes: () => number;
}

/** Metrics of the service: of all workers, plus the counts of workers that have ended. */
export interface WorkersMetrics {
  text(): Promise<string>;
  onServing(worker: WorkerProcess): void;
  hear(from: WorkerProcess, metrics: Metrics, id?: number): void;
  /** Keeps the counts of a worker that has ended: from its final message, or otherwise from the last read. */
  onGone(worker: WorkerProcess): void;
}

/** Loads the metrics modules and creates the metrics of the service. */
export async function createWorkersMetrics(options: WorkersMetricsOptions): Promise<WorkersMetrics> {
  const { metricOf, sumOf, textOf, watchProcess } = await import('../telemetry/metrics/exposition.ts');
  const readPrimary = watchProcess({ worker: 'primary' });
  const questions = createPendingRequests<Metrics>(readTimeoutMs);
  /** Last known metrics of each worker process that has started serving and not ended. */
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
      // No `await` from here on, so that a worker that ends is counted exactly once: in `gone` or in `last`.
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

/** Returns the metrics of a stopping worker that still count: not its readiness, nor its process metrics. */
function withoutProcessMetrics(metrics: Metrics): Metrics {
  return metrics.filter(({ name }) => name.startsWith('linkfold_') && name !== 'linkfold_ready');
}
