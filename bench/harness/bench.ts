import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createProgress } from '../../src/cli/terminal/progress.ts';
import type { Options } from '../options.ts';
import { cacheDir, type Dataset } from './database.ts';
import type { Cores } from './process.ts';
import type { Series } from './report.ts';
import { endServers } from './server.ts';

/** Options, CPU cores, folder and versions of one run. All parts of the benchmark share them. */
export interface Bench {
  readonly options: Options;
  readonly cores: Cores;
  /** Temporary folder for this run. */
  readonly dir: string;
  /** This version first, then the version to compare with. */
  readonly trees: readonly Tree[];
}

/** A measured checkout, with databases for its schema. */
export interface Tree {
  readonly name: string;
  readonly dir: string;
  /** Database with `--links` links. */
  readonly many: Dataset;
  /** Database with a thousand links. */
  readonly few: Dataset;
}

/** Values measured in one round, by metric. */
export type Values = Readonly<Record<string, number>>;

/**
 * Measures all series once per round and adds the values to each series. The first round is a warm-up and is not
 * counted. The order of the series rotates, and every other round is reversed, so that no series always runs after the
 * same other series.
 */
export async function measureInRounds<S extends Series>(
  { options: { pace } }: Bench,
  part: string,
  series: readonly S[],
  measure: (one: S, seconds: number) => Promise<Values>,
  rounds: number = pace.rounds,
): Promise<void> {
  const progress = createProgress(part, { quiet: true });
  let done = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const at = round % series.length;
    const order = [...series.slice(at), ...series.slice(0, at)];
    for (const one of round % 2 === 0 ? order : order.reverse()) {
      progress.update(done++, (rounds + 1) * series.length);
      const values = await measure(one, round === 0 ? pace.warmUpSeconds : pace.seconds);
      if (round > 0) for (const [metric, value] of Object.entries(values)) addValue(one, metric, value);
    }
  }
  progress.clear();
}

/** Adds a measured value to a series. */
export function addValue({ values }: Series, metric: string, value: number): void {
  values[metric] = [...(values[metric] ?? []), value];
}

/**
 * Creates a folder for this run, and removes folders left by killed runs. When the run ends for any reason, the folder
 * is removed and the servers are killed.
 */
export function createRunFolder(): string {
  mkdirSync(cacheDir, { recursive: true });
  for (const name of readdirSync(cacheDir)) {
    const pid = Number(/^run-(\d+)$/.exec(name)?.[1] ?? process.pid);
    if (!isAlive(pid)) rmSync(join(cacheDir, name), { recursive: true, force: true });
  }
  const dir = join(cacheDir, `run-${process.pid}`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  process.once('exit', () => {
    void endServers('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  return dir;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
