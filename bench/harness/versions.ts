import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cacheDir } from './database.ts';
import { isRate, print, printRows, type Table, thisVersion } from './report.ts';
import { median, number, quantile, ratio, ratiosOf, withRange } from './statistics.ts';

/** A version's folder and name. */
export interface Checkout {
  readonly name: string;
  readonly dir: string;
  /** Checked-out commit, for display. */
  readonly revision: string;
}

const root = join(import.meta.dirname, '..', '..');

/** Returns the checkout that contains this benchmark. */
export function thisCheckout(): Checkout {
  return { name: thisVersion, dir: root, revision: revisionOf(root) };
}

/**
 * Returns a version to compare with. A folder is used as it is. A revision is checked out into the cache, and its
 * dependencies are installed there if they differ from this version's.
 * @throws Error if the version does not exist or cannot be installed
 */
export function checkOut(revision: string): Checkout {
  if (existsSync(revision) && statSync(revision).isDirectory())
    return { name: revision, dir: resolve(revision), revision: revisionOf(resolve(revision)) };
  const commit = git(root, 'rev-parse', '--verify', '--quiet', `${revision}^{commit}`);
  if (commit === '') throw new Error(`Unknown revision or folder in --compare: "${revision}".`);
  const dir = join(cacheDir, `rev-${commit.slice(0, 12)}`);
  if (!existsSync(dir)) {
    const part = `${dir}.${process.pid}`;
    mkdirSync(part, { recursive: true });
    run('sh', ['-c', 'git -C "$0" archive "$1" | tar -x -C "$2"', root, commit, part]);
    renameSync(part, dir);
  }
  if (!existsSync(join(dir, 'node_modules'))) installIn(dir);
  // Generates files and builds the server, as `npm start` does. Older versions may lack these scripts.
  for (const script of ['generated-files.ts', 'build-server.ts'].map((name) => join(dir, 'scripts', name)))
    if (existsSync(script)) run(process.execPath, [script]);
  return { name: revision, dir, revision: commit.slice(0, 10) };
}

/** Installs a version's dependencies. Links to this version's dependencies if both lock files are identical. */
function installIn(dir: string): void {
  const [own, other] = [root, dir].map((tree) => readFileSync(join(tree, 'package-lock.json'), 'utf8'));
  if (own === other) symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  else run(process.execPath, [join(dir, 'scripts', 'ensure-deps.mjs')]);
}

function revisionOf(dir: string): string {
  const changed = git(dir, 'status', '--porcelain', '--', 'src');
  return `${git(dir, 'rev-parse', '--short=10', 'HEAD')}${changed === '' ? '' : ' + uncommitted changes'}`;
}

function git(dir: string, ...args: readonly string[]): string {
  return spawnSync('git', ['-C', dir, ...args], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot prepare the other version: ${command} failed.\n${stderr}`);
}

const worth = 0.05;
const agreeing = 0.8;
const fewestRounds = 3;

/**
 * Compares this version's values with another version's, round by round, and prints them. A value counts as worse if
 * its median is at least 5 % worse and at least four of five rounds are worse; otherwise the difference may be noise.
 * @returns true if any value is worse
 */
export function printComparison(tables: readonly Table[], other: string): boolean {
  const rows = tables.flatMap(({ part, series }) =>
    series
      .filter(({ contender }) => contender === thisVersion)
      .flatMap((ours) => {
        const theirs = series.find((one) => one.contender === other && one.case === ours.case);
        return Object.entries(ours.values).map(([metric, values]) => {
          const others = theirs?.values[metric] ?? [];
          const ratios = ratiosOf(values, others);
          const name = [part, ours.case ?? '', metric].filter((text) => text !== '').join(', ');
          const medians = [values, others].map((rounds) => number(median(rounds)));
          return [name, ...medians, withRange(ratios, ratio), verdictOf(metric, ratios)];
        });
      }),
  );
  print(
    `\n${thisVersion} ÷ ${other}: medians of the ratios per round, with minimum and maximum in parentheses`,
  );
  printRows([['', thisVersion, other, 'ratio', ''], ...rows]);
  const worse = rows.filter((row) => row.at(-1) === isWorse).length;
  print(`  ${worse === 0 ? 'No figure is' : `${worse} of ${rows.length} figures are`} worse by 5 % or more.`);
  return worse > 0;
}

const isWorse = '✗ worse';

function verdictOf(metric: string, ratios: readonly number[]): string {
  // Loss in each round; 0.05 means 5 % worse.
  const losses = ratios.map((value) => (isRate(metric) ? 1 - value : value - 1));
  const loss = median(losses);
  if (loss <= -worth) return 'better';
  if (!(loss >= worth)) return '';
  return ratios.length >= fewestRounds && quantile(losses, 1 - agreeing) > 0 ? isWorse : 'possibly worse';
}
