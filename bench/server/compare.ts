import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cacheDir } from '../measuring/database.ts';
import { median, number, pairedRatio, quantile, ratio } from '../measuring/figures.ts';
import { revisionOf } from '../measuring/machine.ts';
import { type Compared, type Report, say, sayTable } from '../measuring/report.ts';
import { mainTree } from '../measuring/servers.ts';

/** The folder and name of a version. */
export interface Checkout {
  readonly name: string;
  readonly dir: string;
  /** Its commit, for display. */
  readonly revision: string;
}

/** The checkout that contains this benchmark. */
export function thisCheckout(): Checkout {
  return {
    name: 'Linkfold',
    dir: mainTree,
    revision: revisionOf(mainTree),
  };
}

/**
 * Returns another version: a folder as it is, or a revision checked out in the cache, with its own dependencies if they
 * differ.
 * @throws Error if the version does not exist or cannot be installed
 */
export function checkOut(revision: string): Checkout {
  if (existsSync(revision) && statSync(revision).isDirectory())
    return { name: revision, dir: resolve(revision), revision: revisionOf(revision) };
  const commit = git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`);
  if (commit === '') throw new Error(`--compare knows no revision or folder "${revision}".`);
  const dir = join(cacheDir, `rev-${commit.slice(0, 12)}`);
  if (!existsSync(dir)) {
    const part = `${dir}.${process.pid}`;
    mkdirSync(part, { recursive: true });
    run('sh', ['-c', 'git -C "$0" archive "$1" | tar -x -C "$2"', mainTree, commit, part]);
    renameSync(part, dir);
  }
  installIn(dir);
  // Prepared like `npm start` does. Older versions have nothing to generate, or no build.
  for (const script of ['generated-files.ts', 'build-server.ts'].map((name) => join(dir, 'scripts', name)))
    if (existsSync(script)) run(process.execPath, [script]);
  return { name: revision, dir, revision: commit.slice(0, 10) };
}

/** Identical locked dependencies are not installed twice. */
function installIn(dir: string): void {
  const modules = join(dir, 'node_modules');
  if (existsSync(modules)) return;
  const lock = (tree: string): string => readFileSync(join(tree, 'package-lock.json'), 'utf8');
  if (lock(dir) === lock(mainTree)) symlinkSync(join(mainTree, 'node_modules'), modules);
  else run(process.execPath, [join(dir, 'scripts', 'ensure-deps.mjs')]);
}

function git(...args: readonly string[]): string {
  return spawnSync('git', ['-C', mainTree, ...args], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The other version cannot be made ready: ${command} failed.\n${stderr}`);
}

const worth = 0.05;
const agreeing = 0.8;
const fewestRounds = 3;

/**
 * Prints every value of two versions, new to old, round against round. A value is worse if its median is 5 % worse and
 * at least four of five rounds are worse; otherwise it may be noise, and the line says so.
 * @returns true if something is worse
 */
export function sayComparison(reports: readonly Report[], versions: readonly Checkout[]): boolean {
  const [now, before] = versions.map(({ name }) => name);
  const all = reports.flatMap(({ compared }) => compared ?? []);
  const lines = all
    .filter(({ tree }) => tree === now)
    .flatMap((ours) => {
      const theirs = all.find(({ tree, what }) => tree === before && what === ours.what);
      return theirs === undefined ? [] : [lineOf(ours, theirs)];
    });
  say(`\n${now} ÷ ${before}: medians of the rounds' own ratios, in brackets the least and the most`);
  sayTable([['', now ?? '', before ?? '', 'ratio', ''], ...lines.map(({ cells }) => cells)]);
  const worse = lines.filter((line) => line.worse).length;
  say(
    worse === 0
      ? '  Nothing is worse by 5 % or more.'
      : `  ${worse} of ${lines.length} are worse by 5 % or more.`,
  );
  return worse > 0;
}

function lineOf(ours: Compared, theirs: Compared) {
  const ratios = pairedRatio(ours.rounds, theirs.rounds);
  const verdict = verdictOf(ours.better, ratios.each);
  const range = `${ratio(ratios.median)} (${ratio(ratios.min)}–${ratio(ratios.max)})`;
  return {
    worse: verdict === worse,
    cells: [ours.what, number(median(ours.rounds)), number(median(theirs.rounds)), range, verdict],
  };
}

const worse = '✗ worse';

function verdictOf(better: Compared['better'], ratios: readonly number[]): string {
  // Losses for every value: 0.05 is 5 % worse.
  const losses = ratios.map((value) => (better === 'more' ? 1 - value : value - 1));
  const loss = median(losses);
  if (loss <= -worth) return 'better';
  if (loss < worth) return '';
  if (ratios.length < fewestRounds) return 'worse, but too few rounds to tell';
  return quantile(losses, 1 - agreeing) > 0 ? worse : 'worse, but the rounds disagree';
}
