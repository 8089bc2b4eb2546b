import { join } from 'node:path';
import type { Cores } from '../measuring/cores.ts';
import { copyDatabase, type Dataset } from '../measuring/database.ts';
import type { LoadUp } from '../measuring/load.ts';
import { linkfold, type Program } from '../measuring/servers.ts';
import type { Options } from '../options.ts';

/** Shared by all parts. */
export interface Bench {
  readonly options: Options;
  readonly cores: Cores;
  readonly load: LoadUp;
  /** A temporary folder of this run. */
  readonly dir: string;
  /** This version first, then the one to compare with. */
  readonly trees: readonly Tree[];
  /** Shows progress on stderr. @returns a function to call with the name of each step */
  readonly steps: (part: string, count: number) => (step: string) => void;
}

/** A measured checkout, with databases created by its own code. */
export interface Tree {
  readonly name: string;
  readonly dir: string;
  readonly many: Dataset;
  /** A thousand links. */
  readonly few: Dataset;
}

/** The version whose goals are printed and whose codes are requested; they are the same in every version. */
export function firstTree({ trees }: Bench): Tree {
  const [first] = trees;
  if (first === undefined) throw new Error('There is no version to measure.');
  return first;
}

/** Starts `linkfold serve` of a checkout on a fresh copy of a database. */
export async function linkfoldOn(
  { dir }: Bench,
  tree: Tree,
  given: {
    readonly dataset?: Dataset;
    readonly env?: Readonly<Record<string, string>>;
    readonly name?: string;
  } = {},
): Promise<Program & { readonly database: string }> {
  const { dataset = tree.many, env = {}, name = tree.name } = given;
  const dataDir = join(dir, `data-${copies++}`);
  const program = await linkfold(name, { tree: tree.dir, dataDir, code: dataset.hotCodes[0] ?? '', env });
  const database = join(dataDir, 'linkfold.db');
  copyDatabase(dataset, database);
  return { ...program, database };
}

let copies = 0;

/** Rotates the order of contenders, and reverses every other round, so that none always follows the same one. */
export function turned<T>(list: readonly T[], round: number): readonly T[] {
  const at = round % Math.max(1, list.length);
  const order = [...list.slice(at), ...list.slice(0, at)];
  return round % 2 === 0 ? order : order.reverse();
}
