import type { Metrics } from '../telemetry/metrics/exposition.ts';
import type { WorkerProcess } from './process.ts';
import { createQuestions } from './questions.ts';

/** A worker asks its storage, which is given two seconds; if that is not enough its last metrics are shown, ms. */
const patienceMs = 3_000;

export interface WorkersMetricsOptions {
  /** The workers that serve now. */
  readonly serving: () => readonly WorkerProcess[];
  readonly crashes: () => number;
}

/** The metrics of the service: those of all its workers, and what workers counted that are gone. */
export interface WorkersMetrics {
  text(): Promise<string>;
  onServing(worker: WorkerProcess): void;
  hear(from: WorkerProcess, metrics: Metrics, id?: number): void;
  /** What it had counted stays counted: as it said at its end, or as last read. */
  onGone(worker: WorkerProcess): void;
}

/** Loads what metrics need. */
export async function createWorkersMetrics(options: WorkersMetricsOptions): Promise<WorkersMetrics> {
  const { metricOf, sumOf, textOf, watchProcess } = await import('../telemetry/metrics/exposition.ts');
  const readPrimary = watchProcess({ worker: 'primary' });
  const questions = createQuestions<Metrics>(patienceMs);
  /** Of every worker process that has served and has not ended. */
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
      // Without a pause from here on: a worker that ends is among those that are gone or among the others, never both.
      const serving = options.serving();
      const isReady = serving.length > 0 && answers.every(({ status }) => status === 'fulfilled');
      const ofWorkers = [...last].map(([worker, metrics]) =>
        serving.includes(worker) ? metrics : leavingOnes(metrics),
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
      const counted = leavingOnes(last.get(worker) ?? []).filter(({ type }) => type !== 'gauge');
      gone = sumOf([gone, counted]);
      last.delete(worker);
    },
  };
}

/** Of a worker that leaves: the service is ready by the others, and its process is not one of theirs any more. */
function leavingOnes(metrics: Metrics): Metrics {
  return metrics.filter(({ name }) => name.startsWith('linkfold_') && name !== 'linkfold_ready');
}
