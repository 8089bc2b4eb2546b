import { join } from 'node:path';
import type { Cores } from './cores.ts';
import { copyDatabase, type Dataset } from './database.ts';
import type { LoadUp } from './load.ts';
import type { Options } from './options.ts';
import { linkfold, type Program } from './servers.ts';

/** What every topic measures with. */
export interface Bench {
  readonly options: Options;
  readonly cores: Cores;
  readonly load: LoadUp;
  /** A folder of this run, gone afterwards. */
  readonly dir: string;
  /** The large database, and one of a thousand links. */
  readonly many: Dataset;
  readonly few: Dataset;
  readonly trees: readonly Tree[];
  /** Tells on stderr what is being measured. */
  readonly tell: (step: string) => void;
}

/** A checkout that is measured. */
export interface Tree {
  readonly name: string;
  readonly dir: string;
}

/** `linkfold serve` of a checkout on a fresh copy of a database. */
export const linkfoldOn = async (
  { dir }: Bench,
  tree: Tree,
  dataset: Dataset,
  env: Record<string, string> = {},
  name = tree.name,
): Promise<Program & { database: string }> => {
  const dataDir = join(dir, `data-${copies++}`);
  const program = await linkfold(name, { tree: tree.dir, dataDir, code: dataset.hotCodes[0] ?? '', env });
  const database = join(dataDir, 'linkfold.db');
  copyDatabase(dataset, database);
  return { ...program, database };
};

let copies = 0;

/** The rounds' order turns, so that nobody always comes first or after the same neighbour. */
export const turned = <T>(list: readonly T[], round: number): readonly T[] => {
  const at = round % Math.max(1, list.length);
  return [...list.slice(at), ...list.slice(0, at)];
};
