import type { ProcessFigures } from '../app/peers.ts';
import type { Exposition, Shown } from '../telemetry/metrics/exposition.ts';
import type { Reading } from '../telemetry/metrics/reading.ts';
import type { Worker } from './process.ts';
import { createQuestions } from './questions.ts';

/** A worker asks its storage, which is given two seconds, and is looked at as it was if that is not enough, ms. */
const patienceMs = 3_000;

export interface FiguresOptions {
  /** The workers that serve now. */
  readonly serving: () => readonly Worker[];
  readonly crashes: () => number;
}

/** The metrics of the service: those of all its workers, and what those counted that are gone. */
export interface SharedFigures {
  readonly exposition: Exposition;
  onServing(worker: Worker): void;
  hear(from: Worker, figures: ProcessFigures, id?: number): void;
  /** What it had counted stays counted: as it told at its end, or as last read. */
  onGone(worker: Worker): void;
}

/** Loads what metrics need. */
export async function createSharedFigures(given: FiguresOptions): Promise<SharedFigures> {
  const { createExposition, watchProcess } = await import('../telemetry/metrics/exposition.ts');
  const { addUp, countsOf } = await import('../telemetry/metrics/reading.ts');
  const readPrimary = watchProcess();
  const questions = createQuestions<ProcessFigures>(patienceMs);
  /** Of every worker that has served and is there, also if it leaves. */
  const last = new Map<Worker, ProcessFigures>();
  let gone: Reading = {};

  const readWorker = async (worker: Worker): Promise<void> => {
    const figures = await Promise.race([
      questions.ask((id) => worker.send({ say: 'read', id })),
      worker.ended.then(() => undefined),
    ]);
    if (figures !== undefined && last.has(worker)) last.set(worker, figures);
  };

  const read = async (): Promise<Shown> => {
    const answers = await Promise.allSettled([...last.keys()].map(readWorker));
    const metrics = await readPrimary();
    // From here on in one go: a worker that ends is among those that are gone or among the others, never both.
    const serving = given.serving();
    const isReady = serving.length > 0 && answers.every(({ status }) => status === 'fulfilled');
    const readings = [...last].map(([worker, { reading }]) =>
      serving.includes(worker) ? reading : { ...reading, linkfold_ready: [] },
    );
    const labelled = serving.flatMap((worker) => {
      const labels = { worker: String(worker.number) };
      return [{ labels, metrics: last.get(worker)?.process ?? [] }];
    });
    return {
      reading: {
        ...addUp([gone, ...readings, isReady ? {} : rowOf('linkfold_ready', 0)]),
        ...rowOf('linkfold_workers', serving.length),
        ...rowOf('linkfold_worker_crashes_total', given.crashes()),
      },
      processes: [{ labels: { worker: 'primary' }, metrics }, ...labelled],
    };
  };

  return {
    exposition: createExposition(read),
    onServing: (worker) => void last.set(worker, { reading: {}, process: [] }),
    hear(from, figures, id) {
      if (id !== undefined) questions.answer(id, figures);
      else if (last.has(from)) last.set(from, figures);
    },
    onGone(worker) {
      gone = addUp([gone, countsOf(last.get(worker)?.reading ?? {})]);
      last.delete(worker);
    },
  };
}

function rowOf(name: string, value: number): Reading {
  return { [name]: [{ labels: {}, value }] };
}
