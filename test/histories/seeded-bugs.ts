// Seeds each bug in mutations.ts into a copy of this tree, and measures how long histories take to find it.
//
// node_modules/.bin/node test/histories/seeded-bugs.ts [none | AREA …]
//
// With `none`, the unchanged program runs for as long as finding a bug may take. An area is an `area` in mutations.ts,
// such as leases.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryFolder } from '../support/files/temporary.ts';
import { createRandom, seed } from '../support/random/random.ts';
import type { Finding } from './judge.ts';
import { type Mutation, mutations } from './mutations.ts';

const root = join(import.meta.dirname, '..', '..');
const boundMs = 300_000;
/** Number of faults per round. Short rounds are checked sooner. */
const faultsPerRound = 4;

/**
 * Returns the content of a file with the bug.
 * @throws if the string to replace does not occur exactly once
 */
export function mutated({ file, old, new: text = '' }: Mutation): string {
  const parts = readFileSync(join(root, 'src', file), 'utf8').split(old);
  if (parts.length === 2) return parts.join(text);
  throw new Error(`src/${file} must contain this text once, not ${parts.length - 1} times:\n${old}`);
}

function copyTree(): string {
  const copy = temporaryFolder('seeded');
  const left = ['.git', 'node_modules', 'test', 'bench'];
  cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(relative(root, path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function build(copy: string, script: string): void {
  const path = join(copy, 'scripts', script);
  const { status, stderr } = spawnSync(process.execPath, [path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

type SetupName = keyof typeof mutations;
const setupNames = Object.keys(mutations) as SetupName[];

/** Runs rounds until one of them finds an error or the time limit is reached. Prints the result as a table row. */
async function hunt(name: SetupName, area: string, bug: string): Promise<void> {
  const { causeFaults, clients, startCluster, startOneNode } = await import('./setups.ts');
  const { runRound } = await import('./judge.ts');
  const { endServers } = await import('../support/server/server.ts');
  const random = createRandom(seed);
  const ends: (() => unknown)[] = [];
  let [began, requests] = [performance.now(), 0];
  let finding: Finding | undefined;
  try {
    const start = name === 'cluster' ? startCluster : startOneNode;
    const setup = await start(random, (end) => ends.unshift(end));
    began = performance.now();
    const causes = (from: number) => () =>
      causeFaults(setup, { from, count: faultsPerRound }, (fault) => process.stderr.write(`  ${fault}\n`));
    for (let from = 0; finding === undefined && performance.now() - began < boundMs; from += faultsPerRound) {
      const round = await runRound(setup.plan, clients, causes(from));
      finding = round.finding;
      requests += round.requests;
    }
  } catch (error) {
    // The system did not accept requests again after a fault. This also counts as finding the bug.
    finding = { model: 'recovery', detail: (error as Error).message };
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  await endServers();
  for (const end of ends) await end();
  process.stderr.write(`  ${finding?.detail.slice(0, 2_000) ?? 'nothing'}\n`);
  const row = [area, bug, finding?.model ?? 'not found', seconds, requests];
  process.stdout.write(`| ${row.join(' | ')} |\n`);
}

async function main(chosen: readonly string[]): Promise<void> {
  process.stderr.write(`LINKFOLD_SEED=${seed}\n`);
  const copy = copyTree();
  process.env['LINKFOLD_UNDER_TEST'] = join(copy, 'bin', 'linkfold');
  const isChosen = ({ area }: Mutation): boolean => chosen.length === 0 || chosen.includes(area);
  const bugs = setupNames.flatMap((name) =>
    mutations[name].filter(isChosen).map((one) => ({ ...one, name, text: mutated(one) })),
  );
  build(copy, 'build-dashboard.ts');
  build(copy, 'build-server.ts');
  process.stdout.write('| Area | Bug | Found by | Seconds | Requests |\n|---|---|---|---|---|\n');
  if (chosen.includes('none')) for (const name of setupNames) await hunt(name, 'none', name);
  for (const { area, bug, file, name, text } of bugs) {
    const path = join(copy, 'src', file);
    const sound = readFileSync(path, 'utf8');
    writeFileSync(path, text);
    build(copy, 'build-server.ts');
    process.stderr.write(`${bug}\n`);
    await hunt(name, area, bug);
    writeFileSync(path, sound);
  }
}

if (import.meta.main) await main(process.argv.slice(2));
